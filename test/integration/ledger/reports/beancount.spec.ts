import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { currencyDigits } from '../../../../src/kernel/currency.js';
import { ExportBeancount } from '../../../../src/sandbox/ledger/reports/beancount/export-beancount.js';
import { createCompany, entry, group, line, startLedger, type LedgerHarness } from '../ledger-harness.js';
import { createBooks, foreign, post } from './reports-books.js';

let ledger: LedgerHarness;
let company: string;
let folder: string;

beforeAll(async () => {
  ledger = await startLedger();
  company = await createBooks(ledger);
  folder = await mkdtemp(join(tmpdir(), 'beancount-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await ledger.close();
});

type Amounts = 'transaction' | 'functional';

const exported = async (amounts: Amounts, of = company) =>
  (await ledger.read(`/companies/${of}/beancount?amounts=${amounts}`)).text;

/** Minor units by account and currency, sorted. */
type Balances = Readonly<Record<string, bigint>>;

function sumUp(parts: readonly (readonly [key: string, minor: bigint])[]): Balances {
  const sums = new Map<string, bigint>();
  for (const [key, minor] of parts) {
    sums.set(key, (sums.get(key) ?? 0n) + minor);
  }
  return Object.fromEntries([...sums].filter(([, minor]) => minor !== 0n).toSorted());
}

function minorOf(text: string, currency: string): bigint {
  const [whole = '', fraction = ''] = text.split('.');
  expect(fraction).toHaveLength(currencyDigits(currency) ?? -1);
  return BigInt(whole + fraction);
}

const POSTING = /^ {2}[A-Z]\w+:A(\S+) {2}(-?[\d.]+) ([A-Z]{3})(?: @@ ([\d.]+) ([A-Z]{3}))?$/gm;

/** Adds up the postings of a file whose account codes are letters and digits. */
function addUp(text: string): { readonly units: Balances; readonly weights: Balances } {
  const postings = [...text.matchAll(POSTING)].map(([, account = '', number = '', currency = '', price, inBase]) => {
    const minor = minorOf(number, currency);
    const base = price === undefined || inBase === undefined ? undefined : minorOf(price, inBase);
    return { account, currency, minor, weight: base === undefined ? minor : minor < 0n ? -base : base };
  });
  return {
    units: sumUp(postings.map(({ account, currency, minor }) => [`${account} ${currency}`, minor] as const)),
    weights: sumUp(postings.map(({ account, weight }) => [account, weight] as const)),
  };
}

interface TrialBalance {
  readonly rows: readonly {
    readonly accountCode: string;
    readonly currency: string;
    readonly balanceMinor: string;
    readonly baseBalanceMinor: string;
  }[];
}

async function trialBalance(of = company): Promise<{ readonly amounts: Balances; readonly base: Balances }> {
  const { body } = await ledger.call<TrialBalance>('GET', `/companies/${of}/trial-balance`);
  return {
    amounts: sumUp(body.rows.map((row) => [`${row.accountCode} ${row.currency}`, BigInt(row.balanceMinor)] as const)),
    base: sumUp(body.rows.map((row) => [row.accountCode, BigInt(row.baseBalanceMinor)] as const)),
  };
}

const BASE_CURRENCY_ONLY = (balances: Balances) =>
  Object.fromEntries(Object.entries(balances).filter(([key]) => !key.endsWith(' EUR')));

describe('the balances of the export', () => {
  it('are those of the trial balance: weights in base, units in every other currency', async () => {
    const { units, weights } = addUp(await exported('transaction'));
    const { amounts, base } = await trialBalance();
    expect(weights).toEqual(base);
    expect(BASE_CURRENCY_ONLY(units)).toEqual(BASE_CURRENCY_ONLY(amounts));
    // The realized difference and the correction of the payable, and the rounding, are in euros only.
    expect({ payable: units['2440 EUR'], rounding: units['3960 EUR'], realized: units['7960 EUR'] }).toEqual({
      payable: (amounts['2440 EUR'] ?? 0n) - 1850n,
      rounding: 51n,
      realized: 1800n,
    });
  });

  it('are those of the trial balance in base', async () => {
    const { units } = addUp(await exported('functional'));
    const { base } = await trialBalance();
    expect(units).toEqual(Object.fromEntries(Object.entries(base).map(([code, minor]) => [`${code} EUR`, minor])));
  });
});

const isInstalled = spawnSync('bean-check', ['--version']).status === 0;

describe('the export', () => {
  it('is text, one transaction per posted entry', async () => {
    const { headers, text } = await ledger.read(`/companies/${company}/export.beancount`);
    expect(headers).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'content-disposition': 'attachment; filename="books.beancount"',
    });
    expect(text).toBe(await exported('transaction'));
    const { body } = await ledger.call<{ readonly entries: number }>('GET', `/companies/${company}/trial-balance`);
    expect(text.match(/^\d{4}-\d\d-\d\d \* /gm)).toHaveLength(body.entries);
    expect(text).not.toContain('"draft"');
    expect(text).toMatch(/ {2}key: "cancelled"\n {2}role: "reversal"\n {2}reverses: "2026-000004"\n/);
  });

  it('has a transfer between two payable accounts, both with a zero balance', async () => {
    const other = await createCompany(ledger);
    await ledger.call('PUT', `/companies/${other}/accounts`, {
      data: [{ code: '2441', name: 'Payable to subsidiaries', type: 'liability' }],
    });
    const vendor = { vendorNumber: 'V-7' };
    const settlement = { kind: 'settles', vendorNumber: 'V-7', numbers: ['T-1'], currency: 'EUR', amountMinor: '900' };
    const owed = entry([line('5410', 900), line('2440', -900, vendor)], { role: 'invoice', documentNumber: 'T-1' });
    const paid = entry([line('2441', 900, vendor), line('1935', -900)], { role: 'payment', settlement });
    await post(ledger, other, [group('owed', { entries: [owed] }), group('paid', { entries: [paid] })]);
    for (const amounts of ['transaction', 'functional'] as const) {
      const text = await exported(amounts, other);
      expect(text).toMatch(/ {2}key: "paid"\n {2}role: "transfer"\n/);
      expect(addUp(text).weights).toEqual({ '1935': -900n, '5410': 900n });
      expect(isInstalled ? await complaints(text) : '').toBe('');
    }
  });

  it('refuses other amounts', async () => {
    expect((await ledger.read(`/companies/${company}/beancount?amounts=both`)).status).toBe(400);
  });

  it('of an empty book has only its accounts', async () => {
    const empty = await createCompany(ledger);
    expect(await exported('transaction', empty)).toContain('\n1970-01-01 open Liabilities:A2440\n');
  });
});

