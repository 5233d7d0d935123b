import { beforeAll, describe, expect, it } from '@jest/globals';
import { cursorSuffix } from '../../../../src/foundation/http/bound-cursors.interceptor.js';
import { startedOnce } from '../../../support/started-once.js';
import { createCompany, entry, group, line, startLedger, type WireEntry, type WirePage } from '../ledger-harness.js';

// The VAT report of a period: by code, tied to the accounts, each number with its lines (B9.8).

const ledger = startedOnce(startLedger);
let company: string;

interface Figures {
  readonly place?: string;
  readonly reverseCharge?: boolean;
  readonly rate?: string;
  readonly deductible?: string;
  /** In base; the same where it is left out. */
  readonly base?: readonly [taxable: number, tax: number];
}

function tax(taxable: number, amount: number, more: Figures = {}): object {
  const { base = [taxable, amount], ...rest } = more;
  return {
    tax: {
      ...{ place: 'input', reverseCharge: false, rate: '0.25', deductible: '1', ...rest },
      ...{ taxableMinor: taxable.toString(), taxMinor: amount.toString() },
      ...{ taxableBaseMinor: base[0].toString(), taxBaseMinor: base[1].toString() },
    },
  };
}

const usd = (accountCode: string, amount: number, base: number, more: object = {}) => ({
  ...{ accountCode, amountMinor: amount.toString(), baseMinor: base.toString() },
  ...more,
});

const post = (...groups: readonly object[]) =>
  ledger.call<{
    readonly outcomes: readonly { readonly outcome: string; readonly code?: string; readonly field?: string }[];
  }>('POST', `/companies/${company}/posting-groups`, { groups });

beforeAll(async () => {
  company = await createCompany(ledger);
  await ledger.call('PUT', `/companies/${company}/tax-codes`, {
    data: [
      { code: 'I25', name: 'Input tax 25 %', rate: '0.25', inputAccountCode: '2641', outputAccountCode: '2614' },
      { code: 'HALF', name: 'Entertaining', rate: '0.25', inputAccountCode: '2641', deductible: '0.5' },
      { code: 'NONE', name: 'Not deductible', rate: '0.25', inputAccountCode: '2641', deductible: '0' },
    ],
  });
  const code = (taxCode: string) => ({ taxCode });
  const { body } = await post(
    // Worked examples 1, 3, 21; a tax of which nothing is deducted; a refund in the next month; 100.00 USD at 0.9.
    group('purchase', {
      entries: [
        entry([
          line('6071', 10_000, code('I25')),
          line('2641', 2_500, { ...code('I25'), ...tax(10_000, 2_500) }),
          line('1935', -12_500),
        ]),
      ],
    }),
    group('reverse', {
      entries: [
        entry([
          line('5410', 100_000, code('I25')),
          line('2641', 25_000, { ...code('I25'), ...tax(100_000, 25_000, { reverseCharge: true }) }),
          line('2614', -25_000, {
            ...code('I25'),
            ...tax(-100_000, -25_000, { reverseCharge: true, place: 'output' }),
          }),
          line('1935', -100_000),
        ]),
      ],
    }),
    group('half', {
      entries: [
        entry([
          line('6071', 9_000, code('HALF')),
          line('2641', 1_000, { ...code('HALF'), ...tax(8_000, 2_000, { deductible: '0.5' }) }),
          line('1935', -10_000),
        ]),
      ],
    }),
    group('none', {
      entries: [
        entry([
          line('6071', 5_000, { ...code('NONE'), ...tax(4_000, 1_000, { place: 'expense', deductible: '0' }) }),
          line('1935', -5_000),
        ]),
      ],
    }),
    group('refund', {
      entries: [
        entry(
          [
            line('1935', 5_000),
            line('6071', -4_000, code('I25')),
            line('2641', -1_000, { ...code('I25'), ...tax(-4_000, -1_000) }),
          ],
          {
            postingDate: '2026-04-01',
          },
        ),
      ],
    }),
    group('dollars', {
      entries: [
        entry([], {
          currency: 'USD',
          lines: [
            usd('5410', 8_000, 7_200, code('I25')),
            usd('2641', 2_000, 1_800, { ...code('I25'), ...tax(8_000, 2_000, { base: [7_200, 1_800] }) }),
            usd('1936', -10_000, -9_000),
          ],
        }),
      ],
    }),
    group('uncoded', { entries: [entry([line('6071', 400), line('2641', 100, tax(400, 100)), line('1935', -500)])] }),
    group('draft', {
      entries: [
        entry([line('6071', 800), line('2641', 200, { ...code('I25'), ...tax(800, 200) }), line('1935', -1_000)], {
          state: 'draft',
        }),
      ],
    }),
  );
  expect(body.outcomes.map(({ outcome }) => outcome)).toEqual(Array(8).fill('created'));
});

