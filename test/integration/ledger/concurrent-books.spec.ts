import { beforeEach, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { line, startLedger } from './ledger-harness.js';
import { invoice, journal, Payables, payment, purchase, returned, type Outcomes } from './payables.js';
import { startedOnce } from '../../support/started-once.js';

// Numbers and the audit chain hold whatever goes on at the same time, and whatever of it ends in the middle.

const ledger = startedOnce(startLedger);
let books: Payables;

beforeEach(async () => {
  books = await Payables.open(ledger);
});

const reverse = async (...keys: readonly string[]) =>
  (await books.call<Outcomes>('POST', '/posting-groups:reverse', { keys })).body.outcomes;

const lunch = (key: string, options: object = {}) => journal(key, [line('6071', 100), line('1935', -100)], options);

const BROKEN = { ...lunch('broken'), entries: [{ ...firstOf(lunch('broken')), description: '\u0000' }] };

function firstOf(group: object): object {
  return (group as { readonly entries?: readonly object[] }).entries?.[0] ?? {};
}

/** Numbers of each fiscal year in order, from 1. */
async function expectNoGaps(): Promise<number> {
  const rows = await books.rows<[year: string, number: string, place: string]>(`
    SELECT fiscal_year, number, row_number() OVER (PARTITION BY fiscal_year ORDER BY number)
    FROM journal_entry WHERE company_id = $1 AND state = 'posted' ORDER BY fiscal_year, number`);
  expect(rows.filter(([, number, place]) => number !== place)).toEqual([]);
  const last = await books.rows(`
    SELECT year, last_entry_number FROM fiscal_year WHERE company_id = $1 AND last_entry_number <>
      (SELECT count(*) FROM journal_entry entry WHERE entry.company_id = $1 AND state = 'posted' AND entry.fiscal_year = year)`);
  expect(last).toEqual([]);
  return rows.length;
}

/** One chain: positions from 1, each hash over the one before and the content that is there now, every entry in it. */
async function expectOneChain(entries: number): Promise<void> {
  const links = await books.rows<[position: string, place: string, isWhole: string]>(`
    SELECT position, row_number() OVER (ORDER BY position),
      hash = sha256(coalesce(lag(hash) OVER (ORDER BY position), '') || convert_to(content, 'UTF8'))
    FROM audit_link LEFT JOIN entry_content USING (entry_id) WHERE audit_link.company_id = $1 ORDER BY position`);
  expect(links.filter(([position, place, isWhole]) => position !== place || isWhole !== 't')).toEqual([]);
  expect(links).toHaveLength(entries);
}

/** What is open in base is what the vendors' lines add up to. */
async function expectOpenItemsAgree(): Promise<void> {
  const [row] = await books.rows<[string, string]>(`
    SELECT (SELECT coalesce(sum(open_base_minor), 0) FROM open_item WHERE company_id = $1),
      (SELECT coalesce(sum(base_minor), 0) FROM journal_line line JOIN journal_entry entry ON entry.id = line.entry_id
       WHERE entry.company_id = $1 AND vendor_number IS NOT NULL AND state = 'posted')`);
  expect(row?.[0]).toBe(row?.[1]);
}

/** Starts to write an entry past the application, takes a number for it, and ends before the commit. */
async function writeInVain(end: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: ledger.databaseUrl });
  // A terminated session notifies its client.
  client.on('error', () => undefined);
  await client.connect();
  const [group, entry] = [randomUUID(), randomUUID()];
  const { companyId } = books;
  for (const statement of [
    'SET search_path = ledger',
    'SET ROLE ledger_app',
    'BEGIN',
    `SELECT FROM company WHERE id = '${companyId}' FOR NO KEY UPDATE`,
    `UPDATE fiscal_year SET last_entry_number = last_entry_number + 1 WHERE company_id = '${companyId}' AND year = 2026`,
    `INSERT INTO posting_group (id, company_id, key, revision, content_digest) VALUES ('${group}', '${companyId}', '${group}', 1, '')`,
    `INSERT INTO journal_entry (id, company_id, posting_group_id, role, state, number, posted_at, fiscal_year, posting_date,
       currency, description, metadata, line_count)
     SELECT '${entry}', '${companyId}', '${group}', 'entry', 'posted', last_entry_number, now(), 2026, '2026-03-02', 'EUR', '', '{}', 2
     FROM fiscal_year WHERE company_id = '${companyId}' AND year = 2026`,
    `INSERT INTO journal_line (company_id, entry_id, line_no, account_code, amount_minor, base_minor, dimensions)
     VALUES ('${companyId}', '${entry}', 1, '6071', 5, 5, '{}'), ('${companyId}', '${entry}', 2, '1935', -5, -5, '{}')`,
  ]) {
    await client.query(statement);
  }
  await end(client);
  await client.end();
}

