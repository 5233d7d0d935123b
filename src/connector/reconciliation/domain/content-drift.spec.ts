import { expect, it } from '@jest/globals';
import type { CurrencyCode } from '../../../kernel/currency.js';
import type { LocalDate } from '../../../kernel/local-date.js';
import type { ComparedEntry, ComparedLine } from './compared-sources.js';
import { driftOf } from './content-drift.js';

/** Two purchases of the same amount on two accounts, paid together. */
function entryOf(first: Partial<ComparedLine>, second: Partial<ComparedLine>): ComparedEntry {
  const line = { amountMinor: 10_000n, taxCode: undefined, vendorCode: undefined, dimensions: {} };
  return {
    role: 'entry',
    state: 'posted',
    postingDate: '2026-03-02' as LocalDate,
    currency: 'EUR' as CurrencyCode,
    lines: [
      { ...line, accountCode: '5410', ...first },
      { ...line, accountCode: '5420', ...second },
      { ...line, accountCode: '1935', amountMinor: -20_000n },
    ],
  };
}

it.each([
  ['tax codes', { taxCode: 'V25' }, { taxCode: 'V12' }],
  ['vendors', { vendorCode: 'V-1' }, { vendorCode: 'V-2' }],
  ['dimensions', { dimensions: { department: 'sales' } }, { dimensions: { department: 'stock' } }],
])('lines of one amount that have swapped their %s are on other accounts', (_, one, other) => {
  expect(driftOf([entryOf(one, other)], [entryOf(other, one)])).toEqual(['account-drift']);
});

it('lines in another order are the same', () => {
  const planned = entryOf({ taxCode: 'V25' }, { taxCode: 'V12' });
  expect(driftOf([planned], [{ ...planned, lines: planned.lines.toReversed() }])).toEqual([]);
});