interface Report {
  readonly codes: readonly (Readonly<Record<string, string>> & { readonly linesUrl: string })[];
  readonly accounts: readonly (Readonly<Record<string, string>> & { readonly ledgerUrl: string })[];
  readonly total: Readonly<Record<string, string>>;
  readonly control: Readonly<Record<string, string>>;
}

const report = async (query = 'from=2026-03-01&to=2026-03-31') =>
  (await ledger.call<Report>('GET', `/companies/${company}/vat-report?${query}`)).body;

const AMOUNTS = [
  ...['baseMinor', 'taxMinor', 'deductibleMinor', 'nonDeductibleMinor'],
  ...['reverseChargeBaseMinor', 'reverseChargeInputMinor', 'outputBaseMinor', 'outputMinor'],
];
const amounts = (row: Readonly<Record<string, string>>) => AMOUNTS.map((name) => Number(row[name]));

it('shows base, tax, its two parts and both sides of a reverse charge by code', async () => {
  const { codes, total } = await report();
  expect(codes.map((row) => [row['taxCode'], row['name'], row['lines'], ...amounts(row)])).toEqual([
    ['HALF', 'Entertaining', 1, 8_000, 2_000, 1_000, 1_000, 0, 0, 0, 0],
    ['I25', 'Input tax 25 %', 4, 117_200, 29_300, 29_300, 0, 100_000, 25_000, 100_000, 25_000],
    ['NONE', 'Not deductible', 1, 4_000, 1_000, 0, 1_000, 0, 0, 0, 0],
    [null, null, 1, 400, 100, 100, 0, 0, 0, 0, 0],
  ]);
  expect(amounts(total)).toEqual([129_600, 32_400, 30_400, 2_000, 100_000, 25_000, 100_000, 25_000]);
});

it('reconciles with the movement of the tax accounts', async () => {
  const { accounts, control } = await report();
  const short = accounts.map((row) => [
    row['accountCode'],
    row['movementMinor'],
    row['reportedMinor'],
    row['differenceMinor'],
  ]);
  expect(short).toEqual([
    ['2614', '-25000', '-25000', '0'],
    ['2641', '30400', '30400', '0'],
  ]);
  expect(control).toEqual({ movementMinor: '5400', reportedMinor: '5400', differenceMinor: '0' });
});

it('covers the days of its period only, with drafts on request', async () => {
  expect(amounts((await report('from=2026-04-01&to=2026-04-30')).total).slice(0, 3)).toEqual([-4_000, -1_000, -1_000]);
  expect(amounts((await report('from=2026-03-01&to=2026-03-31&state=all')).total).slice(0, 3)).toEqual([
    130_400, 32_600, 30_600,
  ]);
  expect(await report('from=2026-05-01&to=2026-05-31')).toMatchObject({
    codes: [],
    accounts: [],
    control: { differenceMinor: '0' },
  });
});

it('links every number to lines that add up to it, and to their entries', async () => {
  const { codes, accounts } = await report();
  for (const row of codes) {
    const { body } = await ledger.call<WirePage<Readonly<Record<string, string>>>>('GET', row.linesUrl);
    expect(body.data).toHaveLength(Number(row['lines']));
    for (const name of AMOUNTS) {
      expect([name, body.data.reduce((sum, each) => sum + Number(each[name]), 0)]).toEqual([name, Number(row[name])]);
    }
    const found = await ledger.call<WireEntry>('GET', body.data[0]?.['entryUrl'] ?? '');
    expect([found.status, found.body.number]).toEqual([200, body.data[0]?.['number']]);
  }
  for (const { ledgerUrl, accountCode } of accounts) {
    expect((await ledger.call('GET', ledgerUrl)).body).toMatchObject({ accountCode });
  }
});

it('has paged lines', async () => {
  const numbers: unknown[] = [];
  let after = '';
  do {
    const path = `/companies/${company}/vat-report/lines?from=2026-03-01&to=2026-03-31&limit=2${after}`;
    const { body } = await ledger.call<WirePage<Readonly<Record<string, unknown>>>>('GET', path);
    numbers.push(...body.data.map((row) => `${String(row['number'])} ${String(row['lineNo'])}`));
    after = body.nextCursor === null ? '' : `&after=${body.nextCursor}`;
  } while (after !== '');
  expect(numbers).toHaveLength(7);
  expect(new Set(numbers).size).toBe(7);
});