const rollBack = (client: pg.Client) => client.query('ROLLBACK');

async function die(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const killer = new pg.Client({ connectionString: ledger.databaseUrl });
  await killer.connect();
  await killer.query('SELECT pg_terminate_backend($1, 10000)', [rows[0]?.pid]);
  await killer.end();
}

it('concurrent reversals create one reversal', async () => {
  const [made] = await books.created(lunch('a'));
  const url = `/journal-entries/${made?.entries?.[0]?.id ?? ''}/reversal`;
  const answers = await Promise.all([
    ...Array.from({ length: 4 }, async () => (await reverse('a'))[0]?.outcome),
    ...Array.from({ length: 4 }, async () => (await books.call('POST', url, {})).status),
  ]);
  const first = answers.filter((answer) => answer === 'reversed' || answer === 200);
  const later = answers.filter((answer) => answer === 'already-reversed' || answer === 409);
  expect([first.length, later.length]).toEqual([1, 7]);
  expect(await books.balances()).toEqual({});
  expect(await expectNoGaps()).toBe(2);
});

it('concurrent payments settle one invoice once', async () => {
  await books.created(invoice('i', 'A-17', 100));
  await Promise.all(
    Array.from({ length: 5 }, (_, index) => books.created(payment(`p${index.toString()}`, ['A-17'], 40))),
  );
  expect(Object.values(await books.open()).reduce((sum, [amount]) => sum + Number(amount), 0)).toBe(100);
  expect(Object.keys(await books.open()).filter((name) => name === 'i invoice')).toEqual([]);
  await expectOpenItemsAgree();
});

it('numbers have no gaps and the chain is unbroken, through posts, reversals, drafts, refusals and crashes', async () => {
  const dollars = (base: number) => ({ currency: 'USD', base, realizedFxAccountCode: '7960' });
  const round = async (nth: number): Promise<void> => {
    const name = (what: string): string => `${what}${nth.toString()}`;
    const number = `U-${nth.toString()}`;
    await books.post(
      lunch(name('lunch')),
      lunch(name('next year'), { postingDate: '2027-02-01' }),
      purchase(name('card'), name('R-'), 500),
      { ...BROKEN, key: name('broken') },
      invoice(name('i'), number, 300, dollars(270)),
    );
    const [draft] = await books.created(payment(name('p'), [number], 300, { state: 'draft', ...dollars(280) }));
    await books.call('POST', '/journal-entries:post', { entryIds: [draft?.entries?.[0]?.id] });
    await writeInVain(nth % 2 === 0 ? rollBack : die);
    await reverse(name('lunch'), name('next year'), name('card'));
    await books.created(returned(name('r'), [number], 300, dollars(290)));
    await reverse(name('p'));
  };
  await Promise.all(Array.from({ length: 6 }, (_, nth) => round(nth + 1)));

  const entries = await expectNoGaps();
  // Per round: 5 at once, the payment and its difference, 4 reversals, the return, the difference taken back and made anew,
  // and for the payment its reversal and that of the difference to its return.
  expect(entries).toBe(6 * 16);
  await expectOneChain(entries);
  await expectOpenItemsAgree();
});
