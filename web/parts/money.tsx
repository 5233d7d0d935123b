import { Text } from '@mantine/core';
import type { MoneyResponse } from '../api/schema.js';
import { shownDecimal } from '../messages/values.js';
import { decimalOf } from './figures/decimal.js';

/** Every digit as it is: an amount never becomes a floating-point number. */
export function shownMoney({ amountMinor, currency, exponent }: MoneyResponse): string {
  return `${shownDecimal(decimalOf(amountMinor, exponent))} ${currency}`;
}

export function Money({ money }: { readonly money: MoneyResponse | null | undefined }) {
  return (
    <Text span inherit className="figure">
      {money ? shownMoney(money) : '–'}
    </Text>
  );
}

/** Sums by currency, one below the other. */
export function Amounts({ amounts }: { readonly amounts: readonly MoneyResponse[] }) {
  return amounts.map((money) => (
    <div key={money.currency}>
      <Money money={money} />
    </div>
  ));
}
