// Pure: what the accounts of an export must come to.
import type { ExportedAmounts, ExportedBalance } from './beancount-text.js';

/** All there is on an account in one currency of entries, signed minor units of it and of the functional currency. */
export interface AccountSum {
  readonly account: string;
  readonly currency: string;
  readonly amountMinor: bigint;
  readonly baseMinor: bigint;
}

/** What lines in base only, of entries in other currencies, come to on an account. */
export interface BaseOnlySum {
  readonly account: string;
  readonly baseMinor: bigint;
}

/**
 * In the functional currency an account comes to its base amounts. In transaction currencies it comes to its amounts, and
 * what has an amount in base only adds to its functional currency.
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
