import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { ExportsModule } from '../exports/exports.module.js';
import { InstallationsModule } from '../installations/installations.module.js';
import { MappingModule } from '../mapping/mapping.module.js';
import { ReconciliationModule } from '../reconciliation/reconciliation.module.js';
import { ReferenceDataModule } from '../reference-data/reference-data.module.js';
import { ReviewModule } from '../review/review.module.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { AccessGuard } from './access.guard.js';
import { ApiTokenRepository } from './api-token.repository.js';
import { CloseReportController } from './close-report.controller.js';
import { ConnectionController } from './connection.controller.js';
import { DifferencesController } from './differences.controller.js';
import { DriftController } from './drift.controller.js';
import { ExplanationsController } from './explanations.controller.js';
import { FileBodies } from './file-bodies.js';
import { InboxController } from './inbox.controller.js';
import { JobsController } from './jobs.controller.js';
import { MappingFilesController } from './mapping-files.controller.js';
import { MappingRulesController } from './mapping-rules.controller.js';
import { MappingSuggestionsController } from './mapping-suggestions.controller.js';
import { MappingVersionsController } from './mapping-versions.controller.js';
import { NotificationsController } from './notifications.controller.js';
import { OperatorConnectionsController } from './operator-connections.controller.js';
import { OperatorController } from './operator.controller.js';
import { PreviewsController } from './previews.controller.js';
import { ReconciliationController } from './reconciliation.controller.js';
import { ReferenceDataRunsController } from './reference-data-runs.controller.js';
import { ReferenceDataController } from './reference-data.controller.js';
import { SettingsController } from './settings.controller.js';
import { SetupController } from './setup.controller.js';
import { SubscriptionController } from './subscription.controller.js';
import { UncertainPostingsController } from './uncertain-postings.controller.js';

@Module({
  imports: [
    ExportsModule,
    InstallationsModule,
    MappingModule,
    ReconciliationModule,
    ReferenceDataModule,
    ReviewModule,
    WebhooksModule,
  ],
  controllers: [
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
  ],
  providers: [ApiTokenRepository, FileBodies, { provide: APP_GUARD, useClass: AccessGuard }],
})
export class AdminModule {}
