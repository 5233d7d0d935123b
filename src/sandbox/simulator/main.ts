import { configOrExit } from '../../foundation/config/config-or-exit.js';
import { readEnvironment } from '../../foundation/config/environment.js';
import { createLogger } from '../../foundation/logging/logger.js';
import { runProgram } from '../../foundation/process/run-program.js';
import { loadSimulatorConfig } from './simulator-config.js';
import { startSimulator } from './start-simulator.js';

const config = configOrExit(() => loadSimulatorConfig(readEnvironment()));
const logger = createLogger('simulator', config.logging);

await runProgram(logger, async () => {
  const simulator = await startSimulator(config, logger);
  logger.info({ url: simulator.url, control: `${simulator.url}/control/docs` }, 'simulator.ready');
  return simulator;
});
