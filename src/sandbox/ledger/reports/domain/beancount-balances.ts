// Pure: the balances that an export asserts.
import type { ExportedAmounts, ExportedBalance } from './beancount-text.js';

/** The sum of an account over entries in one currency, in signed minor units of it and of the functional currency. */
export interface AccountSum {
  readonly account: string;
  readonly currency: string;
  readonly amountMinor: bigint;
  readonly baseMinor: bigint;
}

/** The sum of an account over lines in base only of entries in other currencies. */
export interface BaseOnlySum {
  readonly account: string;
  readonly baseMinor: bigint;
}

/**
 * In the functional currency the balance of an account is the sum of its base amounts. In transaction currencies it is the
 * sum of its amounts, and lines in base only count in the functional currency.
 */
export function expectedBalances(
  sums: readonly AccountSum[],
  baseOnly: readonly BaseOnlySum[],
  functionalCurrency: string,
  amounts: ExportedAmounts,
): readonly ExportedBalance[] {
  const inBase = { currency: functionalCurrency };
  const parts =
    amounts === 'functional'
      ? sums.map(({ account, baseMinor }) => ({ ...inBase, account, minor: baseMinor }))
      : [
          ...sums.map(({ account, currency, amountMinor }) => ({ account, currency, minor: amountMinor })),
          ...baseOnly.map(({ account, baseMinor }) => ({ ...inBase, account, minor: baseMinor })),
        ];
  const together = Map.groupBy(parts, ({ account, currency }) => `${account} ${currency}`);
  return [...together.values()].flatMap((same) => {
    const minor = same.reduce((sum, part) => sum + part.minor, 0n);
    return same.slice(0, 1).map(({ account, currency }) => ({ account, currency, minor }));
  });
}
