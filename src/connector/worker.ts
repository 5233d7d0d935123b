// The worker process of the connector.
import 'reflect-metadata';
import { setPriority } from 'node:os';
import { NestFactory } from '@nestjs/core';
import { configOrExit } from '../foundation/config/config-or-exit.js';
import { readEnvironment } from '../foundation/config/environment.js';
import { createLogger } from '../foundation/logging/logger.js';
import { NestLogger } from '../foundation/logging/nest-logger.js';
import { startTracing } from '../foundation/tracing/start-tracing.js';
import { loadTracingConfig } from '../foundation/tracing/tracing-config.js';
import { runProgram } from '../foundation/process/run-program.js';
import { TenantDatabase } from '../foundation/database/tenant-database.js';
import { Clock } from '../kernel/clock.js';
import { HeartbeatWatch } from './health/heartbeat-watch.js';
import { TaskQueue } from './tasks/task-queue.js';
import { loadConnectorConfig } from './connector-config.js';
import { serveHealth } from './readiness-checks.js';
import { WorkerModule } from './worker.module.js';

const config = configOrExit(() => loadConnectorConfig(readEnvironment()));
const tracing = configOrExit(() => loadTracingConfig(readEnvironment()));
const logger = createLogger('connector-worker', config.logging);

/** Nice value. On a machine shared with the API, requests that people wait for have priority: an export has an hour. */
const NICENESS = 5;

try {
  setPriority(NICENESS);
} catch (error) {
  // Not everywhere may a process do so, and it works without.
  logger.info({ err: error }, 'process.priority_refused');
}
await runProgram(logger, async () => {
  const stopTracing = await startTracing(tracing, 'connector-worker', logger);
  const program = { config, logger, role: 'worker' } as const;
  const app = await NestFactory.createApplicationContext(WorkerModule.register(program), {
    logger: new NestLogger(logger),
    abortOnError: false,
  });
  const internal = await serveHealth(app, program);
  const database = app.get(TenantDatabase);
  const tasks = app.get(TaskQueue);
  const watch = new HeartbeatWatch(
    app.get(Clock),
    () => database.ping(),
    () => tasks.lastFetchedAt,
    (reason) => {
      logger.fatal({ err: reason }, 'worker.silent');
      process.exit(1);
    },
  );
  const stopWatching = watch.start();
  logger.info({ internalPort: config.internalPort }, 'connector.worker_ready');
  return {
    async stop() {
      stopWatching();
      internal.notReady('stopping');
      await app.close();
      await internal.close();
      await stopTracing();
    },
  };
});
