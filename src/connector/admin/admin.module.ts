import { Module } from '@nestjs/common';
import { APP_GUARD, APP_INTERCEPTOR, DiscoveryModule } from '@nestjs/core';
import { AccessModule } from '../access/access.module.js';
import { AlertsModule } from '../alerts/alerts.module.js';
import { AuditModule } from '../audit/audit.module.js';
import { ExportsModule } from '../exports/exports.module.js';
import { InstallationsModule } from '../installations/installations.module.js';
import { LimitsModule } from '../limits/limits.module.js';
import { MappingModule } from '../mapping/mapping.module.js';
import { ReconciliationModule } from '../reconciliation/reconciliation.module.js';
import { ReferenceDataModule } from '../reference-data/reference-data.module.js';
import { ReviewModule } from '../review/review.module.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { AccessGuard } from './access.guard.js';
import { ActorInterceptor } from './actor.interceptor.js';
import { AlertsController } from './alerts.controller.js';
import { ApiTokensController } from './api-tokens.controller.js';
import { AsksPlatformInterceptor } from './asks-platform.interceptor.js';
import { AuditController } from './audit.controller.js';
import { CertificatesController } from './certificates.controller.js';
import { CloseReportController } from './close-report.controller.js';
import { ConnectionController } from './connection.controller.js';
import { DeclaredAccess } from './declared-access.js';
import { DifferencesController } from './differences.controller.js';
import { DriftController } from './drift.controller.js';
import { ExplanationsController } from './explanations.controller.js';
import { FileBodies } from './file-bodies.js';
import { IdentifyCaller } from './identify-caller.js';
import { IdempotencyKeyRepository } from './idempotency-key.repository.js';
import { IdempotencyKeys } from './idempotency-keys.js';
import { IdempotentInterceptor } from './idempotent.interceptor.js';
import { InboxController } from './inbox.controller.js';
import { JobsController } from './jobs.controller.js';
import { LongReads } from './long-reads.js';
import { MappingFilesController } from './mapping-files.controller.js';
import { MappingRulesController } from './mapping-rules.controller.js';
import { MappingSuggestionsController } from './mapping-suggestions.controller.js';
import { MappingVersionsController } from './mapping-versions.controller.js';
import { MembersController } from './members.controller.js';
import { NotificationsController } from './notifications.controller.js';
import { OperatorConnectionsController } from './operator-connections.controller.js';
import { OperatorController } from './operator.controller.js';
import { PreviewsController } from './previews.controller.js';
import { ReadConnection } from './read-connection.js';
import { ReconciliationController } from './reconciliation.controller.js';
import { ReferenceDataRunsController } from './reference-data-runs.controller.js';
import { ReferenceDataController } from './reference-data.controller.js';
import { FormBodies } from './settings-page/form-bodies.js';
import { ReadSettingsView } from './settings-page/read-settings-view.js';
import { SettingsDifferencesController } from './settings-page/settings-differences.controller.js';
import { SettingsPageController } from './settings-page/settings-page.controller.js';
import { RefusalLog } from './refusal-log.js';
import { SettingsController } from './settings.controller.js';
import { SetupController } from './setup.controller.js';
import { SubscriptionController } from './subscription.controller.js';
import { UncertainPostingsController } from './uncertain-postings.controller.js';

@Module({
  imports: [
    DiscoveryModule,
    AccessModule,
    AlertsModule,
    AuditModule,
    ExportsModule,
    InstallationsModule,
    LimitsModule,
    MappingModule,
    ReconciliationModule,
    ReferenceDataModule,
    ReviewModule,
    WebhooksModule,
  ],
  controllers: [
    AlertsController,
    JobsController,
    UncertainPostingsController,
    InboxController,
    PreviewsController,
    ExplanationsController,
    DriftController,
    SettingsController,
    SetupController,
    MappingRulesController,
    MappingFilesController,
    MappingSuggestionsController,
    MappingVersionsController,
    OperatorController,
    OperatorConnectionsController,
    ConnectionController,
    SubscriptionController,
    NotificationsController,
    ReferenceDataController,
    ReferenceDataRunsController,
    ReconciliationController,
    DifferencesController,
    CloseReportController,
    CertificatesController,
    AuditController,
    MembersController,
    ApiTokensController,
    SettingsPageController,
    SettingsDifferencesController,
  ],
  providers: [
    AsksPlatformInterceptor,
    IdempotencyKeyRepository,
    IdempotencyKeys,
    IdempotentInterceptor,
    IdentifyCaller,
    DeclaredAccess,
    FormBodies,
    LongReads,
    ReadConnection,
    ReadSettingsView,
    FileBodies,
    RefusalLog,
    { provide: APP_GUARD, useClass: AccessGuard },
    { provide: APP_INTERCEPTOR, useClass: ActorInterceptor },
  ],
})
export class AdminModule {}
