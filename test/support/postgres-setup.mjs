// Once per test run: a PostgreSQL (the embedded one, or TEST_DATABASE_URL), and a template database with every program's
// schema, which each test file clones. All of it runs on the built program, which is built here when it is not what the sources say.
import pg from 'pg';
import '../../.tools/build.mjs';
import { serverFolder } from './servers/server-folder.mjs';

const TEMPLATE = 'connector_test_template';

export default async function setUpPostgres() {
  if (globalThis.testTemplateBuilt) {
    return;
  }
  globalThis.testTemplateBuilt = true;
  if (process.env.TEST_DATABASE_URL === undefined) {
    const { EmbeddedPostgres } = await import('../../build/foundation/embedded-postgres/embedded-postgres.js');
    globalThis.testPostgres = await EmbeddedPostgres.start({ folder: serverFolder(), durable: false });
    process.env.TEST_DATABASE_URL = globalThis.testPostgres.url('postgres');
  }
  // `TEST_POOLER=pgbouncer npm run jest -- …`: the connector's transactions go through one.
  if (process.env.TEST_POOLER === 'pgbouncer') {
    const { startPgbouncer } = await import('./pgbouncer/start-pgbouncer.mjs');
    globalThis.testPooler = await startPgbouncer(process.env.TEST_DATABASE_URL);
    process.env.TEST_POOLER_URL = globalThis.testPooler.url;
  }
  // A name of its own per run: two runs on one server must not rebuild each other's template.
  process.env.TEST_TEMPLATE = `${TEMPLATE}_${process.pid}`;
  await buildTemplate(process.env.TEST_DATABASE_URL, process.env.TEST_TEMPLATE);
}

async function buildTemplate(serverUrl, name) {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    await dropLeftovers(client);
    await client.query(`CREATE DATABASE ${pg.escapeIdentifier(name)}`);
    const address = new URL(serverUrl);
    address.pathname = `/${name}`;
    const { migrateAll } = await import('../../build/sandbox/launch/migrate-all.js');
    await migrateAll(address.toString());
    await createQueues(address.toString());
  } finally {
    await client.end();
  }
}

/** As the first start of a program does, which then every application of a test would do again. */
async function createQueues(url) {
  const { openQueue } = await import('../../build/connector/tasks/queue-connection.js');
  const { TASKS } = await import('../../build/connector/task-handlers.js');
  const queue = await openQueue({ url, kinds: TASKS.map(({ kind }) => kind), supervise: false }, () => undefined);
  await queue.stop({ graceful: false });
}

/** Databases of earlier runs that failed were kept for a look; a new run clears those without a connection. */
async function dropLeftovers(client) {
  const { rows } = await client.query(
    `SELECT datname FROM pg_database WHERE (datname LIKE 'connector_test_template%' OR datname ~ '^test_[0-9a-f]{12}$')
       AND NOT EXISTS (SELECT 1 FROM pg_stat_activity WHERE pg_stat_activity.datname = pg_database.datname)
       AND (pg_stat_file('base/' || oid || '/PG_VERSION')).modification < now() - interval '1 hour'`,
  );
  for (const { datname } of rows) {
    await client.query(`DROP DATABASE IF EXISTS ${pg.escapeIdentifier(datname)}`);
  }
}
