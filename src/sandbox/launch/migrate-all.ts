import { join } from 'node:path';
import { migrateConnector } from '../../connector/migrate-connector.js';
import { migrateUp } from '../../foundation/database/migrate.js';
import { PROJECT_ROOT } from '../../foundation/process/project-root.js';

const MIGRATIONS = join(PROJECT_ROOT, 'migrations');

/**
 * Migrates the schemas of all three programs in one database.
 * @param url address of a user that may create schemas and roles
 * @returns names of the applied migrations
 */
export async function migrateAll(url: string): Promise<readonly string[]> {
  return [...(await migrateConnector(url)), ...(await migrateSandbox(url))];
}

/** As `migrateAll`, for the simulator and the ledger only. */
export async function migrateSandbox(url: string): Promise<readonly string[]> {
  const done: string[] = [];
  for (const schema of ['ledger', 'simulator']) {
    done.push(...(await migrateUp({ url, schema, folder: join(MIGRATIONS, schema) })));
  }
  return done;
}
