import { describe, expect, it } from '@jest/globals';
import { toErpAccountId } from '../../../kernel/ids.js';
import { Findings } from '../item/findings.js';
import { contextWith, currency, day, itemOf, post, vendor } from '../item/planning.fixtures.js';
import { divideLines } from './divide-lines.js';
import type { EntryForm } from './entry-forms.js';
import { shapeEntries } from './entry-shapes.js';
import { writeEntries } from './write-entry.js';

const setting = (code: string, name: string) => ({
  id: `acc-${code}`,
  code,
  decision: { by: 'setting', setting: name },
});

describe('a whole plan', () => {
  const common = {
    state: 'draft',
    postingDate: '2026-02-10',
    functionalCurrency: 'EUR',
    description: '',
    reference: 'R-1',
    mappingVersion: 4,
    plannerVersion: 4,
  };

  it('of a purchase says nothing beyond what it has', () => {
    const own = { id: 'acc-5410', code: '5410', decision: { by: 'code' } };
    expect(post(itemOf({ type: 'card_purchase', amount: '1000' }))).toStrictEqual({
      outcome: 'post',
      entries: [
        {
          ...common,
          role: 'entry',
          currency: 'EUR',
          lines: [
            { source: 1, account: own, amountMinor: 1000n, baseMinor: 1000n, dimensions: [] },
            { account: setting('1935', 'Wallet (EUR)'), amountMinor: -1000n, baseMinor: -1000n, dimensions: [] },
          ],
          information: { supplierAmount: { currency: 'EUR', value: '1000' } },
        },
      ],
      warnings: [],
    });
  });

  it('of a payment in foreign currency has its rate, its document and what it settles', () => {
    const item = itemOf({
      type: 'invoice_payment',
      amount: '1000',
      currency: 'USD',
      contra: '1936',
      method: 'accounts_payable',
      vendor: 'V-7',
      invoice: { invoiceNumber: ' A-1 ', invoiceDate: '2026-02-01', dueDate: '2026-03-01' },
      servicePeriod: { from: '2026-01-01', to: '2026-12-31' },
    });
    const owner = { id: 'erp-V-7', code: 'V-7' };
    const wallet = { id: 'acc-1936', code: '1936', decision: { by: 'contra-account' } };
    const payables = setting('2440', 'Accounts payable');
    expect(post(item)).toStrictEqual({
      outcome: 'post',
      entries: [
        {
          ...common,
          role: 'payment',
          documentDate: '2026-02-01',
          documentNumber: 'A-1',
          currency: 'USD',
          rate: '0.9123',
          lines: [
            { account: payables, vendor: owner, amountMinor: 1000n, baseMinor: 912n, dimensions: [] },
            { account: wallet, amountMinor: -1000n, baseMinor: -912n, dimensions: [] },
          ],
          description: 'Vendor V-7',
          settlement: {
            kind: 'settles',
            vendor: owner,
            numbers: ['A-1'],
            currency: 'USD',
            amountMinor: 1000n,
            realizedFx: setting('7960', 'Realized FX gain/loss'),
          },
          information: {
            supplierAmount: { currency: 'USD', value: '1000' },
            servicePeriod: { from: '2026-01-01', to: '2026-12-31' },
          },
        },
      ],
      warnings: [],
    });
  });
});

it('an entry without a reconciliation id has an empty reference', () => {
  const plan = post(itemOf({ type: 'card_purchase', amount: '1000', reconciliationId: ' ' }));
  expect(plan.entries.map(({ reference }) => reference)).toStrictEqual(['']);
});

describe('the parts of an entry', () => {
  const owner = { id: vendor('V-7').id, code: 'V-7' };
  const account = { id: toErpAccountId('acc-2440'), code: '2440', decision: { by: 'code' as const } };
  const lineOf = (amountMinor: bigint, more: object = {}) => ({
    account,
    amountMinor,
    baseMinor: amountMinor,
    dimensions: [],
    ...more,
  });
  const EUR = currency('EUR');
  const header = {
    dates: { postingDate: day('2026-02-10') },
    invoiceDates: {},
    currency: EUR,
    rate: { coefficient: 1n, scale: 0 },
  };
  const shape = { role: 'invoice', debit: 'lines', credit: 'payables', vendor: vendor('V-7') } as const;

  it.each([
    [1n, [5n, 2n]],
    [-1n, [5n, 2n]],
  ])('are numbered and settle what each has on the vendor, here with the sign %s', (sign, settled) => {
    const parts = [5n, 2n].map((minor) => [lineOf(sign * minor, { vendor: owner }), lineOf(-sign * minor)]);
    const settlement = { kind: 'settles', vendor: owner, numbers: ['A-1'], currency: EUR, amountMinor: 7n } as const;
    const item = itemOf({ type: 'invoice', amount: '7' });
    const entries = writeEntries(item, { shape, lines: [], settlement }, parts, header, contextWith());
    expect(entries.map((entry) => [entry.part, entry.settlement])).toStrictEqual(
      settled.map((amountMinor, index) => [index + 1, { ...settlement, amountMinor }]),
    );
  });

  it('have no settlement where the entry has none', () => {
    const entries = writeEntries(
      itemOf({ type: 'invoice', amount: '7' }),
      { shape, lines: [] },
      [[], []],
      header,
      contextWith(),
    );
    expect(entries.map((entry) => [entry.part, 'settlement' in entry])).toStrictEqual([
      [1, false],
      [2, false],
    ]);
  });
});

