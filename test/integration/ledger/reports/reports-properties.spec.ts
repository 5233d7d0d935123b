import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createCompany, entry, group, startLedger, type WireOutcome } from '../ledger-harness.js';
import { asOwner, foreign } from './reports-books.js';
import { startedOnce } from '../../../support/started-once.js';

// Whatever is posted, drafted, posted later, settled, reversed and discarded: reports that add up sums kept on the way say
// what the lines say.

const ledger = startedOnce(startLedger);

const DATES = ['2026-02-01', '2026-02-28', '2026-03-01', '2026-03-17', '2026-03-31', '2026-12-31', '2027-01-01'];
const RATES: Readonly<Record<string, number>> = { EUR: 1, USD: 0.9123, JPY: 0.61 };

const anEntry = fc.record({
  currency: fc.constantFrom('EUR', 'USD', 'JPY'),
  date: fc.constantFrom(...DATES),
  state: fc.constantFrom('posted', 'posted', 'draft'),
  kind: fc.constantFrom('entry', 'invoice', 'payment'),
  document: fc.constantFrom('N-1', 'N-2'),
  jitter: fc.integer({ min: 0, max: 9 }),
  parts: fc.array(
    fc.record({
      account: fc.constantFrom('5410', '6071', '1936', '2641'),
      minor: fc.integer({ min: -900, max: 900 }).filter((minor) => minor !== 0),
    }),
    { minLength: 1, maxLength: 4 },
  ),
  later: fc.constantFrom('nothing', 'nothing', 'cancel', 'post'),
});

type Entry = typeof anEntry extends fc.Arbitrary<infer T> ? T : never;

/** The last line takes what is left; what is then left in base is a line of its own. */
function linesOf({ parts, currency, kind, jitter }: Entry): readonly object[] {
  const base = (minor: number, more = 0) =>
    Math.sign(minor) * (Math.floor(Math.abs(minor) * (RATES[currency] ?? 1)) + (currency === 'EUR' ? 0 : more));
  const left = -parts.reduce((sum, { minor }) => sum + minor, 0);
  const amounts = [
    ...parts.map(({ account, minor }) => ({ account, minor, base: base(minor, jitter) })),
    ...(left === 0 ? [] : [{ account: kind === 'entry' ? '1935' : '2440', minor: left, base: base(left) }]),
  ];
  const residue = -amounts.reduce((sum, amount) => sum + amount.base, 0);
  return [
    ...amounts.map((amount) =>
      foreign(amount.account, amount.minor, amount.base, amount.account === '2440' ? { vendorNumber: 'V-7' } : {}),
    ),
    ...(residue === 0 ? [] : [foreign('3960', 0, residue)]),
  ];
}

function groupOf(wanted: Entry, index: number): object {
  const { kind, document, currency, date: postingDate, state } = wanted;
  const settlement = {
    kind: 'settles',
    vendorNumber: 'V-7',
    numbers: [document],
    currency,
    amountMinor: '1',
  };
  return group(`k-${index.toString()}`, {
    entries: [
      entry([], {
        role: kind,
        state,
        postingDate,
        currency,
        lines: linesOf(wanted),
        ...(kind === 'invoice' && { documentNumber: document }),
        ...(kind === 'payment' && { settlement: { ...settlement, realizedFxAccountCode: '3960' } }),
      }),
    ],
  });
}

async function book(entries: readonly Entry[]): Promise<string> {
  const company = await createCompany(ledger);
  const send = async (path: string, body: object) =>
    (await ledger.call<{ readonly outcomes: readonly WireOutcome[] }>('POST', `/companies/${company}/${path}`, body))
      .body.outcomes;
  const outcomes = await send('posting-groups', { groups: entries.map(groupOf) });
  expect(new Set(outcomes.map(({ outcome }) => outcome))).toEqual(new Set(['created']));
  for (const [index, { later, state }] of entries.entries()) {
    const id = outcomes[index]?.entries?.[0]?.id;
    if (later === 'cancel') {
      await send('posting-groups:reverse', { keys: [`k-${index.toString()}`] });
    } else if (later === 'post' && state === 'draft') {
      await send('journal-entries:post', { entryIds: [id] });
    }
  }
  return company;
}

type Row = Readonly<Record<string, string>>;

const read = async <T>(company: string, path: string) =>
  (await ledger.call<T>('GET', `/companies/${company}/${path}`)).body;

