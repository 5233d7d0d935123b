import pg from 'pg';
import { PgBoss } from 'pg-boss';
import { queryTimeouts, TimeoutAwareClient } from '../../foundation/database/timeout-aware-client.js';
import { APP_ROLE } from '../../foundation/database/tenant-database.js';

export const QUEUE_SCHEMA = 'pgboss';

/** A worker that builds the queue again must not wait for ever; another process may hold the lock meanwhile. */
const LIMITS = { ...queryTimeouts(60_000), connectionTimeoutMillis: 5_000 };

/**
 * Creates or upgrades the schema of pg-boss and lets the application's role use it. Everything in it can be rebuilt
 * from our own tables: dropping it loses no work, only wake-ups (ADR 0002). Several processes may call this at once.
 * @param url address of a user that may create schemas
 * @throws the driver's error, SQLSTATE 42501 when the user may not
 */
export async function installQueueSchema(url: string): Promise<void> {
  const client = new TimeoutAwareClient({ connectionString: url, ...LIMITS });
  client.on('error', () => undefined);
  await client.connect();
  try {
    // Grants of two sessions at the same moment would fail one of them. The lock ends with the connection.
    await client.query(`SELECT pg_advisory_lock(hashtext('connector-queue-schema'))`);
    await createSchema(url);
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

async function createSchema(url: string): Promise<void> {
  const boss = new PgBoss({
    connectionString: url,
    schema: QUEUE_SCHEMA,
    max: 2,
    ...LIMITS,
    migrate: true,
    supervise: false,
    schedule: false,
  });
  boss.on('error', () => undefined);
  try {
    await boss.start();
  } finally {
    await boss.stop({ graceful: false });
  }
}
