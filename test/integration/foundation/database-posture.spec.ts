import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { findLoginProblems, findPostureProblems } from '../../../src/foundation/database/database-posture.js';
import { Database } from '../../../src/foundation/database/database.js';
import { sql } from '../../../src/foundation/database/sql.js';
import { APP_ROLE } from '../../../src/foundation/database/tenant-database.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';

// What production refuses of its database (I40).

let server: TestDatabase;
let admin: pg.Client;
const opened: Database[] = [];
const roles: string[] = [];
/** The tests' own server may be fast instead of safe. */
let ofTheServer: readonly string[];

beforeAll(async () => {
  server = await createTestDatabase();
  admin = new pg.Client({ connectionString: server.url, options: '-c search_path=connector' });
  await admin.connect();
  ofTheServer = [...(await offOf('fsync')), ...(await offOf('full_page_writes'))];
});
afterAll(async () => {
  for (const database of opened) {
    await database.close();
  }
  await admin.end();
  await server.drop();
  await dropRoles();
});

async function offOf(name: string): Promise<readonly string[]> {
  const { rows } = await admin.query<Record<string, string>>(`SHOW ${name}`);
  return rows[0]?.[name] === 'on' ? [] : [`the database: ${name} is off`];
}

async function connect(role?: string, url = server.url, isPooled = false): Promise<Database> {
  const database = await Database.connect({
    url,
    schema: 'connector',
    applicationName: 'posture',
    poolSize: 1,
    isPooled,
    ...(role === undefined ? {} : { role }),
  });
  opened.push(database);
  return database;
}

/** @param before statements in the same transaction */
async function problems(database: Database, ...before: readonly string[]): Promise<readonly string[]> {
  return database.inTransaction('posture', async (tx) => {
    for (const text of before) {
      await tx.execute({ text, values: [] });
    }
    return findPostureProblems(tx);
  });
}

/** @param rights as in CREATE ROLE */
async function newRole(rights = ''): Promise<string> {
  const role = `test_login_${randomBytes(6).toString('hex')}`;
  await admin.query(`CREATE ROLE ${role} LOGIN PASSWORD 'test' ${rights}`);
  roles.push(role);
  return role;
}

/** They belong to the whole server. */
async function dropRoles(): Promise<void> {
  const client = new pg.Client({ connectionString: process.env['TEST_DATABASE_URL'] });
  await client.connect();
  for (const role of roles) {
    await client.query(`DROP ROLE ${role}`);
  }
  await client.end();
}

/** Of a login that works with the weak role, as the programs do. */
async function loginProblems(role: string): Promise<readonly string[]> {
  await admin.query(`GRANT connector_app, connector_scheduler TO ${role}`);
  const url = new URL(server.url);
  [url.username, url.password] = [role, 'test'];
  const database = await connect(APP_ROLE, url.toString());
  expect(await problems(database)).toEqual(ofTheServer);
  return database.inTransaction('login', findLoginProblems);
}

describe('a database login', () => {
  it('that may only assume the roles of the programs is accepted', async () => {
    expect(await loginProblems(await newRole())).toEqual([]);
  });

  it.each([
    ['SUPERUSER', 'the database: the user of the address is a superuser or may become one'],
    ['BYPASSRLS', 'the database: the user of the address may pass row-level security by'],
    ['CREATEROLE', 'the database: the user of the address may make roles'],
  ])('with %s is refused, as is a member of a role with it', async (right, problem) => {
    const strong = await newRole(right);
    expect(await loginProblems(strong)).toEqual([problem]);
    expect(await loginProblems(await newRole(`NOINHERIT IN ROLE ${strong}`))).toEqual([problem]);
  });

  it.each(['TABLE api_token', 'SCHEMA connector'])('that owns %s is refused, as is its member', async (thing) => {
    const { rows } = await admin.query<{ name: string }>('SELECT current_user AS name');
    const owner = await newRole();
    await admin.query(`ALTER ${thing} OWNER TO ${owner}`);
    const problem = 'the database: the user of the address owns the tables or may act as their owner';
    const found = [await loginProblems(owner), await loginProblems(await newRole(`IN ROLE ${owner}`))];
    await admin.query(`ALTER ${thing} OWNER TO ${rows[0]?.name ?? ''}`);
    expect(found).toEqual([[problem], [problem]]);
  });
});

describe('a database', () => {
  it('that is migrated has no problem with the normal connection', async () => {
    expect(await problems(await connect(APP_ROLE))).toEqual(ofTheServer);
  });

  it('behind a pooler has none either, and the next client finds nothing of the previous one', async () => {
    const database = await connect(APP_ROLE, server.url, true);
    expect(await problems(database)).toEqual(ofTheServer);
    const settings = sql`SELECT current_user AS role, current_setting('search_path') AS path`;
    const [own] = await database.inOneStatement('settings', settings);
    expect(own).toEqual({ role: APP_ROLE, path: 'connector' });
    await database.inTransaction('borrow', async (tx) => {
      // As the next borrower has the connection, before it opens its transaction.
      await tx.execute(sql`ROLLBACK`);
      const left = sql`SELECT current_user = session_user AS "isLogin", current_setting('statement_timeout') AS limit`;
      expect(await tx.one(left)).toEqual({ isLogin: true, limit: '0' });
    });
  });

  it.each([
    ['SET LOCAL synchronous_commit = off', 'the database: synchronous_commit is off'],
    ['SET LOCAL statement_timeout = 0', 'the database: statement_timeout is not set for a connection'],
    ['SET LOCAL lock_timeout = 0', 'the database: lock_timeout is not set for a connection'],
    [
      'SET LOCAL idle_in_transaction_session_timeout = 0',
      'the database: idle_in_transaction_session_timeout is not set for a connection',
    ],
  ])('with %s is refused', async (statement, problem) => {
    expect(await problems(await connect(APP_ROLE), statement)).toEqual([...ofTheServer, problem]);
  });

  it('used by its owner is refused', async () => {
    expect(await problems(await connect())).toEqual([
      ...ofTheServer,
      'the database: the role of the application is a superuser',
      'the database: the role of the application passes row-level security by',
      'the database: the role of the application owns tables',
    ]);
  });

  it('with open tables, or with constraints that were never validated, is refused', async () => {
    await admin.query(`ALTER TABLE credential NO FORCE ROW LEVEL SECURITY`);
    await admin.query(`ALTER TABLE api_token DISABLE ROW LEVEL SECURITY`);
    await admin.query(`ALTER TABLE installation NO FORCE ROW LEVEL SECURITY`);
    await admin.query(`CREATE TABLE stray (id integer)`);
    await admin.query(`ALTER TABLE credential ADD CONSTRAINT hasty_ck CHECK (version > 0) NOT VALID`);
    expect(await problems(await connect(APP_ROLE))).toEqual([
      ...ofTheServer,
      'the database: row-level security of "api_token" is not forced',
      'the database: row-level security of "credential" is not forced',
      'the database: row-level security of "installation" is not forced',
      'the database: row-level security of "stray" is not forced',
      'the database: constraint "hasty_ck" is not validated',
    ]);
  });
});