/** Sums of the lines, account by account. */
const fromLines = (company: string, date: string, states: string) =>
  asOwner<Row>(
    ledger,
    `SELECT account_code AS "accountCode", currency, sum(greatest(amount_minor, 0))::text AS "debitMinor",
       sum(greatest(-amount_minor, 0))::text AS "creditMinor", sum(amount_minor)::text AS "balanceMinor",
       sum(greatest(base_minor, 0))::text AS "baseDebitMinor", sum(greatest(-base_minor, 0))::text AS "baseCreditMinor",
       sum(base_minor)::text AS "baseBalanceMinor"
     FROM journal_entry entry JOIN journal_line line ON line.entry_id = entry.id
     WHERE entry.company_id = '${company}' AND entry.state IN (${states}) AND posting_date <= '${date}'
     GROUP BY account_code, currency ORDER BY account_code, currency`,
  );

const countOf = async (company: string, date: string, states: string) =>
  asOwner<{ readonly entries: number; readonly vendors: string }>(
    ledger,
    `SELECT count(DISTINCT entry.id)::int AS entries,
       coalesce(sum(base_minor) FILTER (WHERE vendor_number IS NOT NULL AND state = 'posted'), 0)::text AS vendors
     FROM journal_entry entry JOIN journal_line line ON line.entry_id = entry.id
     WHERE entry.company_id = '${company}' AND state IN (${states}) AND posting_date <= '${date}'`,
  );

const COLUMNS = [
  'accountCode',
  'currency',
  'debitMinor',
  'creditMinor',
  'balanceMinor',
  'baseDebitMinor',
  'baseCreditMinor',
  'baseBalanceMinor',
];

async function compareWithLines(company: string, date: string, state: 'posted' | 'all'): Promise<readonly Row[]> {
  const states = state === 'posted' ? `'posted'` : `'posted', 'draft'`;
  const trialBalance = await read<{ readonly entries: number; readonly rows: readonly Row[] }>(
    company,
    `trial-balance?date=${date}&state=${state}`,
  );
  const rows = trialBalance.rows.map((row) => Object.fromEntries(COLUMNS.map((name) => [name, row[name] ?? ''])));
  expect(rows).toEqual(await fromLines(company, date, states));
  const [counted] = await countOf(company, date, states);
  expect(trialBalance.entries).toBe(counted?.entries);
  const ageing = await read<{ readonly baseTotalMinor: string }>(company, `ap-ageing?date=${date}`);
  expect(ageing.baseTotalMinor).toBe(counted?.vendors);
  return rows;
}

interface Ledger {
  readonly data: readonly Row[];
  readonly closing: { readonly currencies: readonly Row[]; readonly baseBalanceMinor: string };
}

/** The ledger of each account closes with the trial balance, and its last line has that balance. */
async function compareLedgers(company: string, rows: readonly Row[], query: string): Promise<void> {
  for (const [account = '', ofAccount] of Map.groupBy(rows, (row) => row['accountCode'])) {
    const { data, closing } = await read<Ledger>(company, `accounts/${account}/ledger?${query}`);
    const expected = ofAccount.map((row) =>
      Object.fromEntries(['currency', 'balanceMinor', 'baseBalanceMinor'].map((name) => [name, row[name]])),
    );
    expect(closing.currencies).toEqual(expected);
    const base = ofAccount.reduce((sum, row) => sum + BigInt(row['baseBalanceMinor'] ?? ''), 0n);
    expect([closing.baseBalanceMinor, data.at(-1)?.['baseBalanceMinor']]).toEqual([base.toString(), base.toString()]);
  }
}

it('balances calculated from the turnover equal those of the lines, on every day', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anEntry, { minLength: 1, maxLength: 12 }), async (entries) => {
      const company = await book(entries);
      for (const date of ['2026-01-31', '2026-02-27', '2026-03-01', '2026-03-30', '2026-03-31', '2026-12-31']) {
        await compareWithLines(company, date, 'posted');
        await compareWithLines(company, date, 'all');
      }
      for (const state of ['posted', 'all'] as const) {
        const rows = await compareWithLines(company, '2027-12-31', state);
        await compareLedgers(company, rows, `state=${state}&to=2027-12-31`);
      }
      expect(await read(company, 'audit-chain')).toMatchObject({ intact: true });
    }),
    { numRuns: 15 },
  );
});
