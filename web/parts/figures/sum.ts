import type { MoneyResponse } from '../../api/schema.js';

/** @returns one sum for each currency, in the order in which they come */
export function sumOf(amounts: readonly MoneyResponse[]): readonly MoneyResponse[] {
  const sums = new Map<string, MoneyResponse>();
  for (const { amountMinor, currency, exponent } of amounts) {
    const before = BigInt(sums.get(currency)?.amountMinor ?? 0);
    sums.set(currency, { amountMinor: (before + BigInt(amountMinor)).toString(), currency, exponent });
  }
  return [...sums.values()];
}
