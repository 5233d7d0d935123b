import { multiplyToMinor, shareOf, type Decimal } from '../../../../kernel/decimal.js';

// What an amount is made of under a tax code (P1.8, "TaxTypeV3", and P5). Pure.

export const TAX_TYPES = ['inclusive', 'exclusive', 'reverse'] as const;
export type TaxType = (typeof TAX_TYPES)[number];

/** In minor units of one currency. */
export interface TaxBreakdown {
  readonly gross: bigint;
  readonly net: bigint;
  readonly tax: bigint;
}

/**
 * Splits an amount; the tax is rounded half-even to the minor unit.
 * - `inclusive`: the amount is gross and holds the tax.
 * - `exclusive`: the amount is net, the tax comes on top.
 * - `reverse`: the amount is what is paid; the tax is owed to the authority only, so gross is net.
 *
 * @param amount minor units, of either sign
 * @param rate a share: 0.25 is 25 %
 */
export function taxBreakdown(type: TaxType, rate: Decimal, amount: bigint): TaxBreakdown {
  if (type === 'inclusive') {
    const one = 10n ** BigInt(rate.scale);
    const tax = shareOf(amount, rate.coefficient, one + rate.coefficient);
    return { gross: amount, net: amount - tax, tax };
  }
  const tax = multiplyToMinor(amount, rate, 0);
  return { gross: type === 'exclusive' ? amount + tax : amount, net: amount, tax };
}
