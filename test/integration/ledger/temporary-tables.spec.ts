import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { createCompany, startLedger, type LedgerHarness } from './ledger-harness.js';

// A session of the application may make temporary tables: none of them takes the place of the books' own.

let ledger: LedgerHarness;
let company: string;
let owner: pg.Client;

beforeAll(async () => {
  ledger = await startLedger();
  company = await createCompany(ledger);
  owner = new pg.Client({ connectionString: ledger.databaseUrl, options: '-c search_path=ledger' });
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
  await ledger.close();
});

async function rows<Row extends object>(text: string, values: readonly string[] = []): Promise<readonly Row[]> {
  return (await owner.query<Row>(text, [...values])).rows;
}

/** A temporary table of the same name and form for each of the books' own, which every role may use. */
async function decoys(): Promise<readonly string[]> {
  const tables = await rows<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'ledger'::regnamespace AND relkind = 'r'
       AND has_table_privilege('ledger_app', oid, 'SELECT')`,
  );
  expect(tables.length).toBeGreaterThan(10);
  return tables.flatMap(({ name }) => [
    `CREATE TEMPORARY TABLE ${name} (LIKE ledger.${name} INCLUDING ALL) ON COMMIT DROP`,
    `GRANT ALL ON pg_temp.${name} TO PUBLIC`,
  ]);
}

/** An entry of one debit and one credit, written by its full names. */
function entryOf(debit: number, credit: number): { readonly id: string; readonly sql: readonly string[] } {
  const [group, id] = [randomUUID(), randomUUID()];
  return {
    id,
    sql: [
      `INSERT INTO ledger.posting_group (id, company_id, key, revision, content_digest)
       VALUES ('${group}', '${company}', '${group}', 1, 'digest')`,
      `INSERT INTO ledger.journal_entry (id, company_id, posting_group_id, role, state, number, posted_at, fiscal_year,
         posting_date, currency, description, metadata, line_count)
       VALUES ('${id}', '${company}', '${group}', 'entry', 'posted', ${(debit + 1_000).toString()}, now(), 2026,
         '2026-03-02', 'EUR', '', '{}', 2)`,
      `INSERT INTO ledger.journal_line (company_id, entry_id, line_no, account_code, amount_minor, base_minor, dimensions)
       VALUES ('${company}', '${id}', 1, '6071', ${debit.toString()}, ${debit.toString()}, '{}'),
              ('${company}', '${id}', 2, '1935', -${credit.toString()}, -${credit.toString()}, '{}')`,
    ],
  };
}

describe('a temporary table', () => {
  it('cannot receive what triggers write for the books', async () => {
    const { id, sql } = entryOf(100, 100);
    await ledger.asApp(...(await decoys()), ...sql);
    expect(await rows('SELECT FROM audit_link WHERE entry_id = $1', [id])).toHaveLength(1);
    const turnover = await rows<{ sum: string }>(
      `SELECT sum(debit_minor)::text AS sum FROM account_turnover
       WHERE company_id = $1 AND account_code = '6071' AND grain = 'day'`,
      [company],
    );
    expect(turnover).toEqual([{ sum: '100' }]);
    const counted = await rows<{ entries: string }>(
      `SELECT entries::text FROM entry_count WHERE company_id = $1 AND grain = 'day'`,
      [company],
    );
    expect(counted).toEqual([{ entries: '1' }]);
  });

  it('cannot be read by a check in place of the real table', async () => {
    const wrong = ledger.asApp(...(await decoys()), ...entryOf(200, 199).sql);
    await expect(wrong).rejects.toMatchObject({ constraint: 'journal_entry_balance_ck' });
  });
});

describe('functions with an explicit search path', () => {
  it('search temporary tables last', async () => {
    const found = await rows<{ name: string; isOwners: boolean; path: string }>(
      `SELECT proname AS name, prosecdef AS "isOwners", setting AS path
       FROM pg_proc LEFT JOIN LATERAL unnest(proconfig) AS setting ON setting LIKE 'search_path=%'
       WHERE pronamespace = 'ledger'::regnamespace AND (prosecdef OR setting IS NOT NULL) ORDER BY 1`,
    );
    expect(found.filter(({ isOwners }) => isOwners).map(({ name }) => name)).toEqual([
      'add_turnover',
      'apply_settlements',
      'chain_entries',
      'count_entries',
      'open_items_of_entries',
    ]);
    expect(found.filter(({ path }) => path !== 'search_path=ledger, pg_temp')).toEqual([]);
  });
});
