/** A balance of an account in one currency, debit positive: minor units of it and of the functional currency. */
export interface CurrencyBalance {
  readonly currency: string;
  readonly balanceMinor: bigint;
  readonly baseBalanceMinor: bigint;
}

interface Movement {
  readonly currency: string;
  readonly amountMinor: bigint;
  readonly baseMinor: bigint;
}

/**
 * The balance after each line.
 * @param start balances before the first line; a currency that is missing has none yet
 * @returns the lines with the balance of their currency and, over all currencies, in base
 */
export function withRunningBalance<Line extends Movement>(
  start: readonly CurrencyBalance[],
  lines: readonly Line[],
): readonly (Line & { readonly balanceMinor: bigint; readonly baseBalanceMinor: bigint })[] {
  const balances = new Map(start.map(({ currency, balanceMinor }) => [currency, balanceMinor]));
  let base = baseBalance(start);
  return lines.map((line) => {
    const balanceMinor = (balances.get(line.currency) ?? 0n) + line.amountMinor;
    balances.set(line.currency, balanceMinor);
    base += line.baseMinor;
    return { ...line, balanceMinor, baseBalanceMinor: base };
  });
}

/** Adds balances of the same currencies, sorted by currency. */
export function addBalances(...parts: readonly (readonly CurrencyBalance[])[]): readonly CurrencyBalance[] {
  const byCurrency = Map.groupBy(parts.flat(), ({ currency }) => currency);
  return [...byCurrency]
    .map(([currency, balances]) => ({
      currency,
      balanceMinor: balances.reduce((sum, each) => sum + each.balanceMinor, 0n),
      baseBalanceMinor: baseBalance(balances),
    }))
    .toSorted((one, other) => (one.currency < other.currency ? -1 : 1));
}

/** @returns minor units of the functional currency over all currencies */
export function baseBalance(balances: readonly CurrencyBalance[]): bigint {
  return balances.reduce((sum, { baseBalanceMinor }) => sum + baseBalanceMinor, 0n);
}
