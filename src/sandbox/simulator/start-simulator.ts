import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Database } from '../../foundation/database/database.js';
import { createHttpProgram } from '../../foundation/http/http-program.js';
import type { Logger } from '../../foundation/logging/logger.js';
import { AuthorizationServer } from './authorization/authorization-server.js';
import { ServerKeyStore } from './authorization/server-key-store.js';
import { keepCookiesForSession } from './authorization/session-cookies.js';
import { BackgroundWork } from './background-work.js';
import { SimulatorClock } from './clock/simulator-clock.js';
import { FailureSwitches } from './failures/failure-switches.js';
import { addHttpHooks, addProviderFailures } from './http-hooks.js';
import { mountOAuth } from './oauth-routes.js';
import { EndInstallation } from './installations/end-installation.js';
import { RequestLog } from './request-log/request-log.js';
import { ResetSimulator } from './reset-simulator.js';
import type { SimulatorConfig } from './simulator-config.js';
import { SimulatorModule } from './simulator.module.js';
import { ExceptionInfoFilter } from './wire/exception-info.filter.js';

const MAX_BODY_BYTES = 16 * 1_048_576;
const CONNECTIONS = 10;

export interface RunningSimulator {
  /** Address that the program serves, as configured. */
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * Starts the simulator on a migrated database and listens.
 * @throws the driver's error when the database cannot be reached; an Error when the port is taken
 */
export async function startSimulator(config: SimulatorConfig, logger: Logger): Promise<RunningSimulator> {
  const database = await Database.connect({
    url: config.databaseUrl,
    schema: 'simulator',
    applicationName: 'simulator',
    poolSize: CONNECTIONS,
  });
  try {
    const app = await createHttpProgram({
      module: SimulatorModule.register(config, database, logger),
      logger,
      bodyLimit: MAX_BODY_BYTES,
      storableTexts: true,
      openApi: {
        title: 'Platform simulator',
        description:
          'The Integration API of the platform. What tests and people need besides is at /control/docs.',
        path: 'docs',
        jsonPath: 'openapi.json',
        basicAuth: true,
      },
    });
    await app.get(ServerKeyStore).load();
    await app.get(ResetSimulator).loadState();
    addRoutes(app, logger);
    await app.listen(config.port, config.host);
    app.get(BackgroundWork).start();
    return { url: config.publicUrl, stop: () => stop(app, database) };
  } catch (error) {
    await database.close();
    throw error;
  }
}

function addRoutes(app: NestFastifyApplication, logger: Logger): void {
  const server = app.get(AuthorizationServer);
  const clock = app.get(SimulatorClock);
  const fastify = app.getHttpAdapter().getInstance();
  server.start();
  server.provider.on('server_error', (_context, error) => {
    logger.error({ err: error }, 'oauth.failed');
  });
  keepCookiesForSession(server.provider);
  addProviderFailures(server.provider, clock);
  addHttpHooks(fastify, {
    clock,
    failures: app.get(FailureSwitches),
    requestLog: app.get(RequestLog),
    background: app.get(BackgroundWork),
    endInstallation: app.get(EndInstallation),
  });
  mountOAuth(fastify, server.provider);
  app.useGlobalFilters(new ExceptionInfoFilter(logger));
}

async function stop(app: NestFastifyApplication, database: Database): Promise<void> {
  await app.get(BackgroundWork).stop();
  await app.close();
  await app.get(RequestLog).settled();
  await database.close();
}
