import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { administer } from './shared-modules/server-connection.mjs';

export interface TestDatabase {
  /** Address as the migrating user, who may do everything. */
  readonly url: string;
  drop(): Promise<void>;
}

/** A fresh clone of the migrated template. Not dropped (a failed test): it stays for inspection for an hour. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  const template = setting('TEST_TEMPLATE');
  const [copy, original] = [pg.escapeIdentifier(name), pg.escapeIdentifier(template)];
  // Copying files takes half as long as writing each page to the log.
  await administer(`CREATE DATABASE ${copy} TEMPLATE ${original} STRATEGY FILE_COPY`);
  const address = new URL(setting('TEST_DATABASE_URL'));
  address.pathname = `/${name}`;
  return {
    url: address.toString(),
    drop: async () => {
      await administer(`DROP DATABASE IF EXISTS ${pg.escapeIdentifier(name)} WITH (FORCE)`);
    },
  };
}

/** The address that the connector's transactions go to: of the pooler, where the tests run through one. */
export function transactionsOf(url: string): { readonly url: string; readonly isPooled: boolean } {
  const pooler = process.env['TEST_POOLER_URL'];
  if (pooler === undefined) {
    return { url, isPooled: false };
  }
  const address = new URL(pooler);
  address.pathname = new URL(url).pathname;
  return { url: address.href, isPooled: true };
}

/** What a program of the connector is given about its database. */
export function databaseVariables(direct: string): Readonly<Record<string, string>> {
  const { url, isPooled } = transactionsOf(direct);
  return { DATABASE_URL: url, ...(isPooled ? { DATABASE_DIRECT_URL: direct } : {}) };
}

/** A connection as the migrating user, which row-level security does not bind. */
export async function connectAsAdmin(url: string, schema = 'connector'): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, options: `-c search_path=${schema}` });
  await client.connect();
  return client;
}

function setting(name: string): string {
  const value = process.env[name];
  if (value === undefined) {
    throw new Error(`no ${name}: this test belongs to a jest project with postgres-setup`);
  }
  return value;
}