it('is available as a file, with the accounts behind the codes', async () => {
  const path = `/companies/${company}/vat-report?from=2026-03-01&to=2026-03-31`;
  const { text, headers } = await ledger.read(path, { accept: 'text/csv' });
  expect(headers['content-disposition']).toBe('attachment; filename="vat-report-2026-03-01-2026-03-31.csv"');
  const rows = text.split('\r\n');
  expect(rows.map((row) => row.split(',').slice(0, 3).join())).toEqual([
    ...[
      'kind,code,name',
      'code,HALF,Entertaining',
      'code,I25,"Input tax 25 %"',
      'code,NONE,"Not deductible"',
      'code,,',
    ],
    ...['total,,', 'account,2614,"Output tax"', 'account,2641,"Input tax"', 'control,,', ''],
  ]);
  expect(rows[1]).toMatch(/^code,HALF,Entertaining,1,EUR,8000,80\.00,2000,20\.00,1000,10\.00,1000,10\.00,0,0\.00,/);
  const lines = await ledger.read(`${path.replace('?', '/lines?')}&taxCode=HALF&format=csv`);
  expect(lines.text.split('\r\n')).toHaveLength(3);
});

it.each([
  ['from=2026-03-01', '/to'],
  ['from=march&to=2026-03-31', '/from'],
])('%s is a problem', async (query, pointer) => {
  const { status, text } = await ledger.read(`/companies/${company}/vat-report?${query}`);
  expect(status).toBe(400);
  expect(JSON.parse(text)).toMatchObject({ errors: [{ pointer }] });
});

it('refuses a cursor of another list', async () => {
  const path = `/companies/${company}/vat-report/lines`;
  const filter = { from: '2026-03-01', to: '2026-03-31' };
  const query = new URLSearchParams({ ...filter, after: `WyJ4Il0${cursorSuffix(undefined, path, filter)}` });
  expect((await ledger.call('GET', `${path}?${query.toString()}`)).body).toMatchObject({
    status: 400,
    type: expect.stringContaining('invalid-cursor'),
  });
});

it('of an unknown company is not found', async () => {
  const path = '/companies/00000000-0000-4000-8000-000000000000/vat-report?from=2026-03-01&to=2026-03-31';
  expect((await ledger.call('GET', path)).status).toBe(404);
});

describe('after more postings', () => {
  it('names postings to a tax account without tax details, with their account', async () => {
    await post(
      group('by hand', { entries: [entry([line('2641', 70), line('1935', -70)], { postingDate: '2026-06-02' })] }),
    );
    expect(await report('from=2026-06-01&to=2026-06-30')).toMatchObject({
      codes: [],
      accounts: [{ accountCode: '2641', movementMinor: '70', reportedMinor: '0', differenceMinor: '70' }],
      control: { differenceMinor: '70' },
    });
  });

  it('a reversal reverses its tax', async () => {
    await post(
      group('mistake', {
        entries: [
          entry([line('6071', 100), line('2641', 25, { taxCode: 'I25', ...tax(100, 25) }), line('1935', -125)], {
            postingDate: '2026-07-02',
          }),
        ],
      }),
    );
    await ledger.call('POST', `/companies/${company}/posting-groups:reverse`, { keys: ['mistake'] });
    const { total, control } = await report('from=2026-07-01&to=2026-12-31');
    expect(amounts(total)).toEqual(AMOUNTS.map(() => 0));
    expect(control['differenceMinor']).toBe('0');
    expect((await ledger.call('GET', `/companies/${company}/audit-chain`)).body).toMatchObject({ intact: true });
  });

  it.each([
    ['more input tax than tax', line('2641', 30, tax(100, 25)), 'tax_differs'],
    ['input tax on the other side of its tax', line('2641', 30, tax(-100, -30)), 'tax_differs'],
    ['output tax in part', line('2614', 30, tax(200, 50, { place: 'output' })), 'tax_differs'],
    ['another base in the functional currency', line('2641', 30, tax(120, 30, { base: [119, 30] })), 'base_differs'],
  ])('%s is refused', async (_, taxed, code) => {
    const { body } = await post(group('wrong', { entries: [entry([taxed, line('1935', -30)])] }));
    expect(body.outcomes).toMatchObject([{ outcome: 'refused', code, field: '/entries/0/lines/0/tax' }]);
  });
});
