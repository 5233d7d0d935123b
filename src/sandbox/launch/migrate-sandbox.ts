// The migration step of the sandbox in docker-compose.yml: the schemas of the simulator and the ledger.
import { z } from 'zod';
import { configOrExit } from '../../foundation/config/config-or-exit.js';
import { databaseAddress } from '../../foundation/config/database-address.js';
import { readEnvironment } from '../../foundation/config/environment.js';
import { loadConfig } from '../../foundation/config/load-config.js';
import { migrateSandbox } from './migrate-all.js';

const schema = z.object({ DATABASE_URL: z.string('is required'), DATABASE_PASSWORD: z.string().optional() });
const { DATABASE_URL, DATABASE_PASSWORD } = configOrExit(() =>
  loadConfig({ schema, secrets: ['DATABASE_PASSWORD'], prefixes: [] }, readEnvironment()),
);
const done = await migrateSandbox(databaseAddress(DATABASE_URL, DATABASE_PASSWORD));
process.stderr.write(`migrated: ${done.join(', ') || 'nothing to do'}\n`);
