import { Module, type DynamicModule, type OnApplicationBootstrap, type Provider } from '@nestjs/common';
import { ScheduleModule } from '@nestjs/schedule';
import { ActivateInstallation } from './activate-installation.js';
import { AlertsModule } from './alerts/alerts.module.js';
import type { ConnectorProgram } from './connector-config.js';
import { CoreModule } from './core.module.js';
import { AuditModule } from './audit/audit.module.js';
import { ErpConnectionsModule } from './erp-connections/erp-connections.module.js';
import { ExportsModule } from './exports/exports.module.js';
import { HandleNotification } from './handle-notification.js';
import { InstallationsModule } from './installations/installations.module.js';
import { PageEventsModule } from './page-events/page-events.module.js';
import { PollInstallation } from './poll-installation.js';
import { ReconciliationModule } from './reconciliation/reconciliation.module.js';
import { ReferenceDataModule } from './reference-data/reference-data.module.js';
import { ReviewModule } from './review/review.module.js';
import { TASKS } from './task-handlers.js';
import { FailedTasks } from './tasks/failed-tasks.js';
import { TaskWorker } from './tasks/task-worker.js';
import { WorkerPresence } from './tasks/worker-presence.js';
import { WorkerRegistry } from './tasks/worker-registry.js';
import { WakePolls } from './wake-polls.js';
import { WebhooksModule } from './webhooks/webhooks.module.js';

/** The worker process: tasks and schedule, no public route. */
@Module({
  imports: [
    ScheduleModule.forRoot(),
    AuditModule,
    InstallationsModule,
    WebhooksModule,
    AlertsModule,
    ErpConnectionsModule,
    ExportsModule,
    PageEventsModule,
    ReconciliationModule,
    ReferenceDataModule,
    ReviewModule,
  ],
  providers: [
    FailedTasks,
    TaskWorker,
    WorkerPresence,
    WorkerRegistry,
    ActivateInstallation,
    HandleNotification,
    PollInstallation,
    WakePolls,
  ],
})
export class WorkerModule implements OnApplicationBootstrap {
  constructor(
    private readonly taskWorker: TaskWorker,
    private readonly workerPresence: WorkerPresence,
  ) {}

  /** @param replacements see `CoreModule` */
  static register(program: ConnectorProgram, replacements: readonly Provider[] = []): DynamicModule {
    return { module: WorkerModule, imports: [CoreModule.register(program, replacements)] };
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.taskWorker.start(TASKS);
    this.workerPresence.start();
  }
}
