import { beforeAll, expect, it } from '@jest/globals';
import { createCompany, entry, group, line, startLedger, type WireEntry, type WirePage } from '../ledger-harness.js';
import { startedOnce } from '../../../support/started-once.js';

const ledger = startedOnce(startLedger);
let company: string;

beforeAll(async () => {
  company = await createCompany(ledger);
  const usd = [
    { accountCode: '5410', amountMinor: '3003', baseMinor: '2739' },
    { accountCode: '1936', amountMinor: '-3003', baseMinor: '-2740' },
    { accountCode: '3960', amountMinor: '0', baseMinor: '1' },
  ];
  await ledger.call('POST', `/companies/${company}/posting-groups`, {
    groups: [
      group('purchase'),
      group('refund', {
        entries: [
          entry([line('1935', 5_000), line('6071', -4_000), line('2641', -1_000)], {
            postingDate: '2026-04-01',
          }),
        ],
      }),
      group('dollars', { entries: [entry([], { currency: 'USD', lines: usd })] }),
      group('draft', { entries: [entry([line('6071', 700), line('1935', -700)], { state: 'draft' })] }),
    ],
  });
});

interface TrialBalance {
  readonly entries: number;
  readonly rows: readonly Readonly<Record<string, string>>[];
}

const trialBalance = async (query = '') =>
  (await ledger.call<TrialBalance>('GET', `/companies/${company}/trial-balance${query}`)).body;

const COLUMNS = ['accountCode', 'currency', 'debitMinor', 'creditMinor', 'balanceMinor', 'baseBalanceMinor'];

const short = (body: TrialBalance) => body.rows.map((row) => COLUMNS.map((name) => row[name]));

it('shows each account in each currency, and totals that agree', async () => {
  const body = await trialBalance();
  expect(short(body)).toEqual([
    ['1935', 'EUR', '5000', '12500', '-7500', '-7500'],
    ['1936', 'USD', '0', '3003', '-3003', '-2740'],
    ['2641', 'EUR', '2500', '1000', '1500', '1500'],
    ['3960', 'USD', '0', '0', '0', '1'],
    ['5410', 'USD', '3003', '0', '3003', '2739'],
    ['6071', 'EUR', '10000', '4000', '6000', '6000'],
  ]);
  expect(body).toMatchObject({
    date: null,
    state: 'posted',
    entries: 3,
    totals: [
      { currency: 'EUR', debitMinor: '17500', creditMinor: '17500' },
      { currency: 'USD', debitMinor: '3003', creditMinor: '3003' },
    ],
    baseTotal: { currency: 'EUR', debitMinor: '20240', creditMinor: '20240' },
  });
});

it('includes the given day', async () => {
  const body = await trialBalance('?date=2026-03-31');
  expect(body.entries).toBe(2);
  expect(short(body)[0]).toEqual(['1935', 'EUR', '0', '12500', '-12500', '-12500']);
});

it('includes drafts on request', async () => {
  const body = await trialBalance('?state=all');
  expect(body.entries).toBe(4);
  expect(short(body)[0]).toEqual(['1935', 'EUR', '5000', '13200', '-8200', '-8200']);
});

it('is empty before the first entry', async () => {
  expect(await trialBalance('?date=2026-02-28')).toEqual({
    date: '2026-02-28',
    state: 'posted',
    entries: 0,
    rows: [],
    totals: [],
    baseTotal: { currency: 'EUR', debitMinor: '0', creditMinor: '0' },
  });
});

it('journal entries are found by key, day and account', async () => {
  const keysOf = async (query: string) => {
    const path = `/companies/${company}/journal-entries?${query}`;
    return (await ledger.call<WirePage<WireEntry>>('GET', path)).body.data.map((each) => each.key);
  };
  expect(await keysOf('keyPrefix=d')).toEqual(['dollars', 'draft']);
  expect(await keysOf('from=2026-04-01')).toEqual(['refund']);
  expect(await keysOf('account=1936')).toEqual(['dollars']);
  expect(await keysOf('to=2026-03-02&account=1935')).toEqual(['purchase', 'draft']);
});
