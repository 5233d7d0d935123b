// The migration step of the sandbox in docker-compose.yml: the schemas of the simulator and the ledger.
import { readEnvironment } from '../../foundation/config/environment.js';
import { migrateSandbox } from './migrate-all.js';

const url = readEnvironment()['DATABASE_URL'];
if (url === undefined) {
  throw new Error('DATABASE_URL: is required');
}
const done = await migrateSandbox(url);
process.stderr.write(`migrated: ${done.join(', ') || 'nothing to do'}\n`);
