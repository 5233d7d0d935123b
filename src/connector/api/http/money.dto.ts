import { field, shape } from '../../../foundation/http/shape.js';
import { currencyDigits, parseCurrency } from '../../../kernel/currency.js';
import { formatScaled, parseDecimal } from '../../../kernel/decimal.js';
import { statedMinor } from '../../../kernel/money.js';

/** An amount as every response of the API writes it: exact, whatever the reader's locale. */
export class MoneyResponse extends shape({
  amountMinor: field.text({ description: 'the amount × 10^exponent, a whole number as text', example: '6250000' }),
  currency: field.text({ description: 'ISO 4217', example: 'EUR' }),
  exponent: field.number({
    description:
      'digits after the point: those of the minor unit, 2 for EUR and 0 for JPY; more where the platform has stated a part of a minor unit',
    example: 2,
  }),
}) {}

/** A field that may have no amount. */
export const moneyOrNull = (remarks?: { readonly description: string }) => field.one(MoneyResponse, remarks).nullable();

/**
 * @param minor in minor units; text may have decimals, where the platform has stated a part of one
 * @returns null where amount or currency is unknown
 */
export function moneyOf(
  minor: bigint | string | null | undefined,
  currency: string | null | undefined,
): MoneyResponse | null {
  const digits = currency == null ? undefined : currencyDigits(currency);
  const amount = typeof minor === 'bigint' ? { coefficient: minor, scale: 0 } : parseDecimal(minor ?? '');
  return currency == null || digits === undefined || amount === undefined
    ? null
    : { amountMinor: amount.coefficient.toString(), currency, exponent: digits + amount.scale };
}

/** @returns the amount as the platform has stated it; null where it or its currency is unknown */
export function moneyOfWire(
  amount: { readonly value: string; readonly currency: string } | null,
): MoneyResponse | null {
  const currency = amount === null ? undefined : parseCurrency(amount.currency);
  return moneyOf(amount && currency && statedMinor(amount.value, currency), currency);
}

/** @returns decimal text in main units, without the currency */
export function textOfMoney({ amountMinor, exponent }: MoneyResponse): string {
  return formatScaled(BigInt(amountMinor), exponent);
}
