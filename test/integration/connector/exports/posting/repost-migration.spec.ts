import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../../../../support/test-database.js';

// The way back from "reverse and repost", with intents in the table, and from what builds upon it.

const [[REPOST_UP, REPOST_DOWN], [LOST_UP, LOST_DOWN]] = [
  stepsOf('1795265100000-reverse-and-repost'),
  stepsOf('1795265720000-note-lost-entries'),
];
const UP = `${REPOST_UP};${LOST_UP}`;
const DOWN = `${LOST_DOWN};${REPOST_DOWN}`;

let server: TestDatabase;
let admin: pg.Client;

beforeAll(async () => {
  server = await createTestDatabase();
  admin = new pg.Client({ connectionString: server.url, options: '-c search_path=connector' });
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
  await server.drop();
});

function stepsOf(migration: string): readonly [up: string, down: string] {
  const [up = '', down = ''] = readFileSync(`migrations/connector/${migration}.sql`, 'utf8').split(
    '-- migrate:down',
  );
  return [up, down];
}

/** In a transaction that is rolled back. */
async function tried<T>(work: () => Promise<T>): Promise<T> {
  await admin.query('BEGIN');
  try {
    return await work();
  } finally {
    await admin.query('ROLLBACK');
  }
}

async function addIntent(state: 'posted' | 'reversed'): Promise<string> {
  const [installation, job, entry] = [randomUUID(), randomUUID(), randomUUID()];
  await admin.query(
    `INSERT INTO installation (id, platform_company_id, company_name, state, created_at) VALUES ($1, $2, 'Example', 'active', now())`,
    [installation, randomUUID()],
  );
  await admin.query(
    `INSERT INTO mapping_version (installation_id, version, settings, author, created_at) VALUES ($1, 1, '{}', 'test', now())`,
    [installation],
  );
  await admin.query(
    `INSERT INTO export_job (installation_id, id, company_id, state, number_of_items, vendor_based_bookkeeping,
       created_on_platform_at, expires_at, detected_at, next_run_at)
     VALUES ($1, $2, $3, 'running', 1, false, now(), now(), now(), now())`,
    [installation, job, randomUUID()],
  );
  await admin.query(
    `INSERT INTO posting_intent (installation_id, erp_company_id, accounting_entry_id, export_job_id, mapping_version,
       content_digest, plan, fence, state, external_id, created_at)
     VALUES ($1, 'erp-company', $2, $3, 1, 'digest', '[]', 1, $4, 'J-1', now())`,
    [installation, entry, job, state],
  );
  return entry;
}

async function describeTable(): Promise<readonly string[]> {
  const { rows } = await admin.query<{ line: string }>(
    `SELECT column_name || ' ' || data_type AS line FROM information_schema.columns
       WHERE table_schema = 'connector' AND table_name = 'posting_intent'
     UNION ALL SELECT conname || ' ' || pg_get_constraintdef(oid) FROM pg_constraint
       WHERE conrelid = 'connector.posting_intent'::regclass AND contype = 'c'
     UNION ALL SELECT tgname || ' ' || prosrc FROM pg_trigger JOIN pg_proc ON pg_proc.oid = tgfoid
       WHERE tgrelid = 'connector.posting_intent'::regclass AND NOT tgisinternal
     ORDER BY line`,
  );
  return rows.map(({ line }) => line);
}

describe('the migration back', () => {
  it('is refused while an entry is recorded as reversed, which the older program would take for posted', async () => {
    await tried(async () => {
      await addIntent('reversed');
      await expect(admin.query(DOWN)).rejects.toMatchObject({
        code: '23514',
        constraint: expect.stringMatching(/^posting_intent_(state|posted)_ck$/),
      });
    });
  });

  it('leaves nothing of it and keeps what was posted', async () => {
    await tried(async () => {
      const entry = await addIntent('posted');
      await admin.query(DOWN);
      const described = (await describeTable()).join('\n');
      expect(described).not.toContain('revers');
      expect(described).not.toContain('check_revision');
      const change = admin.query(
        `UPDATE posting_intent SET external_id = 'J-2' WHERE accounting_entry_id = $1`,
        [entry],
      );
      await expect(change).rejects.toMatchObject({ constraint: 'posting_intent_posted_is_final_ck' });
    });
  });

  it('and forth again leaves the table as it was', async () => {
    await tried(async () => {
      const before = await describeTable();
      await addIntent('posted');
      await admin.query(DOWN);
      await admin.query(UP);
      expect(await describeTable()).toEqual(before);
    });
  });
});
