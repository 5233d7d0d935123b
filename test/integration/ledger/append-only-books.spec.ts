import { beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { createCompany, entry, group, line, startLedger } from './ledger-harness.js';
import { startedOnce } from '../../support/started-once.js';

// What the database itself refuses to the role the ledger works as, whatever a program above it does.

const ledger = startedOnce(startLedger);
let company: string;

beforeEach(async () => {
  company = await createCompany(ledger);
});

type Lines = readonly (readonly [account: string, amount: number, base: number])[];

/** Statements that write one entry as the application would, without any check of its own. */
function statements(
  lines: Lines,
  options: { date?: string; key?: string; count?: number; currency?: string; year?: number } = {},
): { readonly entryId: string; readonly sql: readonly string[] } {
  const { date = '2026-03-02', key = 'raw', count = lines.length, currency = 'EUR', year = 2026 } = options;
  const groupId = randomUUID();
  const entryId = randomUUID();
  return {
    entryId,
    sql: [
      `INSERT INTO posting_group (id, company_id, key, revision, content_digest)
       VALUES ('${groupId}', '${company}', '${key}', 1, 'digest')`,
      `INSERT INTO journal_entry (id, company_id, posting_group_id, role, state, fiscal_year, posting_date, currency,
         description, metadata, line_count)
       VALUES ('${entryId}', '${company}', '${groupId}', 'entry', 'draft', ${year.toString()}, '${date}', '${currency}',
         '', '{}', ${count.toString()})`,
      ...(lines.length === 0 ? [] : [lineStatement(entryId, lines)]),
    ],
  };
}

/** All lines in one statement, numbered from `first`. */
function lineStatement(entryId: string, lines: Lines, first = 1, owner = company): string {
  const rows = lines.map(
    ([account, amount, base], index) =>
      `('${owner}', '${entryId}', ${(first + index).toString()}, '${account}', ${amount.toString()}, ${base.toString()}, '{}')`,
  );
  return `INSERT INTO journal_line (company_id, entry_id, line_no, account_code, amount_minor, base_minor, dimensions)
    VALUES ${rows.join(', ')}`;
}

const BALANCED: Lines = [
  ['6071', 100, 100],
  ['1935', -100, -100],
];

async function rejection(work: Promise<unknown>): Promise<{ code: unknown; constraint: unknown }> {
  try {
    await work;
  } catch (error) {
    if (error instanceof pg.DatabaseError) {
      return { code: error.code, constraint: error.constraint };
    }
    throw error;
  }
  throw new Error('the database accepted it');
}

const CHECK_VIOLATION = '23514';
const NOT_ALLOWED = '42501';

describe('an entry', () => {
  it('is accepted when it balances', async () => {
    await ledger.asApp(...statements(BALANCED).sql);
  });

  it('must balance in its currency', async () => {
    const { sql } = statements([
      ['6071', 100, 100],
      ['1935', -99, -100],
    ]);
    expect(await rejection(ledger.asApp(...sql))).toEqual({
      code: CHECK_VIOLATION,
      constraint: 'journal_entry_balance_ck',
    });
  });

  it('must balance in base', async () => {
    const { sql } = statements(
      [
        ['6071', 100, 91],
        ['1936', -100, -92],
      ],
      { currency: 'USD' },
    );
    expect(await rejection(ledger.asApp(...sql))).toEqual({
      code: CHECK_VIOLATION,
      constraint: 'journal_entry_balance_ck',
    });
  });

  it('has at least two lines', async () => {
    const { sql } = statements([['6071', 0, 5]], { count: 1 });
    expect(await rejection(ledger.asApp(...sql))).toEqual({
      code: CHECK_VIOLATION,
      constraint: 'journal_entry_line_count_ck',
    });
  });

  it.each([
    ['one missing', BALANCED, 3],
    ['one too many', [...BALANCED, ['5410', 0, 5], ['5410', 0, -5]] as Lines, 2],
  ] as const)('has as many lines as declared: %s', async (_, lines, count) => {
    const { sql } = statements(lines, { count });
    expect(await rejection(ledger.asApp(...sql))).toEqual({
      code: CHECK_VIOLATION,
      constraint: 'journal_entry_lines_ck',
    });
  });

  it('has its lines numbered without gaps', async () => {
    const { sql, entryId } = statements(BALANCED);
    const gap = [...sql.slice(0, -1), lineStatement(entryId, BALANCED, 2)];
    expect(await rejection(ledger.asApp(...gap))).toEqual({
      code: CHECK_VIOLATION,
      constraint: 'journal_entry_lines_ck',
    });
  });

  it('cannot exist without its lines', async () => {
    const { sql } = statements([], { count: 2 });
    expect(await rejection(ledger.asApp(...sql))).toEqual({
      code: '23503',
      constraint: 'journal_entry_lines_fk',
    });
  });

  it.each(['no entry', 'an entry of another company'])('lines of %s are refused', async (name) => {
    const other = await createCompany(ledger);
    const { sql, entryId } = statements(BALANCED);
    const lines =
      name === 'no entry' ? lineStatement(randomUUID(), BALANCED) : lineStatement(entryId, BALANCED, 1, other);
    expect(await rejection(ledger.asApp(...sql.slice(0, -1), lines))).toEqual({
      code: '23503',
      constraint: 'journal_line_entry_fk',
    });
  });

  it('has no line with both a debit and a credit', async () => {
    const { sql } = statements(
      [
        ['6071', 100, -91],
        ['1936', -100, 91],
      ],
      { currency: 'USD' },
    );
    expect(await rejection(ledger.asApp(...sql))).toEqual({
      code: CHECK_VIOLATION,
      constraint: 'journal_line_one_side_ck',
    });
  });

  const PAIR: Lines = [
    ['6071', 5, 5],
    ['1935', -5, -5],
  ];

  it('accepts no line once it is committed, not even a balanced pair', async () => {
    const { sql, entryId } = statements(BALANCED);
    await ledger.asApp(...sql);
    expect(await rejection(ledger.asApp(lineStatement(entryId, PAIR, 3)))).toEqual({
      code: CHECK_VIOLATION,
      constraint: 'journal_entry_lines_ck',
    });
  });

  it.each([1, 3])('accepts no second statement of lines in its own transaction, from line %d', async (first) => {
    const { sql, entryId } = statements(BALANCED);
    const late = [...sql, 'SET CONSTRAINTS ALL IMMEDIATE', lineStatement(entryId, PAIR, first)];
    expect(await rejection(ledger.asApp(...late))).toEqual(
      first === 1
        ? { code: '23505', constraint: 'journal_line_entry_id_line_no_pk' }
        : { code: CHECK_VIOLATION, constraint: 'journal_entry_lines_ck' },
    );
  });

  it('has no line that is zero in both currencies', async () => {
    const { sql } = statements([...BALANCED, ['5410', 0, 0]]);
    expect(await rejection(ledger.asApp(...sql))).toEqual({
      code: CHECK_VIOLATION,
      constraint: 'journal_line_zero_ck',
    });
  });

  it.each([
    ['a closed period', '2026-01-15', 2026],
    ['no period', '2025-12-31', 2026],
    ['another fiscal year than its period', '2026-03-02', 2027],
  ])('is refused in %s', async (_, date, year) => {
    const { sql } = statements(BALANCED, { date, year });
    expect(await rejection(ledger.asApp(...sql))).toEqual({
      code: CHECK_VIOLATION,
      constraint: 'journal_entry_open_period_ck',
    });
  });

  it('is refused on an inactive account', async () => {
    const { sql } = statements([
      ['9999', 1, 1],
      ['1935', -1, -1],
    ]);
    expect(await rejection(ledger.asApp(...sql))).toEqual({
      code: CHECK_VIOLATION,
      constraint: 'journal_line_account_active_ck',
    });
  });

  it('is refused on an account of another company', async () => {
    const other = await createCompany(ledger);
    await ledger.call('PUT', `/companies/${other}/accounts`, {
      data: [{ code: '7777', name: 'Theirs', type: 'expense' }],
    });
    const { sql } = statements([
      ['7777', 1, 1],
      ['1935', -1, -1],
    ]);
    expect(await rejection(ledger.asApp(...sql))).toEqual({
      code: '23503',
      constraint: 'journal_line_account_code_fk',
    });
  });
});

describe('an idempotency key', () => {
  it('is permanently taken', async () => {
    await ledger.asApp(...statements(BALANCED).sql);
    expect(await rejection(ledger.asApp(...statements(BALANCED).sql))).toEqual({
      code: '23505',
      constraint: 'posting_group_company_id_key_revision_uq',
    });
  });

  it('has a second revision only once the first is cancelled, unless the company’s keys expire', async () => {
    await ledger.call('POST', `/companies/${company}/posting-groups`, { groups: [group('k')] });
    const second = `INSERT INTO posting_group (id, company_id, key, revision, content_digest)
      VALUES ('${randomUUID()}', '${company}', 'k', 2, 'digest')`;
    expect(await rejection(ledger.asApp(second))).toEqual({
      code: '23505',
      constraint: 'posting_group_key_forever_uq',
    });
    await ledger.call('POST', `/companies/${company}/posting-groups:reverse`, { keys: ['k'] });
    await ledger.asApp(second);
  });
});

describe('a committed entry', () => {
  const posted = group('posted');
  const draft = group('draft', { entries: [entry([line('6071', 1), line('1935', -1)], { state: 'draft' })] });

  beforeEach(async () => {
    await ledger.call('POST', `/companies/${company}/posting-groups`, { groups: [posted, draft] });
  });

  const FORBIDDEN = [
    `UPDATE journal_line SET amount_minor = 0`,
    `DELETE FROM journal_line`,
    `TRUNCATE journal_line CASCADE`,
    `UPDATE journal_entry SET description = 'other'`,
    `DELETE FROM journal_entry`,
    `TRUNCATE journal_entry CASCADE`,
    `UPDATE posting_group SET content_digest = 'other'`,
    `DELETE FROM posting_group`,
    `TRUNCATE posting_group CASCADE`,
  ];

  it.each(FORBIDDEN)('cannot be changed: %s', async (statement) => {
    expect(await rejection(ledger.asApp(statement))).toMatchObject({ code: NOT_ALLOWED });
  });

  it.each(FORBIDDEN)('cannot be changed even by the owner: %s', async (statement) => {
    const client = new pg.Client({ connectionString: ledger.databaseUrl });
    await client.connect();
    await client.query('SET search_path = ledger');
    expect(await rejection(client.query(statement))).toMatchObject({
      code: NOT_ALLOWED,
      constraint: expect.stringMatching(/_append_only_ck$/),
    });
    await client.end();
  });

  it('may be posted from draft once, and never reverted', async () => {
    const where = `WHERE company_id = '${company}' AND posting_group_id =
      (SELECT id FROM posting_group WHERE company_id = '${company}' AND key = 'draft')`;
    await ledger.asApp(`UPDATE journal_entry SET state = 'posted', posted_at = now(), number = 2 ${where}`);
    expect(await rejection(ledger.asApp(`UPDATE journal_entry SET number = 3 ${where}`))).toEqual({
      code: NOT_ALLOWED,
      constraint: 'journal_entry_append_only_ck',
    });
    const back = `UPDATE journal_entry SET state = 'draft', posted_at = NULL, number = NULL ${where}`;
    expect(await rejection(ledger.asApp(back))).toMatchObject({ code: NOT_ALLOWED });
  });

  it('cannot be posted from draft into a period that was closed in between', async () => {
    await ledger.call('PUT', `/companies/${company}/periods/2026-02-01/state`, { state: 'closed' });
    const statement = `UPDATE journal_entry SET state = 'posted', posted_at = now(), number = 2
      WHERE company_id = '${company}' AND state = 'draft'`;
    expect(await rejection(ledger.asApp(statement))).toEqual({
      code: CHECK_VIOLATION,
      constraint: 'journal_entry_open_period_ck',
    });
  });

  it.each([
    ['shortened so that entries fall out', { fiscalYear: 2026, to: '2026-03-01' }, 422],
    ['put into another fiscal year', { fiscalYear: 2025, to: '2026-12-31' }, 422],
    ['shortened by days without entries', { fiscalYear: 2026, to: '2026-03-02' }, 204],
  ])('keeps its period consistent when that is %s', async (_, change, status) => {
    const period = { from: '2026-02-01', state: 'open', ...change };
    const answer = await ledger.call('PUT', `/companies/${company}/periods`, { data: [period] });
    expect(answer.status).toBe(status);
  });

  it('has a number of its own', async () => {
    const statement = `UPDATE journal_entry SET state = 'posted', posted_at = now(), number = 1
      WHERE company_id = '${company}' AND state = 'draft'`;
    expect(await rejection(ledger.asApp(statement))).toEqual({
      code: '23505',
      constraint: 'journal_entry_company_id_fiscal_year_number_uq',
    });
  });
});

it('closing a period waits for a posting in progress, and the next posting sees it closed', async () => {
  const client = new pg.Client({ connectionString: ledger.databaseUrl });
  await client.connect();
  await client.query('SET search_path = ledger');
  await client.query('SET ROLE ledger_app');
  await client.query('BEGIN');
  for (const statement of statements(BALANCED).sql) {
    await client.query(statement);
  }

  const order: string[] = [];
  const closing = ledger
    .call('PUT', `/companies/${company}/periods/2026-02-01/state`, { state: 'closed' })
    .then((answer) => order.push(`closed ${answer.status.toString()}`));
  await waitForLock(client);
  order.push('committed');
  await client.query('COMMIT');
  await closing;
  await client.end();

  expect(order).toEqual(['committed', 'closed 204']);
  const late = await ledger.call('POST', `/companies/${company}/posting-groups`, { groups: [group('late')] });
  expect(late.body).toMatchObject({ outcomes: [{ outcome: 'refused', code: 'period_closed' }] });
});

/** Resolves when another session waits for something this one holds. */
async function waitForLock(client: pg.Client): Promise<void> {
  for (;;) {
    const { rowCount } = await client.query(
      'SELECT FROM pg_stat_activity WHERE pg_backend_pid() = ANY (pg_blocking_pids(pid))',
    );
    if (rowCount !== 0) {
      return;
    }
  }
}

it('the role owns nothing and has only the privileges it needs', async () => {
  const client = new pg.Client({ connectionString: ledger.databaseUrl });
  await client.connect();
  const owned = await client.query(
    `SELECT relname FROM pg_class WHERE relowner = 'ledger_app'::regrole AND relnamespace = 'ledger'::regnamespace`,
  );
  const role = await client.query(
    `SELECT rolsuper, rolcanlogin, rolbypassrls FROM pg_roles WHERE rolname = 'ledger_app'`,
  );
  await client.end();
  expect(owned.rows).toEqual([]);
  expect(role.rows).toEqual([{ rolsuper: false, rolcanlogin: false, rolbypassrls: false }]);
});
