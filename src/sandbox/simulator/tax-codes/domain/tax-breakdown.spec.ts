import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { taxBreakdown, TAX_TYPES } from './tax-breakdown.js';

describe('taxBreakdown', () => {
  it.each([
    // 125.00 at 25 % holds 25.00; 100.00 at 20 % holds 16.67 (16.666…).
    ['inclusive', [25n, 2], 12_500n, { gross: 12_500n, net: 10_000n, tax: 2_500n }],
    ['inclusive', [2n, 1], 10_000n, { gross: 10_000n, net: 8_333n, tax: 1_667n }],
    ['inclusive', [2n, 1], -10_000n, { gross: -10_000n, net: -8_333n, tax: -1_667n }],
    // 3 at 100 % is half of 3: 1.5, rounded to the even 2; half of 5 is 2.5, and 2 again.
    ['inclusive', [1n, 0], 3n, { gross: 3n, net: 1n, tax: 2n }],
    ['inclusive', [1n, 0], 5n, { gross: 5n, net: 3n, tax: 2n }],
    ['exclusive', [25n, 2], 10_000n, { gross: 12_500n, net: 10_000n, tax: 2_500n }],
    ['exclusive', [5n, 1], 5n, { gross: 7n, net: 5n, tax: 2n }],
    ['reverse', [19n, 2], 10_000n, { gross: 10_000n, net: 10_000n, tax: 1_900n }],
    ['inclusive', [0n, 0], 999n, { gross: 999n, net: 999n, tax: 0n }],
  ] as const)('%s, rate %j, %d minor units', (type, [coefficient, scale], amount, expected) => {
    expect(taxBreakdown(type, { coefficient, scale }, amount)).toEqual(expected);
  });

  it('always adds up, and changes its sign with the amount', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...TAX_TYPES),
        fc.bigInt({ min: 0n, max: 100n }),
        fc.bigInt({ min: 0n, max: 10n ** 15n }),
        (type, percent, amount) => {
          const rate = { coefficient: percent, scale: 2 };
          const { gross, net, tax } = taxBreakdown(type, rate, amount);
          expect(type === 'reverse' ? net : net + tax).toBe(gross);
          expect(taxBreakdown(type, rate, -amount)).toEqual({ gross: -gross, net: -net, tax: -tax });
        },
      ),
    );
  });
});
