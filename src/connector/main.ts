// The API process of the connector.
import 'reflect-metadata';
import { configOrExit } from '../foundation/config/config-or-exit.js';
import { createLogger } from '../foundation/logging/logger.js';
import { runProgram } from '../foundation/process/run-program.js';
import { loadConnectorConfig } from './connector-config.js';
import { createConnectorHttp } from './connector-http.js';
import { startRuntime } from './connector-runtime.js';
import { startInternalServer } from './health/internal-server.js';
import { InstallationsService } from './installations/installations.service.js';
import { readinessChecks } from './readiness-checks.js';

/** How often the API process records that it takes webhooks. */
const INTAKE_HEARTBEAT_MS = 10_000;

const config = configOrExit(() => loadConnectorConfig(process.env));
const logger = createLogger('connector-api', config.logging);

await runProgram(logger, async () => {
  const runtime = await startRuntime(config, logger, 'api');
  const app = await createConnectorHttp(runtime, config, logger);
  const internal = await startInternalServer({
    host: config.host,
    port: config.internalPort,
    database: runtime.database,
    clock: runtime.clock,
    checks: readinessChecks(runtime, 'api'),
  });
  await app.listen(config.port, config.host);
  const beat = startIntakeHeartbeat(app.get(InstallationsService));
  logger.info(
    { port: config.port, internalPort: config.internalPort, publicUrl: config.publicUrl },
    'connector.api_ready',
  );
  return {
    async stop() {
      internal.notReady('stopping');
      clearInterval(beat);
      await app.close();
      await runtime.close();
      await internal.close();
    },
  };
});

/** Only from here on: before, a webhook would have found nobody. */
function startIntakeHeartbeat(installations: InstallationsService): NodeJS.Timeout {
  const beat = () => {
    installations.recordIntake().catch((error: unknown) => {
      // A database that is away takes no webhook either: the gap it leaves is the truth.
      logger.warn({ err: error }, 'intake.heartbeat_failed');
    });
  };
  beat();
  return setInterval(beat, INTAKE_HEARTBEAT_MS);
}
