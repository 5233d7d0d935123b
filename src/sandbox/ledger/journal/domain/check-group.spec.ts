import { describe, expect, it } from '@jest/globals';
import { dimensionKey, findRefusal, type BooksView } from './check-group.js';
import type { PostingEntry, PostingGroup, PostingLine } from './posting-group.js';

const BOOKS: BooksView = {
  functionalCurrency: 'EUR',
  accounts: new Map([
    ['1935', { active: true }],
    ['2440', { active: true }],
    ['9999', { active: false }],
  ]),
  vendors: new Map([
    ['V-7', { usable: true }],
    ['V-8', { usable: false }],
    ['V-9', { usable: true }],
  ]),
  taxCodes: new Map([
    ['I25', { active: true }],
    ['OLD', { active: false }],
  ]),
  dimensionValues: new Map([[dimensionKey('CC', '100'), { active: true }]]),
  periods: new Map([
    ['2026-03-02', { open: true, fiscalYear: 2026 }],
    ['2026-01-02', { open: false, fiscalYear: 2026 }],
  ]),
};

const line = (minor: bigint, more: Partial<PostingLine> = {}): PostingLine => ({
  accountCode: '1935',
  amountMinor: minor,
  baseMinor: minor,
  dimensions: {},
  ...more,
});

const entry = (more: Partial<PostingEntry> = {}): PostingEntry => ({
  role: 'entry',
  part: 1,
  state: 'posted',
  postingDate: '2026-03-02',
  currency: 'EUR',
  description: '',
  metadata: {},
  lines: [line(5n), line(-5n)],
  ...more,
});

const group = (...entries: readonly PostingEntry[]): PostingGroup => ({
  key: 'k',
  revision: 1,
  contentDigest: 'd',
  entries,
  documents: [],
});

/** A good entry with exactly one thing broken. */
const BROKEN: readonly (readonly [code: string, field: string, entry: Partial<PostingEntry>])[] = [
  ['period_missing', '/postingDate', { postingDate: '2024-01-01' }],
  ['period_closed', '/postingDate', { postingDate: '2026-01-02' }],
  ['unbalanced', '/lines', { lines: [line(5n), line(-4n)] }],
  ['unbalanced_base', '/lines', { currency: 'USD', lines: [line(5n), line(-5n, { baseMinor: -4n })] }],
  ['base_differs', '/lines/0/baseMinor', { lines: [line(5n, { baseMinor: 4n }), line(-5n, { baseMinor: -4n })] }],
  [
    'two_sides',
    '/lines/0/baseMinor',
    { currency: 'USD', lines: [line(5n, { baseMinor: -4n }), line(-5n, { baseMinor: 4n })] },
  ],
  ['zero_line', '/lines/2/amountMinor', { lines: [line(5n), line(-5n), line(0n)] }],
  ['account_unknown', '/lines/0/accountCode', { lines: [line(5n, { accountCode: '1' }), line(-5n)] }],
  ['account_inactive', '/lines/1/accountCode', { lines: [line(5n), line(-5n, { accountCode: '9999' })] }],
  ['vendor_unknown', '/lines/0/vendorNumber', { lines: [line(5n, { vendorNumber: 'V-1' }), line(-5n)] }],
  ['vendor_blocked', '/lines/0/vendorNumber', { lines: [line(5n, { vendorNumber: 'V-8' }), line(-5n)] }],
  ['tax_code_unknown', '/lines/0/taxCode', { lines: [line(5n, { taxCode: 'X' }), line(-5n)] }],
  ['tax_code_inactive', '/lines/0/taxCode', { lines: [line(5n, { taxCode: 'OLD' }), line(-5n)] }],
  ['dimension_unknown', '/lines/0/dimensions', { lines: [line(5n, { dimensions: { CC: '1' } }), line(-5n)] }],
  [
    'vendor_unknown',
    '/settlement/vendorNumber',
    {
      settlement: { kind: 'settles', vendorNumber: 'V-1', numbers: ['A'], currency: 'EUR', amountMinor: 5n },
    },
  ],
  [
    'account_inactive',
    '/settlement/realizedFxAccountCode',
    {
      settlement: {
        kind: 'within',
        vendorNumber: 'V-7',
        numbers: [],
        currency: 'EUR',
        amountMinor: 5n,
        realizedFxAccountCode: '9999',
      },
    },
  ],
  ...(
    [
      ['V-7', 'USD', 'V-7'],
      ['V-7', 'EUR', 'V-9'],
    ] as const
  ).map(([vendorNumber, currency, lineVendor]): (typeof BROKEN)[number] => [
    'settlement_mismatch',
    '/settlement',
    {
      lines: [line(5n, { vendorNumber: lineVendor }), line(-5n)],
      settlement: { kind: 'settles', vendorNumber, numbers: ['A'], currency, amountMinor: 5n },
    },
  ]),
];

describe('a group is refused', () => {
  it.each(BROKEN)('%s at %s', (code, field, broken) => {
    expect(findRefusal(group(entry(broken)), BOOKS)).toMatchObject({ code, field: `/entries/0${field}` });
  });

  it('for an error in a later entry', () => {
    const payment = entry({ role: 'payment', lines: [line(5n), line(-4n)] });
    expect(findRefusal(group(entry(), payment), BOOKS)).toMatchObject({ field: '/entries/1/lines' });
  });
});

describe('a group is accepted', () => {
  const GOOD: readonly (readonly [name: string, entry: Partial<PostingEntry>])[] = [
    ['as it is', {}],
    [
      'with vendor, tax code and dimension',
      { lines: [line(5n, { vendorNumber: 'V-7', taxCode: 'I25', dimensions: { CC: '100' } }), line(-5n)] },
    ],
    [
      'with a settlement on one of its lines',
      {
        lines: [line(5n, { vendorNumber: 'V-7' }), line(-5n)],
        settlement: {
          kind: 'settles',
          vendorNumber: 'V-7',
          numbers: ['A'],
          currency: 'EUR',
          amountMinor: 5n,
        },
      },
    ],
    ['with null for what it has not', { lines: [line(5n, { vendorNumber: null, taxCode: null }), line(-5n)] }],
    [
      'with a line that is zero in its own currency only',
      { currency: 'USD', lines: [line(5n, { baseMinor: 4n }), line(-5n), line(0n, { baseMinor: 1n })] },
    ],
  ];

  it.each(GOOD)('%s', (_, good) => {
    expect(findRefusal(group(entry(good)), BOOKS)).toBeUndefined();
  });
});
