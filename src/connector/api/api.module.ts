import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { AccessModule } from '../access/access.module.js';
import { AlertsModule } from '../alerts/alerts.module.js';
import { AuditModule } from '../audit/audit.module.js';
import { ExportsModule } from '../exports/exports.module.js';
import { InstallationsModule } from '../installations/installations.module.js';
import { LimitsModule } from '../limits/limits.module.js';
import { MappingModule } from '../mapping/mapping.module.js';
import { PageEventsModule } from '../page-events/page-events.module.js';
import { ReconciliationModule } from '../reconciliation/reconciliation.module.js';
import { ReferenceDataModule } from '../reference-data/reference-data.module.js';
import { ReviewModule } from '../review/review.module.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { AccessGuard } from './http/access.guard.js';
import { ActorInterceptor } from './http/actor.interceptor.js';
import { AppPageController } from './app-page/app-page.controller.js';
import { OperatorPageController } from './app-page/operator-page.controller.js';
import { AlertsController } from './alerts/alerts.controller.js';
import { ApiTokensController } from './people/api-tokens.controller.js';
import { InteractivePlatformRequestInterceptor } from './http/interactive-platform-request.interceptor.js';
import { AuditController } from './people/audit.controller.js';
import { CertificatesController } from './reconciliation/certificates.controller.js';
import { TestPostingsController } from './erp/test-postings.controller.js';
import { MonthEndsController } from './close/month-ends.controller.js';
import { ConnectionController } from './connection/connection.controller.js';
import { ErpBatchesController } from './erp/erp-batches.controller.js';
import { ErpListsController } from './erp/erp-lists.controller.js';
import { ExchangeRatesController } from './erp/exchange-rates.controller.js';
import { ErpConnectionController } from './erp/erp-connection.controller.js';
import { ErpConnectionsModule } from '../erp-connections/erp-connections.module.js';
import { DependencyErrorsInterceptor } from './http/dependency-errors.interceptor.js';
import { DeclaredAccess } from './http/declared-access.js';
import { DiscrepanciesController } from './reconciliation/discrepancies.controller.js';
import { DriftController } from './mapping/drift.controller.js';
import { EntriesController } from './entries/entries.controller.js';
import { ExplanationsController } from './entries/explanations.controller.js';
import { KnownCallers } from './http/known-callers.plugin.js';
import { IdentifyOperator } from './http/identify-operator.js';
import { IdentifyCaller } from './http/identify-caller.js';
import { IdempotencyKeyRepository } from './http/idempotency/idempotency-key.repository.js';
import { IdempotencyKeys } from './http/idempotency/idempotency-keys.js';
import { IdempotentInterceptor } from './http/idempotency/idempotent.interceptor.js';
import { IssuesController } from './issues/issues.controller.js';
import { JobsController } from './jobs/jobs.controller.js';
import { DownloadInterceptor } from './downloads/download.interceptor.js';
import { DownloadLimiter } from './downloads/download-limiter.js';
import { DownloadRights } from './downloads/download-rights.js';
import { MappingFilesController } from './mapping/mapping-files.controller.js';
import { MappingRulesController } from './mapping/mapping-rules.controller.js';
import { MappingSuggestionsController } from './mapping/mapping-suggestions.controller.js';
import { MappingVersionsController } from './mapping/mapping-versions.controller.js';
import { SessionsController } from './people/sessions.controller.js';
import { MembersController } from './people/members.controller.js';
import { MyInstallationsController } from './people/my-installations.controller.js';
import { NotificationsController } from './connection/notifications.controller.js';
import { OperationsModule } from '../operations/operations.module.js';
import { OperatorCustomersController } from './operator/operator-customers.controller.js';
import { OperatorSessionsController } from './operator/operator-sessions.controller.js';
import { OperatorWorkController } from './operator/operator-work.controller.js';
import { OperatorConnectionsController } from './operator/operator-connections.controller.js';
import { OperatorDataController } from './operator/operator-data.controller.js';
import { OperatorController } from './operator/operator.controller.js';
import { ProblemTypesController } from './documentation/problem-types.controller.js';
import { EventStreams } from './events/event-streams.js';
import { EventsController } from './events/events.controller.js';
import { OverviewController } from './overview/overview.controller.js';
import { OpenIssuesReader } from './overview/open-issues.reader.js';
import { OverviewReader } from './overview/overview.reader.js';
import { ReadOverview } from './overview/read-overview.js';
import { PreviewsController } from './previews/previews.controller.js';
import { ReadConnection } from './connection/read-connection.js';
import { ReconciliationController } from './reconciliation/reconciliation.controller.js';
import { ReferenceDataRunsController } from './reference-data/reference-data-runs.controller.js';
import { ReferencesController } from './reference-data/references.controller.js';
import { ReferenceDataController } from './reference-data/reference-data.controller.js';
import { SettingsAddressController } from './app-page/settings-address.controller.js';
import { ErpCallbackController } from './erp/erp-callback.controller.js';
import { RefusalLog } from './http/refusal-log.plugin.js';
import { WebhookSettingsController } from './mapping/webhook-settings.controller.js';
import { SettingsController } from './mapping/settings.controller.js';
import { SetupController } from './mapping/setup.controller.js';
import { SubscriptionController } from './connection/subscription.controller.js';
import { InDoubtPostingsController } from './issues/in-doubt-postings.controller.js';

