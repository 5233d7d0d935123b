import type { MoneyResponse } from '../../api/schema.js';

/** @returns one sum for each currency, in the order in which they come */
export function sumOf(amounts: readonly MoneyResponse[]): readonly MoneyResponse[] {
  const sums = new Map<string, MoneyResponse>();
  for (const money of amounts) {
    const { currency } = money;
    const before = sums.get(currency) ?? { amountMinor: '0', currency, exponent: money.exponent };
    // An amount that was stated with a part of the smallest unit has more digits than the others.
    const exponent = Math.max(before.exponent, money.exponent);
    sums.set(currency, {
      amountMinor: (wholeIn(before, exponent) + wholeIn(money, exponent)).toString(),
      currency,
      exponent,
    });
  }
  return [...sums.values()];
}

function wholeIn({ amountMinor, exponent }: MoneyResponse, digits: number): bigint {
  return BigInt(amountMinor) * 10n ** BigInt(digits - exponent);
}
