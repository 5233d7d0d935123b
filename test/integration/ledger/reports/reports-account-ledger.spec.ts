import { beforeAll, expect, it } from '@jest/globals';
import { cursorSuffix } from '../../../../src/foundation/http/bound-cursors.interceptor.js';
import { entry, group, line, startLedger } from '../ledger-harness.js';
import { createBooks, foreign, post } from './reports-books.js';
import { startedOnce } from '../../../support/started-once.js';

const ledger = startedOnce(startLedger);
let company: string;

beforeAll(async () => {
  company = await createBooks(ledger);
});

interface Balance {
  readonly currencies: readonly Readonly<Record<string, string>>[];
  readonly baseBalanceMinor: string;
}

interface Ledger {
  readonly opening: Balance;
  readonly broughtForward: Balance;
  readonly closing: Balance;
  readonly data: readonly Readonly<Record<string, unknown>>[];
  readonly nextCursor: string | null;
}

const show = async (account: string, query = '', of = company) =>
  (await ledger.call<Ledger>('GET', `/companies/${of}/accounts/${account}/ledger${query}`)).body;

const short = (lines: Ledger['data']) =>
  lines.map((each) =>
    ['postingDate', 'number', 'currency', 'amountMinor', 'balanceMinor', 'baseBalanceMinor'].map((name) => each[name]),
  );

const NOTHING: Balance = { currencies: [], baseBalanceMinor: '0' };

it('shows every line with the balance after it, per currency and in base', async () => {
  const body = await show('5410');
  expect(short(body.data)).toEqual([
    ['2026-03-03', '2026-000005', 'EUR', '62500', '62500', '62500'],
    ['2026-03-05', '2026-000002', 'USD', '3003', '3003', '65239'],
    ['2026-03-05', '2026-000003', 'JPY', '1500', '1500', '66154'],
    ['2026-03-10', '2026-000006', 'USD', '100000', '103003', '156154'],
  ]);
  expect(body).toMatchObject({
    accountCode: '5410',
    accountName: 'Consumables',
    accountType: 'expense',
    functionalCurrency: 'EUR',
    from: null,
    to: null,
    state: 'posted',
    nextCursor: null,
    opening: NOTHING,
    broughtForward: NOTHING,
    closing: {
      currencies: [
        { currency: 'EUR', balanceMinor: '62500', baseBalanceMinor: '62500' },
        { currency: 'JPY', balanceMinor: '1500', baseBalanceMinor: '915' },
        { currency: 'USD', balanceMinor: '103003', baseBalanceMinor: '92739' },
      ],
      baseBalanceMinor: '156154',
    },
  });
});

it('shows the references of a line', async () => {
  const { data } = await show('2440', '?from=2026-03-10&to=2026-03-10');
  expect(data).toEqual([
    {
      postingDate: '2026-03-10',
      entryId: expect.any(String),
      number: '2026-000006',
      lineNo: 2,
      state: 'posted',
      role: 'invoice',
      documentDate: '2026-03-09',
      documentNumber: 'A-17',
      description: 'Café Olé',
      counterAccounts: ['5410'],
      vendorNumber: 'V-7',
      vendorName: 'Papier GmbH',
      employee: null,
      currency: 'USD',
      amountMinor: '-100000',
      baseMinor: '-90000',
      balanceMinor: '-100000',
      baseBalanceMinor: '-152500',
    },
  ]);
});

it('starts with the opening balance', async () => {
  const body = await show('2440', '?from=2026-04-01&to=2026-04-15');
  const before: Balance = {
    currencies: [
      { currency: 'EUR', balanceMinor: '-62500', baseBalanceMinor: '-62500' },
      { currency: 'USD', balanceMinor: '-100000', baseBalanceMinor: '-90000' },
    ],
    baseBalanceMinor: '-152500',
  };
  expect(body).toMatchObject({ opening: before, broughtForward: before });
  // The payment, and the line that takes the realized difference out of the payable.
  expect(short(body.data)).toEqual([
    ['2026-04-15', '2026-000007', 'USD', '60000', '-40000', '-96700'],
    ['2026-04-15', '2026-000010', 'USD', '0', '-40000', '-98500'],
  ]);
  expect(body.closing.baseBalanceMinor).toBe('-98500');
});

