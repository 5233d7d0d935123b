import { Text } from '@mantine/core';
import type { MoneyResponse } from '../api/schema.js';
import { locale } from '../messages/language.js';
import { decimalOf } from './figures/decimal.js';

/** By digits: making one costs more than a hundred uses. */
const formats = new Map<number, Intl.NumberFormat>();

/** Every digit as it is: an amount never becomes a floating-point number. */
export function shownMoney({ amountMinor, currency, exponent }: MoneyResponse): string {
  const format =
    formats.get(exponent) ??
    new Intl.NumberFormat(locale(), { minimumFractionDigits: exponent, maximumFractionDigits: exponent });
  formats.set(exponent, format);
  return `${format.format(decimalOf(amountMinor, exponent))} ${currency}`;
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
