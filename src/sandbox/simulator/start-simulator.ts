import { createHttpProgram } from '../../foundation/http/http-program.js';
import type { Logger } from '../../foundation/logging/logger.js';
import { describeOperations } from './http/operation-words.js';
import { simulatorPlugins } from './http/plugins.js';
import { withPlainColons } from './http/request-paths.js';
import type { SimulatorConfig } from './simulator-config.js';
import { SimulatorModule } from './simulator.module.js';
import { EXCEPTION_INFO } from './wire/exception-info.filter.js';

const MAX_BODY_BYTES = 16 * 1_048_576;
const DOCUMENTATION_PATH = '/docs';

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
  const app = await createHttpProgram({
    module: SimulatorModule.register(config, logger),
    logger,
    plugins: (created) => simulatorPlugins(created, DOCUMENTATION_PATH),
    bodyLimit: MAX_BODY_BYTES,
    rewriteUrl: withPlainColons,
    refusals: EXCEPTION_INFO,
    openApi: {
      title: 'Platform simulator',
      description: 'The Integration API of the platform. Further operations for tests and people are at /control/docs.',
      path: DOCUMENTATION_PATH,
      jsonPath: '/openapi.json',
      basicAuth: true,
      complete: describeOperations,
    },
  });
  try {
    await app.listen(config.port, config.host);
    return { url: config.publicUrl, stop: () => app.close() };
  } catch (error) {
    await app.close();
    throw error;
  }
}