describe('the shape of entries', () => {
  const form: EntryForm = { debit: 'lines', credit: 'wallet', sign: 'meaning', payable: 'document-and-payment' };
  const owner = vendor('V-7');
  const shaped = (
    changes: Partial<EntryForm>,
    kind: 'journal' | 'payable' | 'payable-without-vendor' | 'undecided' = 'payable',
    item = itemOf({ type: 'card_purchase', amount: '1000' }),
  ) => {
    const treatment = kind === 'payable' ? { kind, vendor: owner } : { kind };
    return shapeEntries(item, { ...form, ...changes }, treatment, 1000n, new Findings());
  };

  it('is none where the treatment is undecided', () => {
    expect(shaped({}, 'undecided')).toStrictEqual([]);
  });

  it('is a journal for what is never booked against a vendor', () => {
    expect(shaped({ payable: 'never' })).toStrictEqual([{ role: 'entry', debit: 'lines', credit: 'wallet' }]);
  });

  it('of a document that cannot find an open one settles nothing', () => {
    const document = { role: 'invoice', debit: 'lines', credit: 'payables', vendor: owner, documentNumber: 'R-1' };
    expect(shaped({ payable: 'document', credit: 'payables' })).toStrictEqual([document]);
  });

  it('of a payment without the number of an invoice settles nothing', () => {
    const payment = { role: 'payment', debit: 'payables', credit: 'wallet', vendor: owner, documentNumber: 'R-1' };
    expect(shaped({ payable: 'payment', debit: 'payables' })).toStrictEqual([payment]);
  });

  it.each([
    [' A-1 ', ' R-1 ', 'A-1'],
    [' ', ' R-1 ', 'R-1'],
    [' ', ' ', '018f2f6a-3c1e-7d2b-9a4e-0123456789ab'],
  ])('has for invoice %j of %j the document number %s', (invoiceNumber, reconciliationId, documentNumber) => {
    const item = itemOf({ type: 'mileage', amount: '1000', invoice: { invoiceNumber }, reconciliationId });
    expect(shaped({ payable: 'employee-cost' }, 'payable-without-vendor', item)).toStrictEqual([
      { role: 'invoice', debit: 'lines', credit: 'wallet', documentNumber },
    ]);
  });
});

describe('the lines of an entry', () => {
  const own = (source: number, amountMinor: bigint) => ({ source, amountMinor });
  const counter = (amountMinor: bigint) => ({ amountMinor });
  const ofVendor = (amountMinor: bigint) => ({ amountMinor, vendor: { id: vendor('V-7').id, code: 'V-7' } });
  type Lines = Parameters<typeof divideLines>[0];

  it.each<[string, Lines, number, readonly Lines[] | undefined]>([
    ['no counter line', [own(1, 5n), own(2, -5n)], 2, undefined],
    ['a source line over the limit', [own(1, 5n), own(1, 1n), counter(-6n)], 2, undefined],
    [
      'a source line that just fits',
      [own(1, 5n), own(1, 1n), counter(-6n)],
      3,
      [[own(1, 5n), own(1, 1n), counter(-6n)]],
    ],
    [
      'room for one each',
      [own(1, 5n), own(2, 1n), counter(-6n)],
      2,
      [
        [own(1, 5n), counter(-5n)],
        [own(2, 1n), counter(-1n)],
      ],
    ],
    [
      'room for two',
      [own(1, 5n), own(2, 1n), own(3, 2n), counter(-8n)],
      3,
      [
        [own(1, 5n), own(2, 1n), counter(-6n)],
        [own(3, 2n), counter(-2n)],
      ],
    ],
    [
      'the counter line first',
      [counter(6n), own(1, -5n), own(2, -1n)],
      2,
      [
        [counter(5n), own(1, -5n)],
        [counter(1n), own(2, -1n)],
      ],
    ],
    ['a share of nothing', [own(1, 0n), own(2, 1n), counter(-1n)], 2, [[own(1, 0n)], [own(2, 1n), counter(-1n)]]],
    ['a share of nothing for a vendor', [own(1, 0n), own(2, 1n), ofVendor(-1n)], 2, undefined],
    ['a share on the other side of a vendor', [own(1, -1n), own(2, 2n), ofVendor(-1n)], 2, undefined],
    [
      'the shares of a vendor',
      [own(1, 1n), own(2, 2n), ofVendor(-3n)],
      2,
      [
        [own(1, 1n), ofVendor(-1n)],
        [own(2, 2n), ofVendor(-2n)],
      ],
    ],
  ])('are divided: %s', (_, lines, linesPerPart, parts) => {
    const shareOf = (whole: Lines[number], amountMinor: bigint) => ({ ...whole, amountMinor });
    expect(divideLines(lines, linesPerPart, shareOf)).toStrictEqual(parts);
  });
});
