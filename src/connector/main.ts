// The API process of the connector.
import 'reflect-metadata';
import { configOrExit } from '../foundation/config/config-or-exit.js';
import { readEnvironment } from '../foundation/config/environment.js';
import { createLogger } from '../foundation/logging/logger.js';
import { startTracing } from '../foundation/tracing/start-tracing.js';
import { loadTracingConfig } from '../foundation/tracing/tracing-config.js';
import { runProgram } from '../foundation/process/run-program.js';
import { loadConnectorConfig } from './connector-config.js';
import { createConnectorHttp } from './connector-http.js';
import { assertFilesFolder } from './erp.providers.js';
import { RecordIntake } from './installations/record-intake.js';
import { serveHealth } from './readiness-checks.js';

/** How often the API process records that it takes webhooks. */
const INTAKE_HEARTBEAT_MS = 10_000;

const config = configOrExit(() => loadConnectorConfig(readEnvironment()));
const tracing = configOrExit(() => loadTracingConfig(readEnvironment()));
const logger = createLogger('connector-api', config.logging);

await runProgram(logger, async () => {
  // Only this process closes batches.
  await assertFilesFolder(config);
  const stopTracing = await startTracing(tracing, 'connector-api', logger);
  const program = { config, logger, role: 'api' } as const;
  const app = await createConnectorHttp(program);
  const internal = await serveHealth(app, program);
  await app.listen(config.port, config.host);
  const heartbeat = config.serves.includes('webhooks') ? startIntakeHeartbeat(app.get(RecordIntake)) : undefined;
  logger.info(
    { port: config.port, internalPort: config.internalPort, publicUrl: config.publicUrl, serves: config.serves },
    'connector.api_ready',
  );
  return {
    async stop() {
      internal.notReady('stopping');
      clearInterval(heartbeat);
      await app.close();
      await internal.close();
      await stopTracing();
    },
  };
});

/** Only once the server listens: before, a webhook would not have been taken. */
function startIntakeHeartbeat(recordIntake: RecordIntake): NodeJS.Timeout {
  const beat = () => {
    recordIntake.record().catch((error: unknown) => {
      // While the database is unavailable no webhook is taken either: the gap in the heartbeat is correct.
      logger.warn({ err: error }, 'intake.heartbeat_failed');
    });
  };
  beat();
  return setInterval(beat, INTAKE_HEARTBEAT_MS);
}