it('shows reversed lines and their reversals', async () => {
  const { data } = await show('6071', '?from=2026-03-20&to=2026-03-20');
  expect(data.map((each) => [each['role'], each['state'], each['balanceMinor']])).toEqual([
    ['entry', 'reversed', '10333'],
    ['reversal', 'posted', '10000'],
  ]);
});

it('shows drafts at the end of their day on request', async () => {
  const numbersOf = async (query: string) =>
    (await show('6071', query)).data.map((each) => [each['number'], each['balanceMinor']]);
  expect(await numbersOf('?to=2026-03-02')).toEqual([['2026-000001', '10000']]);
  expect(await numbersOf('?state=all&to=2026-03-20')).toEqual([
    ['2026-000001', '10000'],
    [null, '10700'],
    ['2026-000004', '11033'],
    [expect.any(String), '10700'],
  ]);
});

it('an account without lines is empty', async () => {
  expect(await show('9999')).toMatchObject({
    opening: NOTHING,
    closing: NOTHING,
    data: [],
    nextCursor: null,
  });
});

it.each([
  ['/accounts/4711/ledger', 404],
  ['/accounts/%00/ledger', 404],
  ['/accounts/5410/ledger?from=2026-02-30', 400],
  ['/accounts/5410/ledger?state=draft', 400],
  ['/accounts/5410/ledger?limit=0', 400],
  ['/accounts/5410/ledger?color=red', 400],
])('%s is refused', async (path, status) => {
  const answer = await ledger.read(`/companies/${company}${path}`);
  expect(answer.status).toBe(status);
});

it.each([
  ['x', '1', '00000000-0000-0000-0000-000000000000', '1'],
  ['2026-03-02', '-1', '00000000-0000-0000-0000-000000000000', '1'],
  ['2026-03-02', '9223372036854775808', '00000000-0000-0000-0000-000000000000', '1'],
  ['2026-03-02', '1', 'x', '1'],
  ['2026-03-02', '1', '00000000-0000-0000-0000-000000000000', '9999999999'],
  ['2026-03-02'],
])('a cursor of %s is refused', async (...position) => {
  const path = `/companies/${company}/accounts/5410/ledger`;
  const cursor = Buffer.from(JSON.stringify(position)).toString('base64url') + cursorSuffix(undefined, path, {});
  expect((await ledger.read(`${path}?after=${cursor}`)).status).toBe(400);
});

it('is the same for any page size, with correct balances', async () => {
  const many = await createBooks(ledger);
  const dates = ['2026-03-02', '2026-03-05', '2026-03-31', '2026-04-01', '2026-12-31', '2027-01-01'];
  const groups = Array.from({ length: 30 }, (_, index) => {
    const minor = (index * 37) % 23;
    const common = {
      postingDate: dates[index % dates.length],
      state: index % 7 === 0 ? 'draft' : 'posted',
    };
    const lines =
      index % 3 === 0
        ? [line('5410', 40 + minor), line('5410', -3), line('1935', -37 - minor)]
        : [foreign('5410', 50 + minor, 41 + minor), foreign('5410', 0, 2), foreign('1936', -50 - minor, -43 - minor)];
    const currency = index % 3 === 0 ? 'EUR' : 'USD';
    return group(`many-${index.toString()}`, { entries: [entry([], { ...common, currency, lines })] });
  });
  await post(ledger, many, groups);

  for (const state of ['posted', 'all']) {
    const whole = await show('5410', `?state=${state}&from=2026-03-05&to=2026-12-31`, many);
    expect(whole.data.length).toBeGreaterThan(30);
    for (const limit of [1, 2, 7]) {
      const lines: Readonly<Record<string, unknown>>[] = [];
      let after = '';
      do {
        const page = await show(
          '5410',
          `?state=${state}&from=2026-03-05&to=2026-12-31&limit=${limit.toString()}${after}`,
          many,
        );
        expect(page).toMatchObject({ opening: whole.opening, closing: whole.closing });
        expect(page.broughtForward.baseBalanceMinor).toBe(
          lines.at(-1)?.['baseBalanceMinor'] ?? whole.opening.baseBalanceMinor,
        );
        lines.push(...page.data);
        after = page.nextCursor === null ? '' : `&after=${page.nextCursor}`;
      } while (after !== '');
      expect(lines).toEqual(whole.data);
    }
    expect(whole.data.at(-1)?.['baseBalanceMinor']).toBe(whole.closing.baseBalanceMinor);
  }
});
