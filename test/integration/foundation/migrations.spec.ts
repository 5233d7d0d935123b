import { describe, expect, it } from '@jest/globals';
import { readdirSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import {
  migrateDown,
  migrateUp,
  migrationNames,
  UnknownMigrationsError,
} from '../../../src/foundation/database/migrate.js';
import { administer } from '../../../src/foundation/database/server-admin.js';
import { createTestDatabase } from '../../support/test-database.js';
import { startedOnce } from '../../support/started-once.js';

const FOLDER = join(process.cwd(), 'migrations');
const PROGRAMS = ['connector', 'ledger', 'simulator'];

const server = startedOnce(createTestDatabase);

describe.each(PROGRAMS)('migrations of the %s', (schema) => {
  const step = () => ({ url: server.url, schema, folder: join(FOLDER, schema) });

  it('run down to nothing and up again to the same schema', async () => {
    const before = await describeSchema(schema);
    await migrateDown(step());
    expect(await describeSchema(schema)).toEqual([]);
    expect(await migrateUp(step())).toHaveLength(readdirSync(join(FOLDER, schema)).length);
    expect(await describeSchema(schema)).toEqual(before);
    expect(await migrateUp(step())).toEqual([]);
  });

  it('have increasing times in the past', () => {
    const times = readdirSync(join(FOLDER, schema)).map((name) => Number(name.slice(0, 13)));
    expect(times).toEqual([...new Set(times)].sort());
    expect(Math.max(...times)).toBeLessThan(Date.now());
  });
});

it('two processes that migrate at once run one after the other', async () => {
  const step = { url: server.url, schema: 'connector', folder: join(FOLDER, 'connector') };
  await migrateDown(step);
  const [first, second] = await Promise.all([migrateUp(step), migrateUp(step)]);
  expect([first.length, second.length].sort()).toEqual([0, readdirSync(step.folder).length]);
});

describe('a schema with recorded migrations of another program', () => {
  const step = () => ({ url: server.url, schema: 'simulator', folder: join(FOLDER, 'simulator') });
  const record = (statement: string) => administer(server.url, statement);

  it('is refused with their names while files are pending, and stays unchanged', async () => {
    await record(`UPDATE simulator.migration SET name = 'create-everything-1795000000000'`);
    await record(
      `INSERT INTO simulator.migration ("timestamp", name) VALUES (1795000000001, 'and-more-1795000000001')`,
    );
    const before = await describeSchema('simulator');
    const migrating = migrateUp(step());
    await expect(migrating).rejects.toThrow(UnknownMigrationsError);
    await expect(migrating).rejects.toThrow(/schema simulator .*create-everything-1795000000000 and 1 more/);
    expect(await describeSchema('simulator')).toEqual(before);
  });

  it('is refused when a file was changed since it has built the schema', async () => {
    const own = { ...step(), schema: 'own' };
    await migrateUp({ ...own, folder: await migrationThat('CREATE TABLE early ();') });
    const changed = migrateUp({ ...own, folder: await migrationThat('CREATE TABLE early (id bigint);') });
    await expect(changed).rejects.toThrow(/schema own was built by another version of the program: .*\(create-own-/);
  });

  it('is left unchanged when it has all of ours: it is newer', async () => {
    const [name = ''] = await migrationNames(step().folder);
    await record(`UPDATE simulator.migration SET name = '${name}' WHERE name LIKE 'create-everything-%'`);
    expect(await migrateUp(step())).toEqual([]);
  });
});

/** @returns a folder with one migration that does this */
async function migrationThat(up: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'migrations-'));
  await writeFile(join(folder, '1795000000000-create-own.sql'), `-- migrate:up\n${up}\n-- migrate:down\n`);
  return folder;
}

/** Columns, constraints, triggers, policies and grants: what a migration can forget to take back or to make again. */
async function describeSchema(schema: string): Promise<readonly string[]> {
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  try {
    const { rows } = await client.query<{ line: string }>(
      `SELECT 'column ' || table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable AS line
         FROM information_schema.columns WHERE table_schema = $1 AND table_name <> 'migration'
       UNION ALL SELECT 'constraint ' || conname || ' ' || pg_get_constraintdef(oid)
         FROM pg_constraint WHERE connamespace = $1::regnamespace AND conname !~ '^PK_|migration|not_null'
       UNION ALL SELECT 'index ' || indexdef FROM pg_indexes WHERE schemaname = $1 AND tablename <> 'migration'
       UNION ALL SELECT 'trigger ' || tgname || ' ' || pg_get_triggerdef(t.oid) FROM pg_trigger t
         JOIN pg_class c ON c.oid = tgrelid WHERE c.relnamespace = $1::regnamespace AND NOT tgisinternal
       UNION ALL SELECT 'policy ' || tablename || ' ' || policyname || ' ' || roles::text || COALESCE(qual, '')
         FROM pg_policies WHERE schemaname = $1
       UNION ALL SELECT 'grant ' || table_name || ' ' || grantee || ' ' || privilege_type
         FROM information_schema.role_table_grants WHERE table_schema = $1 AND table_name <> 'migration'
       UNION ALL SELECT 'function ' || proname FROM pg_proc WHERE pronamespace = $1::regnamespace
       ORDER BY line`,
      [schema],
    );
    return rows.map((row) => row.line);
  } finally {
    await client.end();
  }
}
