import pg from 'pg';
import { PgBoss } from 'pg-boss';
import { APP_ROLE } from '../../foundation/database/tenant-database.js';
import { QUEUE_SCHEMA } from './task-queue.js';

/**
 * Creates or upgrades the schema of pg-boss and lets the application's role use it. Everything in it can be rebuilt
 * from our own tables: dropping it loses no work, only wake-ups (ADR 0002).
 */
export async function installQueueSchema(url: string): Promise<void> {
  const boss = new PgBoss({
    connectionString: url,
    schema: QUEUE_SCHEMA,
    max: 2,
    migrate: true,
    supervise: false,
    schedule: false,
  });
  boss.on('error', () => undefined);
  await boss.start();
  await boss.stop({ graceful: false });
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const schema = pg.escapeIdentifier(QUEUE_SCHEMA);
    const role = pg.escapeIdentifier(APP_ROLE);
    await client.query(`
      GRANT USAGE ON SCHEMA ${schema} TO ${role};
      GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${schema} TO ${role};
      GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA ${schema} TO ${role};
      GRANT USAGE ON ALL SEQUENCES IN SCHEMA ${schema} TO ${role};
    `);
  } finally {
    await client.end();
  }
}
