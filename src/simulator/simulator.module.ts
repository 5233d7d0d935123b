import { Module, type DynamicModule } from '@nestjs/common';
import { SystemClock } from '../foundation/clock/system-clock.js';
import { Database } from '../foundation/database/database.js';
import type { Logger } from '../foundation/logging/logger.js';
import { AuthenticateCaller } from './access/authenticate-caller.js';
import { CallerRepository } from './access/caller.repository.js';
import { IntrospectController } from './access/introspect.controller.js';
import { PlatformAccessGuard } from './access/platform-access.guard.js';
import { AccessTokens } from './authorization/access-tokens.js';
import { AuthorizationRepositories, AuthorizationServer } from './authorization/authorization-server.js';
import { ConsentController } from './authorization/consent.controller.js';
import { ConsentRepository } from './authorization/consent.repository.js';
import { IntrospectionController } from './authorization/introspection.controller.js';
import { OAuthClientRepository } from './authorization/oauth-client.repository.js';
import { OAuthRecordRepository } from './authorization/oauth-record.repository.js';
import { RecordConsent } from './authorization/record-consent.js';
import { ServerKeyStore } from './authorization/server-key-store.js';
import { BackgroundWork } from './background-work.js';
import { SimulatorClock } from './clock/simulator-clock.js';
import { SimulatorStateRepository } from './clock/simulator-state.repository.js';
import { CompanyController } from './companies/company.controller.js';
import { CompanyRepository } from './companies/company.repository.js';
import { ControlAccessController } from './control/control-access.controller.js';
import { ControlBehaviourController } from './control/control-behaviour.controller.js';
import { ControlCompanyController } from './control/control-company.controller.js';
import { ControlDocsController } from './control/control-docs.controller.js';
import { ControlExportController } from './control/control-export.controller.js';
import { ControlGuard } from './control/control.guard.js';
import { ControlLogController } from './control/control-log.controller.js';
import { AnnounceEvent } from './deliveries/announce-event.js';
import { DeliverNotifications } from './deliveries/deliver-notifications.js';
import { DeliveryRepository } from './deliveries/delivery.repository.js';
import { SendNotification } from './deliveries/send-notification.js';
import { ApplyJobEvent } from './exports/apply-job-event.js';
import { CreateExportJob } from './exports/create-export-job.js';
import { ExportAccess } from './exports/export-access.js';
import { ExportItemRepository } from './exports/export-item.repository.js';
import { ExportJobItemRepository } from './exports/export-job-item.repository.js';
import { ExportJobRepository } from './exports/export-job.repository.js';
import { ExportRepositories } from './exports/export-repositories.js';
import { ExportController } from './exports/export.controller.js';
import { ListExportJobs } from './exports/list-export-jobs.js';
import { ReadExportItems } from './exports/read-export-items.js';
import { UpdateJobItems } from './exports/update-job-items.js';
import { FailureSwitchRepository } from './failures/failure-switch.repository.js';
import { FailureSwitches } from './failures/failure-switches.js';
import { InstallationController } from './installations/installation.controller.js';
import { InstallationRepository } from './installations/installation.repository.js';
import { RequestLog } from './request-log/request-log.js';
import { RequestLogRepository } from './request-log/request-log.repository.js';
import { ResetSimulator } from './reset-simulator.js';
import { SimulatorConfig } from './simulator-config.js';
import { SimulatorLog } from './simulator-log.js';
import { SubscriptionController } from './subscriptions/subscription.controller.js';
import { SubscriptionRepository } from './subscriptions/subscription.repository.js';
import { SubscriptionService } from './subscriptions/subscription.service.js';

const AUTHORIZATION = [
  AccessTokens,
  AuthenticateCaller,
  AuthorizationRepositories,
  AuthorizationServer,
  CallerRepository,
  ConsentRepository,
  OAuthClientRepository,
  OAuthRecordRepository,
  PlatformAccessGuard,
  RecordConsent,
  ServerKeyStore,
];
const WEBHOOKS = [
  AnnounceEvent,
  DeliverNotifications,
  DeliveryRepository,
  SendNotification,
  SubscriptionRepository,
  SubscriptionService,
];
const EXPORTS = [
  ApplyJobEvent,
  CreateExportJob,
  ExportAccess,
  ExportItemRepository,
  ExportJobItemRepository,
  ExportJobRepository,
  ExportRepositories,
  ListExportJobs,
  ReadExportItems,
  UpdateJobItems,
];
const REST = [
  BackgroundWork,
  CompanyRepository,
  ControlGuard,
  FailureSwitches,
  FailureSwitchRepository,
  InstallationRepository,
  RequestLog,
  RequestLogRepository,
  ResetSimulator,
  SimulatorClock,
  SimulatorStateRepository,
  SystemClock,
];

/** The whole program in one module: every feature needs the same database, clock and caller. */
@Module({
  controllers: [
    CompanyController,
    ConsentController,
    ControlAccessController,
    ControlBehaviourController,
    ControlCompanyController,
    ControlDocsController,
    ControlExportController,
    ControlLogController,
    ExportController,
    InstallationController,
    IntrospectController,
    IntrospectionController,
    SubscriptionController,
  ],
  providers: [...AUTHORIZATION, ...WEBHOOKS, ...EXPORTS, ...REST],
})
export class SimulatorModule {
  static register(config: SimulatorConfig, database: Database, logger: Logger): DynamicModule {
    return {
      module: SimulatorModule,
      providers: [
        { provide: SimulatorConfig, useValue: config },
        { provide: Database, useValue: database },
        { provide: SimulatorLog, useValue: new SimulatorLog(logger) },
      ],
    };
  }
}
