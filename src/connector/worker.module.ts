import { Module, type DynamicModule } from '@nestjs/common';
import { ScheduleModule } from '@nestjs/schedule';
import { AlertsModule } from './alerts/alerts.module.js';
import { ConnectorCoreModule } from './connector-core.module.js';
import type { ConnectorRuntime } from './connector-runtime.js';
import { ExportsModule } from './exports/exports.module.js';
import { InstallationsModule } from './installations/installations.module.js';
import { ReconciliationModule } from './reconciliation/reconciliation.module.js';
import { ReferenceDataModule } from './reference-data/reference-data.module.js';
import { ReviewModule } from './review/review.module.js';
import { WebhooksModule } from './webhooks/webhooks.module.js';

/** The worker process: tasks and schedule, no public route. */
@Module({})
export class WorkerModule {
  static register(runtime: ConnectorRuntime): DynamicModule {
    return {
      module: WorkerModule,
      imports: [
        ConnectorCoreModule.register(runtime),
        ScheduleModule.forRoot(),
        InstallationsModule,
        WebhooksModule,
        AlertsModule,
        ExportsModule,
        ReconciliationModule,
        ReferenceDataModule,
        ReviewModule,
      ],
    };
  }
}
