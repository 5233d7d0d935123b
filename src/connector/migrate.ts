// `npm run migrate`: the migration step of a deployment, before the programs of the new version start.
import { createLogger } from '../foundation/logging/logger.js';
import { commandLineOrExit } from '../foundation/config/command-line.js';
import { configOrExit, exitOverConfiguration } from '../foundation/config/config-or-exit.js';
import { readEnvironment } from '../foundation/config/environment.js';
import { UnknownMigrationsError } from '../foundation/database/migrate.js';
import { loadConnectorConfig } from './connector-config.js';
import { explainedRefusal, findDirectUrl } from './database.providers.js';
import { migrateConnector } from './migrate-connector.js';

commandLineOrExit(
  'usage: npm run migrate\nBrings the database that DATABASE_DIRECT_URL or DATABASE_URL names to the schema of this version.',
);
const config = configOrExit(() => loadConnectorConfig(readEnvironment()));
const logger = createLogger('connector-migrate', config.logging);
try {
  logger.info({ done: await migrateConnector(await findDirectUrl(config)) }, 'connector.migrated');
} catch (error) {
  exitOverConfiguration(explainedRefusal(error, config));
  if (!(error instanceof UnknownMigrationsError)) {
    throw error;
  }
  process.stderr.write(
    `${error.message}.\nNothing was changed. Run the version that has built it, or name an empty database.\n`,
  );
  process.exitCode = 1;
}
