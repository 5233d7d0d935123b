import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { administer, TEMPLATE, withDatabase } from './template-database.js';

export interface TestDatabase {
  /** Address as the migrating user, who may do everything. */
  readonly url: string;
  drop(): Promise<void>;
}

/** A fresh clone of the migrated template. Not dropped (a failed test): it stays for inspection until the next run. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const serverUrl = process.env['TEST_DATABASE_URL'];
  if (serverUrl === undefined) {
    throw new Error('no TEST_DATABASE_URL: this test belongs to a jest project with postgres-setup');
  }
  const name = `test_${randomBytes(6).toString('hex')}`;
  await administer(serverUrl, (client) =>
    client.query(`CREATE DATABASE ${pg.escapeIdentifier(name)} TEMPLATE ${pg.escapeIdentifier(TEMPLATE)}`),
  );
  return {
    url: withDatabase(serverUrl, name),
    drop: () =>
      administer(serverUrl, async (client) => {
        await client.query(`DROP DATABASE IF EXISTS ${pg.escapeIdentifier(name)} WITH (FORCE)`);
      }),
  };
}
