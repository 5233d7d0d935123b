import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { CurrencyCode } from '../../../kernel/currency.js';
import type { LocalDate } from '../../../kernel/local-date.js';
import type { CertifiedEntry } from './certificate.js';
import { postingText, SourceTotals } from './source-totals.js';

const plain = { taxCode: undefined, vendorCode: undefined, dimensions: {} };
const expense = { ...plain, accountCode: '5410', amountMinor: 8_000n, taxCode: 'V25' };
const tax = { ...plain, accountCode: '2641', amountMinor: 2_000n };
const payable = { ...plain, accountCode: '2440', amountMinor: -10_000n, vendorCode: 'V-1' };
const invoice: CertifiedEntry = {
  role: 'invoice',
  postingDate: '2026-03-02' as LocalDate,
  currency: 'EUR' as CurrencyCode,
  lines: [{ ...expense, dimensions: { department: 'sales', project: 'p1' } }, tax, payable],
};
const payment: CertifiedEntry = {
  role: 'payment',
  postingDate: '2026-03-05' as LocalDate,
  currency: 'USD' as CurrencyCode,
  lines: [
    { ...payable, amountMinor: 9_000n },
    { ...plain, accountCode: '1935', amountMinor: -9_000n },
  ],
};
const ID = 'aaaaaaaa-0000-4000-8000-000000000001';

describe('the canonical text of a posting', () => {
  it('has the documented form', () => {
    expect(postingText(ID.toUpperCase(), 2, [payment, invoice])).toBe(
      `["${ID}",2,[` +
        `["invoice","2026-03-02","EUR",[["2440","-10000",null,"V-1",[]],["2641","2000",null,null,[]],` +
        `["5410","8000","V25",null,[["department","sales"],["project","p1"]]]]],` +
        `["payment","2026-03-05","USD",[["1935","-9000",null,null,[]],["2440","9000",null,"V-1",[]]]]]]`,
    );
  });

  it('has the tax details of a line at its end, or nothing', () => {
    const kept = { place: 'input', reverseCharge: false, rate: '0.25', deductible: '0.5' } as const;
    const minor = { taxableMinor: 8_000n, taxableBaseMinor: 7_298n, taxMinor: 4_000n, taxBaseMinor: 3_649n };
    const text = postingText(ID, 1, [{ ...invoice, lines: [{ ...tax, tax: { ...kept, ...minor } }] }]);
    expect(text).toBe(
      `["${ID}",1,[["invoice","2026-03-02","EUR",[` +
        `["2641","2000",null,null,[],"input direct 0.25 0.5 8000 7298 4000 3649"]]]]]`,
    );
  });

  it('does not depend on the order of entries, lines or dimensions', () => {
    const [first, ...rest] = invoice.lines;
    const turned = { ...first, dimensions: { project: 'p1', department: 'sales' } } as typeof expense;
    const other = [{ ...invoice, lines: [...rest, turned] }, payment];
    expect(postingText(ID, 1, other)).toBe(postingText(ID, 1, [payment, invoice]));
  });

  it.each<[string, Partial<CertifiedEntry>]>([
    ['role', { role: 'credit-note' }],
    ['posting date', { postingDate: '2026-03-03' as LocalDate }],
    ['currency', { currency: 'SEK' as CurrencyCode }],
    ['account', { lines: [{ ...expense, accountCode: '5420' }] }],
    ['amount', { lines: [{ ...expense, amountMinor: 8_001n }] }],
    ['tax code', { lines: [{ ...expense, taxCode: undefined }] }],
    ['vendor', { lines: [{ ...expense, vendorCode: 'V-1' }] }],
    ['dimension', { lines: [{ ...expense, dimensions: { department: 'sales' } }] }],
  ])('changes with the %s', (_, change) => {
    const base = { ...invoice, lines: [expense] };
    expect(postingText(ID, 1, [{ ...base, ...change }])).not.toBe(postingText(ID, 1, [base]));
  });
});

describe('one source of a certificate', () => {
  it('has the totals of each currency and the digest of all texts', () => {
    const sum = new SourceTotals(createHash('sha256'));
    sum.add('one', [payment, invoice]);
    sum.add('two', [invoice]);
    expect(sum.result()).toEqual({
      entries: 3,
      totals: [
        { currency: 'EUR', debitMinor: '20000', creditMinor: '20000' },
        { currency: 'USD', debitMinor: '9000', creditMinor: '9000' },
      ],
      // printf 'one\ntwo\n' | sha256sum
      digest: 'c3f9c8c283a2b1f2f1896f27a01cbe3cddc0c9d93f752e4639035a0f5b36f6e8',
    });
  });

  it('of a job that posted nothing is empty', () => {
    expect(new SourceTotals(createHash('sha256')).result()).toEqual({
      entries: 0,
      totals: [],
      digest: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    });
  });
});
