// `npm run migrate`: the migration step of a deployment, before the programs of the new version start.
import { createLogger } from '../foundation/logging/logger.js';
import { configOrExit } from '../foundation/config/config-or-exit.js';
import { readEnvironment } from '../foundation/config/environment.js';
import { loadConnectorConfig } from './connector-config.js';
import { embeddedDatabaseUrl } from './database.providers.js';
import { migrateConnector } from './migrate-connector.js';

const config = configOrExit(() => loadConnectorConfig(readEnvironment()));
const logger = createLogger('connector-migrate', config.logging);
const done = await migrateConnector(config.databaseDirectUrl ?? config.databaseUrl ?? (await embeddedDatabaseUrl()));
logger.info({ done }, 'connector.migrated');
