import { currencyDigits, type CurrencyCode } from './currency.js';
import { formatDecimal, formatScaled, multiplyToMinor, parseDecimal, shiftDecimal, type Decimal } from './decimal.js';
import { Bug } from './faults.js';

// An amount is a signed whole number (bigint) of the currency's ISO 4217 minor unit, kept beside its currency.

/**
 * Reads a wire amount, which is in hundredths of the main unit for every currency (B1.1).
 *
 * @param value decimal text in hundredths: "89696" is 896.96 SEK, "150000" is ¥1,500, "123.4" is 1.234 KWD.
 * @returns the amount in minor units; undefined when the text is no number or no whole number of minor units.
 */
export function minorFromHundredths(value: string, currency: CurrencyCode): bigint | undefined {
  const hundredths = parseDecimal(value);
  return hundredths && exactMinor(hundredths, digitsOf(currency) - 2);
}

/**
 * As `minorFromHundredths`, but an amount between two minor units is rounded half-even (tax in JPY, B2.4).
 *
 * @returns undefined only when the text is no number.
 */
export function roundedMinorFromHundredths(value: string, currency: CurrencyCode): bigint | undefined {
  const hundredths = parseDecimal(value);
  if (hundredths === undefined) return undefined;
  return multiplyToMinor(1n, hundredths, digitsOf(currency) - 2);
}

/**
 * Reads a wire amount exactly as it was stated, also where it is no whole number of minor units: 12345 hundredths of JPY are 123.45. For
 * figures that only show; what is booked is read by `minorFromHundredths`.
 *
 * @returns decimal text in minor units; undefined when the text is no number.
 */
export function statedMinor(hundredths: string, currency: CurrencyCode): string | undefined {
  const stated = parseDecimal(hundredths);
  return stated && formatDecimal(shiftDecimal(stated, digitsOf(currency) - 2));
}

/** Writes a wire amount for people, in main units, whatever a currency has of decimals: 100.5 hundredths are "1.005". */
export function formatHundredths({ coefficient, scale }: Decimal): string {
  return formatScaled(coefficient, scale + 2);
}

/** Writes an amount for people, in main units and without the code: "-12.34" for EUR, "1500" for JPY. */
export function formatMinor(minor: bigint, currency: CurrencyCode): string {
  return formatScaled(minor, digitsOf(currency));
}

/**
 * Reads an amount in main units: "12.34" EUR is 1234, "1500" JPY is 1500.
 *
 * @returns undefined when the text is no number or no whole number of minor units.
 */
export function parseMinor(text: string, currency: CurrencyCode): bigint | undefined {
  const main = parseDecimal(text);
  return main && exactMinor(main, digitsOf(currency));
}

function exactMinor(hundredths: Decimal, exponent: number): bigint | undefined {
  const { coefficient, scale } = hundredths;
  const shift = exponent - scale;
  if (shift >= 0) return coefficient * 10n ** BigInt(shift);
  const divisor = 10n ** BigInt(-shift);
  return coefficient % divisor === 0n ? coefficient / divisor : undefined;
}

function digitsOf(currency: CurrencyCode): number {
  const digits = currencyDigits(currency);
  if (digits === undefined) throw new Bug(`${currency} is branded as a currency but not in the table`);
  return digits;
}
