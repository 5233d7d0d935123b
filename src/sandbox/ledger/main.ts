import { configOrExit } from '../../foundation/config/config-or-exit.js';
import { readEnvironment } from '../../foundation/config/environment.js';
import { createLogger } from '../../foundation/logging/logger.js';
import { runProgram } from '../../foundation/process/run-program.js';
import { loadLedgerConfig } from './ledger-config.js';
import { openLedger } from './ledger-program.js';

const config = configOrExit(() => loadLedgerConfig(readEnvironment()));
const logger = createLogger('ledger', config.logging);

await runProgram(logger, async () => {
  const app = await openLedger(config, logger);
  await app.listen(config.port, config.host);
  logger.info({ port: config.port }, 'ledger.listening');
  return { stop: () => app.close() };
});
