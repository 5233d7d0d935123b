import { describe, expect, it } from '@jest/globals';
import { entryText, headText, type ExportedEntry, type ExportHead } from './beancount-text.js';

const ENTRY: ExportedEntry = {
  id: 'e-1',
  number: '2026-000001',
  key: 'k',
  role: 'entry',
  reverses: null,
  postingDate: '2026-03-02',
  description: 'Café',
  currency: 'USD',
  lines: [
    { account: 'Expenses:A5410', amountMinor: 3003n, baseMinor: 2739n },
    { account: 'Assets:A1936', amountMinor: -3003n, baseMinor: -2740n },
    { account: 'Income:A3960', amountMinor: 0n, baseMinor: 1n },
  ],
};

const postings = (text: string) => text.split('\n').filter((line) => /^ {2}[A-Z]/.test(line));

describe('an entry in another currency', () => {
  it('has its amounts, with their base amounts as total price', () => {
    expect(entryText(ENTRY, 'EUR', 'transaction')).toBe(
      `2026-03-02 * "Café"
  id: "e-1"
  number: "2026-000001"
  key: "k"
  role: "entry"
  Expenses:A5410  30.03 USD @@ 27.39 EUR
  Assets:A1936  -30.03 USD @@ 27.40 EUR
  Income:A3960  0.01 EUR

`,
    );
  });

  it('has only its base amounts in the functional currency', () => {
    expect(postings(entryText(ENTRY, 'EUR', 'functional'))).toEqual([
      '  Expenses:A5410  27.39 EUR',
      '  Assets:A1936  -27.40 EUR',
      '  Income:A3960  0.01 EUR',
    ]);
  });

  it('may be zero in base', () => {
    const lines = [{ account: 'Assets:A1937', amountMinor: -1n, baseMinor: 0n }];
    expect(postings(entryText({ ...ENTRY, currency: 'JPY', lines }, 'EUR', 'transaction'))).toEqual([
      '  Assets:A1937  -1 JPY @@ 0.00 EUR',
    ]);
    expect(postings(entryText({ ...ENTRY, currency: 'JPY', lines }, 'EUR', 'functional'))).toEqual([
      '  Assets:A1937  0.00 EUR',
    ]);
  });
});

it.each(['transaction', 'functional'] as const)('an entry in the functional currency is the same: %s', (amounts) => {
  const lines = [{ account: 'Assets:A1935', amountMinor: -1234n, baseMinor: -1234n }];
  expect(postings(entryText({ ...ENTRY, currency: 'KWD', lines }, 'KWD', amounts))).toEqual([
    '  Assets:A1935  -1.234 KWD',
  ]);
});

it('a reversal names what it reverses', () => {
  expect(entryText({ ...ENTRY, reverses: '2026-000009' }, 'EUR', 'transaction')).toContain(
    '\n  reverses: "2026-000009"\n',
  );
});

it.each([
  ['say "hi"', 'say \\"hi\\"'],
  ['back\\slash', 'back\\\\slash'],
  ['trick\\"', 'trick\\\\\\"'],
  ['a\nb\r\nc\rd', 'a\\nb\\nc\\nd'],
  ['tab\tbell\u0007delete\u007f', 'tab bell delete '],
  ['; no comment', '; no comment'],
])('the text %j stays within its quotes', (description, written) => {
  const [first] = entryText({ ...ENTRY, description }, 'EUR', 'transaction').split('\n');
  expect(first).toBe(`2026-03-02 * "${written}"`);
});

const HEAD: ExportHead = {
  title: 'Nordlys "ApS"',
  functionalCurrency: 'EUR',
  currencies: ['EUR', 'JPY'],
  accounts: [{ account: 'Assets:A1935', name: 'Wallet' }],
  balances: [
    { account: 'Assets:A1935', currency: 'EUR', minor: -12_345n },
    { account: 'Assets:A1935', currency: 'JPY', minor: 1500n },
  ],
  opensOn: '2026-03-02',
  balancesOn: '2026-12-31',
};

it('the header declares accounts and their balances, with one digit more than the currency has', () => {
  expect(headText(HEAD)).toBe(`option "title" "Nordlys \\"ApS\\""
option "operating_currency" "EUR"
option "inferred_tolerance_default" "EUR:0.005"

2026-03-02 commodity EUR
2026-03-02 commodity JPY

2026-03-02 open Assets:A1935
  name: "Wallet"

2026-12-31 balance Assets:A1935  -123.450 EUR
2026-12-31 balance Assets:A1935  1500.0 JPY

`);
});

it.each([
  ['JPY', 'JPY:0.5'],
  ['KWD', 'KWD:0.0005'],
])('the tolerance of %s is half a minor unit', (functionalCurrency, tolerance) => {
  expect(headText({ ...HEAD, functionalCurrency })).toContain(`"inferred_tolerance_default" "${tolerance}"`);
});
