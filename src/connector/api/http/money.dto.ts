import { field, shape } from '../../../foundation/http/shape.js';
import { currencyDigits } from '../../../kernel/currency.js';

/** An amount as every response of the API writes it: exact, whatever the reader's locale. */
export class MoneyResponse extends shape({
  amountMinor: field.text({ description: 'whole number of minor units, as text', example: '6250000' }),
  currency: field.text({ description: 'ISO 4217', example: 'EUR' }),
  exponent: field.number({ description: 'digits of the minor unit: 2 for EUR, 0 for JPY', example: 2 }),
}) {}

/** A field that may have no amount. */
export const moneyOrNull = (remarks?: { readonly description: string }) => field.one(MoneyResponse, remarks).nullable();

/** @returns null where amount or currency is unknown */
export function moneyOf(minor: bigint | string | null | undefined, currency: string | null | undefined) {
  const exponent = currency == null ? undefined : currencyDigits(currency);
  return minor == null || currency == null || exponent === undefined
    ? null
    : { amountMinor: minor.toString(), currency, exponent };
}
