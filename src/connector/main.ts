// The API process of the connector.
import 'reflect-metadata';
import { createHttpProgram } from '../foundation/http/http-program.js';
import { configOrExit } from '../foundation/config/config-or-exit.js';
import { createLogger } from '../foundation/logging/logger.js';
import { runProgram } from '../foundation/process/run-program.js';
import { AppModule } from './app.module.js';
import { loadConnectorConfig } from './connector-config.js';
import { startRuntime } from './connector-runtime.js';
import { startInternalServer } from './health/internal-server.js';
import { InstallationsService } from './installations/installations.service.js';
import { INTAKE_BEAT_MS } from './schedule.js';

const BODY_LIMIT_BYTES = 256 * 1_024;

const config = configOrExit(() => loadConnectorConfig(process.env));
const logger = createLogger('connector-api', config.logging);

await runProgram(logger, async () => {
  const runtime = await startRuntime(config, logger, 'api');
  const app = await createHttpProgram({
    module: AppModule.register(runtime),
    logger,
    bodyLimit: BODY_LIMIT_BYTES,
    openApi: {
      title: 'ERP export connector',
      description:
        'Administration of one installation, by API token; and of the hosted service, by operator token.',
      path: 'api/docs',
      jsonPath: 'api/openapi.json',
    },
  });
  const internal = await startInternalServer(config.host, config.internalPort, () => runtime.database.ping());
  await app.listen(config.port, config.host);
  const beat = startIntakeBeat(app.get(InstallationsService));
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
function startIntakeBeat(installations: InstallationsService): NodeJS.Timeout {
  const beat = () => {
    installations.noteIntake().catch((error: unknown) => {
      // A database that is away takes no webhook either: the gap it leaves is the truth.
      logger.warn({ err: error }, 'intake.beat_failed');
    });
  };
  beat();
  return setInterval(beat, INTAKE_BEAT_MS);
}
