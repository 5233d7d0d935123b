import { Module, type DynamicModule } from '@nestjs/common';
import { SystemClock } from '../../foundation/clock/system-clock.js';
import { Database } from '../../foundation/database/database.js';
import type { Logger } from '../../foundation/logging/logger.js';
import { AuthenticateCaller } from './access/authenticate-caller.js';
import { CallerRepository } from './access/caller.repository.js';
import { IntrospectController } from './access/introspect.controller.js';
import { PlatformAccessGuard } from './access/platform-access.guard.js';
import { RequestBudget } from './access/request-budget.js';
import { AccountController } from './accounts/account.controller.js';
import { AccountRepository } from './accounts/account.repository.js';
import { ChangeAccount } from './accounts/change-account.js';
import { CreateAccountBatch } from './accounts/create-account-batch.js';
import { CreateAccount } from './accounts/create-account.js';
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
import { ChangeSettings } from './clock/change-settings.js';
import { SimulatorClock } from './clock/simulator-clock.js';
import { SimulatorStateRepository } from './clock/simulator-state.repository.js';
import { CompanyAccess } from './companies/company-access.js';
import { CompanyController } from './companies/company.controller.js';
import { CompanyRepository } from './companies/company.repository.js';
import { ControlAccessController } from './control/control-access.controller.js';
import { ControlBehaviorController } from './control/control-behavior.controller.js';
import { ControlCompanyController } from './control/control-company.controller.js';
import { ControlDocsController } from './control/control-docs.controller.js';
import { ControlExportController } from './control/control-export.controller.js';
import { ControlFileController } from './control/control-file.controller.js';
import { ControlGuard } from './control/control.guard.js';
import { ControlInstallationController } from './control/control-installation.controller.js';
import { ControlItemController } from './control/control-item.controller.js';
import { ControlLogController } from './control/control-log.controller.js';
import { ControlReferenceController } from './control/control-reference.controller.js';
import { ControlWebhookController } from './control/control-webhook.controller.js';
import { ReadReferenceData } from './control/read-reference-data.js';
import { SeedReferenceData } from './control/seed-reference-data.js';
import { AnnounceEvent } from './deliveries/announce-event.js';
import { AttemptDelivery } from './deliveries/attempt-delivery.js';
import { DeliverNotifications } from './deliveries/deliver-notifications.js';
import { DeliveryRepository } from './deliveries/delivery.repository.js';
import { MatchWebhookSwitch } from './deliveries/match-webhook-switch.js';
import { SendNotification } from './deliveries/send-notification.js';
import { WebhookSwitchRepository } from './deliveries/webhook-switch.repository.js';
import { EmployeeController } from './employees/employee.controller.js';
import { EmployeeRepository } from './employees/employee.repository.js';
import { ApplyJobEvent } from './exports/apply-job-event.js';
import { ChangeItem } from './exports/change-item.js';
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
import { FileController } from './files/file.controller.js';
import { ItemFileRepository } from './files/item-file.repository.js';
import { ItemFiles } from './files/item-files.service.js';
import { EndInstallation } from './installations/end-installation.js';
import { InstallationController } from './installations/installation.controller.js';
import { InstallationRepository } from './installations/installation.repository.js';
import { ExportsPageController } from './page/exports-page.controller.js';
import { FailuresPageController } from './page/failures-page.controller.js';
import { PageActions } from './page/page-actions.js';
import { PageSession } from './page/page-session.js';
import { LoadExportsView } from './page/load-exports-view.js';
import { LoadSignInView } from './page/load-sign-in-view.js';
import { SignInPageController } from './page/sign-in-page.controller.js';
import { PageKeyRepository } from './paging/page-key.repository.js';
import { ReadPage } from './paging/read-page.js';
import { RequestLog } from './request-log/request-log.js';
import { RequestLogRepository } from './request-log/request-log.repository.js';
import { ResetSimulator } from './reset-simulator.js';
import { SimulatorConfig } from './simulator-config.js';
import { SimulatorLog } from './simulator-log.js';
import { SubscriptionController } from './subscriptions/subscription.controller.js';
import { SubscriptionRepository } from './subscriptions/subscription.repository.js';
import { SubscriptionService } from './subscriptions/subscription.service.js';
import { ActiveLimits } from './tags/active-limits.js';
import { ChangeDimensionValue } from './tags/change-dimension-value.js';
import { ChangeTagDimension } from './tags/change-tag-dimension.js';
import { ChangeTagGroup } from './tags/change-tag-group.js';
import { ChangeTag } from './tags/change-tag.js';
import { ChangeTagsInBulk } from './tags/change-tags-in-bulk.js';
import { SearchTags } from './tags/search-tags.js';
import { TagAccess } from './tags/tag-access.js';
import { TagDimensionController } from './tags/tag-dimension.controller.js';
import { TagDimensionRepository } from './tags/tag-dimension.repository.js';
import { TagGroupController } from './tags/tag-group.controller.js';
import { TagGroupRepository } from './tags/tag-group.repository.js';
import { TagSearchController } from './tags/tag-search.controller.js';
import { TagController } from './tags/tag.controller.js';
import { TagRepository } from './tags/tag.repository.js';
import { CalculateTax } from './tax-codes/calculate-tax.js';
import { ChangeTaxCode } from './tax-codes/change-tax-code.js';
import { TaxCodeController } from './tax-codes/tax-code.controller.js';
import { TaxCodeRepository } from './tax-codes/tax-code.repository.js';
import { ChangeVendor } from './vendors/change-vendor.js';
import { CreateVendor } from './vendors/create-vendor.js';
import { VendorController } from './vendors/vendor.controller.js';
import { VendorRepository } from './vendors/vendor.repository.js';

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
  AttemptDelivery,
  DeliverNotifications,
  DeliveryRepository,
  MatchWebhookSwitch,
  SendNotification,
  SubscriptionRepository,
  SubscriptionService,
  WebhookSwitchRepository,
];
const EXPORTS = [
  ApplyJobEvent,
  ChangeItem,
  CreateExportJob,
  ExportAccess,
  ExportItemRepository,
  ExportJobItemRepository,
  ExportJobRepository,
  ExportRepositories,
  ListExportJobs,
  ItemFileRepository,
  ItemFiles,
  ReadExportItems,
  UpdateJobItems,
];
const REFERENCE_DATA = [
  AccountRepository,
  ActiveLimits,
  CalculateTax,
  ChangeAccount,
  ChangeDimensionValue,
  ChangeTag,
  ChangeTagDimension,
  ChangeTagGroup,
  ChangeTagsInBulk,
  ChangeTaxCode,
  ChangeVendor,
  CompanyAccess,
  CreateAccount,
  CreateAccountBatch,
  CreateVendor,
  EmployeeRepository,
  ReadReferenceData,
  SearchTags,
  SeedReferenceData,
  TagAccess,
  TagDimensionRepository,
  TagGroupRepository,
  TagRepository,
  TaxCodeRepository,
  VendorRepository,
];
const PAGE = [PageActions, PageSession, LoadExportsView, LoadSignInView];
const REST = [
  BackgroundWork,
  ChangeSettings,
  CompanyRepository,
  ControlGuard,
  EndInstallation,
  FailureSwitches,
  FailureSwitchRepository,
  InstallationRepository,
  PageKeyRepository,
  ReadPage,
  RequestBudget,
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
    AccountController,
    CompanyController,
    ConsentController,
    ControlAccessController,
    ControlBehaviorController,
    ControlCompanyController,
    ControlDocsController,
    ControlExportController,
    ControlFileController,
    ControlInstallationController,
    ControlItemController,
    ControlLogController,
    ControlReferenceController,
    ControlWebhookController,
    EmployeeController,
    ExportController,
    SignInPageController,
    ExportsPageController,
    FailuresPageController,
    FileController,
    InstallationController,
    IntrospectController,
    IntrospectionController,
    SubscriptionController,
    TagController,
    TagDimensionController,
    TagGroupController,
    TagSearchController,
    TaxCodeController,
    VendorController,
  ],
  providers: [...AUTHORIZATION, ...WEBHOOKS, ...EXPORTS, ...REFERENCE_DATA, ...PAGE, ...REST],
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
