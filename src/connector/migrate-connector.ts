import { join } from 'node:path';
import { migrateUp } from '../foundation/database/migrate.js';
import { PROJECT_ROOT } from '../foundation/process/project-root.js';
import { installQueueSchema } from './tasks/install-queue-schema.js';

/** Folder of the connector's migrations, from the project's root. */
export const CONNECTOR_MIGRATIONS = join(PROJECT_ROOT, 'migrations/connector');

/**
 * Brings the connector's own schema and the queue's to the newest version. A step of its own, never part of a start.
 * @param url address of a user that may create schemas and roles
 * @returns names of the migrations that ran now
 */
export async function migrateConnector(url: string): Promise<readonly string[]> {
  const done = await migrateUp({ url, schema: 'connector', folder: CONNECTOR_MIGRATIONS });
  await installQueueSchema(url);
  return done;
}
