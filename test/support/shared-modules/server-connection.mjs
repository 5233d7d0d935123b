// The connection on which databases of tests are made and dropped: one per process instead of one per statement, since to begin a session
// costs the server half as much as a copy. It is kept like the modules that are loaded once per process.
import pg from 'pg';

let connection;
let statements = 0;

/** Runs one statement as the server's administrator. @returns its rows */
export async function administer(statement) {
  connection ??= connect();
  const client = await connection;
  statements += 1;
  client.ref();
  try {
    return (await client.query(statement)).rows;
  } finally {
    statements -= 1;
    // One that waits for the next test file keeps no process alive.
    if (statements === 0) {
      client.unref();
    }
  }
}

/** Ends the connections of all processes of this run, which have ended: the server stops only when it is not used. */
export async function disconnect() {
  await administer(`SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
    WHERE application_name = current_setting('application_name') AND pid <> pg_backend_pid()`);
  const open = connection;
  connection = undefined;
  const client = await open?.catch(() => undefined);
  client?.ref();
  await client?.end();
}

async function connect() {
  const { TEST_DATABASE_URL: connectionString, TEST_TEMPLATE: run } = process.env;
  if (connectionString === undefined) {
    throw new Error('no TEST_DATABASE_URL: this test belongs to a jest project with postgres-setup');
  }
  const client = new pg.Client({ connectionString, application_name: run });
  const forget = () => {
    connection = undefined;
  };
  client.on('error', forget).on('end', forget);
  await client.connect().catch((error) => {
    forget();
    throw error;
  });
  return client;
}
