// The worker process of the connector.
import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { SchedulerRegistry } from '@nestjs/schedule';
import { configOrExit } from '../foundation/config/config-or-exit.js';
import { createLogger } from '../foundation/logging/logger.js';
import { NestLogger } from '../foundation/logging/nest-logger.js';
import { runProgram } from '../foundation/process/run-program.js';
import { AlertsService } from './alerts/alerts.service.js';
import { loadConnectorConfig } from './connector-config.js';
import { startRuntime, type ConnectorRuntime } from './connector-runtime.js';
import { ExportsService } from './exports/exports.service.js';
import { DriftService } from './review/drift.service.js';
import { ReexportsService } from './exports/reexport/reexports.service.js';
import { InDoubtPostingsService } from './exports/in-doubt/in-doubt-postings.service.js';
import { startInternalServer } from './health/internal-server.js';
import { InstallationsService } from './installations/installations.service.js';
import { ReconciliationService } from './reconciliation/reconciliation.service.js';
import { ReferenceDataService } from './reference-data/reference-data.service.js';
import { readinessChecks } from './readiness-checks.js';
import { SCHEDULE } from './schedule.js';
import { taskHandlers } from './task-handlers.js';
import { WebhooksService } from './webhooks/webhooks.service.js';
import { WorkerModule } from './worker.module.js';

const config = configOrExit(() => loadConnectorConfig(process.env));
const logger = createLogger('connector-worker', config.logging);

await runProgram(logger, async () => {
  const runtime = await startRuntime(config, logger, 'worker');
  const app = await NestFactory.createApplicationContext(WorkerModule.register(runtime), {
    logger: new NestLogger(logger),
    abortOnError: false,
  });
  await runtime.tasks.work(
    taskHandlers({
      database: runtime.database,
      tasks: runtime.tasks,
      installations: app.get(InstallationsService),
      webhooks: app.get(WebhooksService),
      exports: app.get(ExportsService),
      referenceData: app.get(ReferenceDataService),
      reconciliation: app.get(ReconciliationService),
      alerts: app.get(AlertsService),
      reexports: app.get(ReexportsService),
      drift: app.get(DriftService),
      inDoubtPostings: app.get(InDoubtPostingsService),
      pollSeconds: config.pollSeconds,
    }),
  );
  startSchedule(app.get(SchedulerRegistry), runtime);
  const internal = await startInternalServer({
    host: config.host,
    port: config.internalPort,
    database: runtime.database,
    clock: runtime.clock,
    checks: readinessChecks(runtime, 'worker'),
  });
  logger.info({ internalPort: config.internalPort }, 'connector.worker_ready');
  return {
    async stop() {
      internal.notReady('stopping');
      await app.close();
      await runtime.close();
      await internal.close();
    },
  };
});

function startSchedule(registry: SchedulerRegistry, { database, tasks }: ConnectorRuntime): void {
  for (const { task, everyMs } of SCHEDULE) {
    const tick = () => {
      database
        .withoutInstallation('schedule', (tx) => tasks.send(tx, task, {}, task.kind))
        .catch((error: unknown) => {
          // The next tick comes by itself; a database that is away is told by readiness.
          logger.warn({ err: error, task: task.kind }, 'schedule.tick_failed');
        });
    };
    registry.addInterval(task.kind, setInterval(tick, everyMs));
    tick();
  }
}