const withBeancount = isInstalled ? describe : describe.skip;

/** What Beancount has against a file; empty when it accepts it. */
async function complaints(text: string): Promise<string> {
  const file = join(folder, 'books.beancount');
  await writeFile(file, text);
  const { status, stdout, stderr } = spawnSync('bean-check', ['--no-cache', file], { encoding: 'utf8' });
  expect([0, 1]).toContain(status);
  return status === 0 ? '' : `${stdout}${stderr}` || 'refused';
}

withBeancount(isInstalled ? 'bean-check' : 'bean-check (not installed here, so not run)', () => {
  it.each(['transaction', 'functional'] as const)('accepts the book in %s amounts', async (amounts) => {
    expect(await complaints(await exported(amounts))).toBe('');
  });

  it.each<[string, Amounts, RegExp, string]>([
    ['a digit of an amount', 'transaction', / {2}-600\.00 USD/, '  -610.00 USD'],
    ['the last digit of an amount', 'transaction', / {2}600\.00 USD/, '  600.01 USD'],
    ['a digit of a total price', 'transaction', /@@ 27\.39 EUR/, '@@ 27.38 EUR'],
    ['a digit of a line in base only', 'transaction', / {2}18\.00 EUR/, '  19.00 EUR'],
    ['a digit of an amount without digits after the point', 'transaction', / {2}1500 JPY/, '  1501 JPY'],
    ['a digit of an account', 'transaction', / {2}Expenses:A6071 {2}100\.00/, '  Expenses:A5410  100.00'],
    ['a digit of a balance', 'transaction', /(balance Assets:A1936 {2}-?\d+)\.(\d)\d0 USD/, '$1.$290 USD'],
    ['the last digit of a base amount', 'functional', / {2}27\.39 EUR/, '  27.38 EUR'],
    ['a digit of a balance in base', 'functional', /(balance Liabilities:A2440 {2}-\d+)\.500/, '$1.510'],
    [
      'a digit of an amount and of the other line',
      'functional',
      / {2}558\.00 EUR\n {2}Assets:A1936 {2}-558\.00 EUR/,
      '  559.00 EUR\n  Assets:A1936  -559.00 EUR',
    ],
    ['a whole entry', 'functional', /\n2026-03-05 \* [^*]+\n\n/, '\n'],
    ['the end', 'transaction', /\n2026-05-20 \*[\s\S]+$/, '\n'],
  ])('refuses a book with a change in %s', async (_, amounts, original, changed) => {
    const text = await exported(amounts);
    const corrupted = text.replace(original, changed);
    expect(corrupted).not.toBe(text);
    expect(await complaints(corrupted)).not.toBe('');
  });

  it('has the balances of the trial balance', async () => {
    await writeFile(join(folder, 'books.beancount'), await exported('transaction'));
    const query = 'SELECT account, sum(weight) GROUP BY account';
    const { stdout } = spawnSync('bean-query', ['-f', 'csv', join(folder, 'books.beancount'), query], {
      encoding: 'utf8',
    });
    const rows = [...stdout.matchAll(/^\w+:A(\w+)\s*, *(-?[\d.]+) EUR\s*$/gm)];
    const weights = rows.map(
      // Total prices are kept as prices per unit, so weights come back with a rest far behind the last digit.
      ([, account = '', number = '']) => [account, BigInt(Math.round(Number(number) * 100))] as const,
    );
    expect(sumUp(weights)).toEqual((await trialBalance()).base);
  });

  it.each([
    ['JPY', 'USD', 17, 455],
    ['KWD', 'JPY', 3, 1],
  ])('accepts a book in %s with infinite decimal prices', async (functionalCurrency, currency, minor, rate) => {
    const other = await createCompany(ledger, { functionalCurrency });
    const lines = [
      foreign('5410', minor, minor * rate + 1),
      foreign('1936', -minor, -minor * rate),
      foreign('3960', 0, -1),
    ];
    await post(ledger, other, [
      group('foreign', { entries: [entry([], { currency, lines })] }),
      group('left out', { entries: [entry([], { currency, lines, state: 'draft' })] }),
      group('own'),
    ]);
    for (const amounts of ['transaction', 'functional'] as const) {
      const text = await exported(amounts, other);
      expect(await complaints(text)).toBe('');
      expect(addUp(text).weights).toEqual((await trialBalance(other)).base);
      expect(await complaints(text.replace(/(\n {2}Income:A3960 {2}-[\d.]*)1 /, '$12 '))).not.toBe('');
    }
  });

  it('accepts the greatest amounts, and unusual codes, names and texts', async () => {
    const other = await createCompany(ledger, { name: 'Quote " and \\ and\nline' });
    const codes = ['6071-x', '60 71', 'å/ß', '-', '"', '😀', 'a1', 'A1'];
    await ledger.call('PUT', `/companies/${other}/accounts`, {
      data: codes.map((code) => ({ code, name: `name "${code}" \\ \n; x`, type: 'equity' })),
    });
    const great = 999_999_999_999_999_999n;
    const texts = ['say "hi" \\', '\\"', 'a\nb\r\n2026-01-01 open Assets:X', '; * ! "" \t\u0001\u0085\u2028', ''];
    const groups = codes.map((code, index) =>
      group(`key "${code}" \\`, {
        entries: [
          entry([], {
            currency: 'USD',
            description: texts[index % texts.length],
            lines: [
              { accountCode: code, amountMinor: great.toString(), baseMinor: (great - 7n).toString() },
              { accountCode: '1936', amountMinor: (-great).toString(), baseMinor: (-great).toString() },
              { accountCode: '3960', amountMinor: '0', baseMinor: '7' },
            ],
          }),
        ],
      }),
    );
    await post(ledger, other, groups);
    for (const amounts of ['transaction', 'functional'] as const) {
      expect(await complaints(await exported(amounts, other))).toBe('');
    }
  });

  it('accepts a book of several pages, read while entries are posted', async () => {
    const other = await createCompany(ledger);
    const batch = (name: string) => Array.from({ length: 450 }, (_, index) => group(`${name} ${index.toString()}`));
    await post(ledger, other, batch('first'));
    const pieces: string[] = [];
    for await (const piece of await ledger.app.get(ExportBeancount).exportBook(other, 'transaction')) {
      pieces.push(piece);
      const late = entry([line('6071', 1), line('1935', -1)], { postingDate: '2026-02-01' });
      await post(ledger, other, [group(`late ${pieces.length.toString()}`, { entries: [late] })]);
    }
    expect(pieces).toHaveLength(4);
    const text = pieces.join('');
    expect(text.match(/^ {2}key: /gm)).toHaveLength(450);
    expect(text).not.toContain('late');
    expect(await complaints(text)).toBe('');
  });
});
