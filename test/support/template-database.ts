import pg from 'pg';
import { migrateAll } from '../../src/launch/migrate-all.js';

/** Cloned by every test file; rebuilt by every run, because migrations may have changed. */
export const TEMPLATE = 'connector_test_template';

export function withDatabase(url: string, name: string): string {
  const address = new URL(url);
  address.pathname = `/${name}`;
  return address.toString();
}

/** Serialised by an advisory lock: two test runs may share a server. */
export async function buildTemplate(serverUrl: string, name: string): Promise<void> {
  await administer(serverUrl, async (client) => {
    await client.query(`DROP DATABASE IF EXISTS ${pg.escapeIdentifier(name)} WITH (FORCE)`);
    await client.query(`CREATE DATABASE ${pg.escapeIdentifier(name)}`);
    await migrateAll(withDatabase(serverUrl, name));
  });
}

export async function administer<T>(serverUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    await client.query(`SELECT pg_advisory_lock(hashtext('connector-test-databases'))`);
    return await work(client);
  } finally {
    await client.end();
  }
}