@Module({
  imports: [
    DiscoveryModule,
    AccessModule,
    AlertsModule,
    AuditModule,
    ExportsModule,
    InstallationsModule,
    ErpConnectionsModule,
    LimitsModule,
    MappingModule,
    OperationsModule,
    PageEventsModule,
    ReconciliationModule,
    ReferenceDataModule,
    ReviewModule,
    WebhooksModule,
  ],
  controllers: [
    ErpBatchesController,
    ErpConnectionController,
    ErpListsController,
    ExchangeRatesController,
    AlertsController,
    JobsController,
    InDoubtPostingsController,
    IssuesController,
    EventsController,
    OverviewController,
    PreviewsController,
    ProblemTypesController,
    EntriesController,
    ExplanationsController,
    DriftController,
    SettingsController,
    WebhookSettingsController,
    SetupController,
    MappingRulesController,
    MappingFilesController,
    MappingSuggestionsController,
    MappingVersionsController,
    OperatorController,
    OperatorCustomersController,
    OperatorSessionsController,
    OperatorWorkController,
    OperatorConnectionsController,
    OperatorDataController,
    ConnectionController,
    SubscriptionController,
    NotificationsController,
    ReferencesController,
    ReferenceDataController,
    ReferenceDataRunsController,
    ReconciliationController,
    DiscrepanciesController,
    MonthEndsController,
    TestPostingsController,
    CertificatesController,
    AuditController,
    MembersController,
    MyInstallationsController,
    SessionsController,
    ApiTokensController,
    AppPageController,
    OperatorPageController,
    SettingsAddressController,
    ErpCallbackController,
  ],
  providers: [
    InteractivePlatformRequestInterceptor,
    IdempotencyKeyRepository,
    IdempotencyKeys,
    IdempotentInterceptor,
    IdentifyCaller,
    IdentifyOperator,
    DeclaredAccess,
    DownloadLimiter,
    DownloadRights,
    EventStreams,
    OpenIssuesReader,
    OverviewReader,
    ReadOverview,
    ReadConnection,
    KnownCallers,
    RefusalLog,
    AccessGuard,
    ActorInterceptor,
    DependencyErrorsInterceptor,
    DownloadInterceptor,
  ],
  exports: [
    AccessGuard,
    ActorInterceptor,
    IdempotentInterceptor,
    InteractivePlatformRequestInterceptor,
    DependencyErrorsInterceptor,
    DownloadInterceptor,
  ],
})
export class ApiModule {}
