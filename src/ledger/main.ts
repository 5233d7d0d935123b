import { createLogger } from '../foundation/logging/logger.js';
import { runProgram } from '../foundation/process/run-program.js';
import { loadLedgerConfig } from './ledger-config.js';
import { openLedger } from './ledger-program.js';

const config = loadLedgerConfig(process.env);
const logger = createLogger('ledger', config.logging);

await runProgram(logger, async () => {
  const { app, close } = await openLedger({ ...config, logger });
  await app.listen(config.port, '0.0.0.0');
  logger.info({ port: config.port }, 'ledger.listening');
  return { stop: close };
});
