import { beforeAll, expect, it } from '@jest/globals';
import { startLedger, type WirePage } from '../ledger-harness.js';
import { createBooks } from './reports-books.js';
import { startedOnce } from '../../../support/started-once.js';

const ledger = startedOnce(startLedger);
let company: string;

beforeAll(async () => {
  company = await createBooks(ledger);
});

type Row = Readonly<Record<string, string | null>>;

const balances = async (query: string) =>
  (await ledger.call<WirePage<Row>>('GET', `/companies/${company}/dimension-balances?dimension=CC${query}`)).body;

const short = (rows: readonly Row[]) =>
  rows.map((row) => ['value', 'accountCode', 'currency', 'balanceMinor', 'baseBalanceMinor'].map((name) => row[name]));

it('shows values by account and currency, and lines without a value', async () => {
  const body = await balances('&to=2026-03-10');
  expect(short(body.data)).toEqual([
    [null, '1935', 'EUR', '-12500', '-12500'],
    [null, '1936', 'USD', '-3003', '-2740'],
    [null, '1937', 'JPY', '-1500', '-915'],
    [null, '2440', 'EUR', '-62500', '-62500'],
    [null, '2440', 'USD', '-100000', '-90000'],
    [null, '2641', 'EUR', '2500', '2500'],
    [null, '3960', 'USD', '0', '1'],
    [null, '5410', 'USD', '3003', '2739'],
    [null, '6071', 'EUR', '10000', '10000'],
    ['100', '5410', 'EUR', '62500', '62500'],
    ['100', '5410', 'JPY', '1500', '915'],
    ['100', '5410', 'USD', '100000', '90000'],
  ]);
  expect(body.data.at(-1)).toMatchObject({
    valueName: 'Sales',
    accountName: 'Consumables',
    accountType: 'expense',
    debitMinor: '100000',
    creditMinor: '0',
  });
  expect(body).toMatchObject({ dimension: 'CC', functionalCurrency: 'EUR', from: null, to: '2026-03-10' });
});

it('covers only the requested days, without drafts', async () => {
  expect(short((await balances('&from=2026-03-05&to=2026-03-05')).data)).toEqual([
    [null, '1936', 'USD', '-3003', '-2740'],
    [null, '1937', 'JPY', '-1500', '-915'],
    [null, '3960', 'USD', '0', '1'],
    [null, '5410', 'USD', '3003', '2739'],
    ['100', '5410', 'JPY', '1500', '915'],
  ]);
  expect(short((await balances('&from=2026-03-02&to=2026-03-02')).data)).toContainEqual([
    null,
    '6071',
    'EUR',
    '10000',
    '10000',
  ]);
});

it('is paged', async () => {
  const seen: Row[] = [];
  let after = '';
  do {
    const page = await balances(`&limit=5${after}`);
    seen.push(...page.data);
    after = page.nextCursor === null ? '' : `&after=${page.nextCursor}`;
  } while (after !== '');
  expect(seen).toEqual((await balances('')).data);
  expect(seen.length).toBeGreaterThan(10);
});

it('all rows add up to the trial balance', async () => {
  const { data } = await balances('');
  const { body } = await ledger.call<{ readonly rows: readonly Row[] }>('GET', `/companies/${company}/trial-balance`);
  const sums = (rows: readonly Row[], minor: string) =>
    Object.fromEntries(
      [...Map.groupBy(rows, (row) => `${String(row['accountCode'])} ${String(row['currency'])}`)]
        .map(([key, same]) => [key, same.reduce((sum, row) => sum + BigInt(row[minor] ?? 0), 0n)] as const)
        .toSorted(),
    );
  for (const minor of ['debitMinor', 'creditMinor', 'balanceMinor', 'baseBalanceMinor']) {
    expect(sums(data, minor)).toEqual(sums(body.rows, minor));
  }
});

it.each([
  ['dimension=PROJECT', 404],
  ['', 400],
  ['dimension=CC&from=yesterday', 400],
  ['dimension=CC&after=nonsense', 400],
])('?%s is refused', async (query, status) => {
  expect((await ledger.read(`/companies/${company}/dimension-balances?${query}`)).status).toBe(status);
});
