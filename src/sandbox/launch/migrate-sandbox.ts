// The migration step of the sandbox in docker-compose.yml: the schemas of the simulator and the ledger.
import { migrateSandbox } from './migrate-all.js';

const url = process.env['DATABASE_URL'];
if (url === undefined) {
  throw new Error('DATABASE_URL: is required');
}
const done = await migrateSandbox(url);
process.stderr.write(`migrated: ${done.join(', ') || 'nothing to do'}\n`);
