/**
 * An exact decimal number, coefficient × 10^−scale, in lowest terms: scale ≥ 0, and no trailing zero in the coefficient
 * while scale > 0. Equal numbers are therefore equal field by field.
 */
export interface Decimal {
  readonly coefficient: bigint;
  readonly scale: number;
}

// Far more than money or a rate ever needs, and little enough that a hostile "1e999999999" cannot make the program
// build a number of a gigabyte.
const MAX_DIGITS = 40;
const MAX_TEXT_LENGTH = 100;

/** What nearly every amount is. */
const SHORT_INTEGER = /^-?\d{1,15}$/;
const DECIMAL_TEXT = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,6}))?$/;

/**
 * Reads a JSON number's text, plain or with an exponent, without passing through a float. Leading zeros are tolerated.
 *
 * @param text for example "89696", "-0.25", "1.5e3".
 * @returns undefined when it is not a number or has more than 40 digits before or after the point.
 */
export function parseDecimal(text: string): Decimal | undefined {
  if (SHORT_INTEGER.test(text)) return { coefficient: BigInt(text), scale: 0 };
  if (text.length > MAX_TEXT_LENGTH) return undefined;
  const match = DECIMAL_TEXT.exec(text);
  if (match === null) return undefined;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match;
  const digits = BigInt(whole + fraction);
  if (digits === 0n) return { coefficient: 0n, scale: 0 };
  return inLowestTerms(sign === '-' ? -digits : digits, fraction.length - Number(exponent));
}

/** Writes the number in its shortest plain form: "-0.25", "1500", never with an exponent. */
export function formatDecimal(decimal: Decimal): string {
  return formatScaled(decimal.coefficient, decimal.scale);
}

/** Writes coefficient × 10^−digits with exactly that many digits after the point: (−1234, 2) is "-12.34". */
export function formatScaled(coefficient: bigint, digits: number): string {
  const sign = coefficient < 0n ? '-' : '';
  const text = absolute(coefficient)
    .toString()
    .padStart(digits + 1, '0');
  if (digits === 0) return sign + text;
  return `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

export function addDecimals(a: Decimal, b: Decimal): Decimal {
  const scale = Math.max(a.scale, b.scale);
  const sum = a.coefficient * powerOfTen(scale - a.scale) + b.coefficient * powerOfTen(scale - b.scale);
  return withoutTrailingZeros(sum, scale);
}

export function negateDecimal(decimal: Decimal): Decimal {
  return { coefficient: -decimal.coefficient, scale: decimal.scale };
}

/** decimal × 10^exponent */
export function shiftDecimal({ coefficient, scale }: Decimal, exponent: number): Decimal {
  const digits = scale - exponent;
  return digits < 0
    ? { coefficient: coefficient * powerOfTen(-digits), scale: 0 }
    : withoutTrailingZeros(coefficient, digits);
}

/**
 * minor × rate × 10^exponent as a whole number, rounded half-even.
 *
 * @param minor an amount in minor units of the source currency.
 * @param rate main units of the target currency per main unit of the source, or a plain share such as 0.25.
 * @param exponent target digits − source digits; 0 within one currency.
 */
export function multiplyToMinor(minor: bigint, rate: Decimal, exponent: number): bigint {
  const shift = exponent - rate.scale;
  const product = minor * rate.coefficient;
  return shift >= 0 ? product * powerOfTen(shift) : divideHalfEven(product, powerOfTen(-shift));
}

/**
 * part / whole of an amount, rounded half-even; exactly the amount when the part is the whole.
 *
 * @param amount in minor units.
 * @param whole greater than 0, in the same units as `part`.
 */
export function shareOf(amount: bigint, part: bigint, whole: bigint): bigint {
  return divideHalfEven(amount * part, whole);
}

function inLowestTerms(coefficient: bigint, scale: number): Decimal | undefined {
  const digits = absolute(coefficient).toString().length;
  if (scale > MAX_TEXT_LENGTH || digits - scale > MAX_DIGITS) return undefined;
  const reduced =
    scale < 0 ? { coefficient: coefficient * powerOfTen(-scale), scale: 0 } : withoutTrailingZeros(coefficient, scale);
  return reduced.scale > MAX_DIGITS ? undefined : reduced;
}

function withoutTrailingZeros(coefficient: bigint, scale: number): Decimal {
  let reduced = coefficient;
  let digits = scale;
  while (digits > 0 && reduced % 10n === 0n) {
    reduced /= 10n;
    digits -= 1;
  }
  return { coefficient: reduced, scale: digits };
}

function divideHalfEven(numerator: bigint, denominator: bigint): bigint {
  const quotient = numerator / denominator;
  const twiceRemainder = absolute(numerator % denominator) * 2n;
  const isUp = twiceRemainder > denominator || (twiceRemainder === denominator && quotient % 2n !== 0n);
  if (!isUp) return quotient;
  return numerator < 0n ? quotient - 1n : quotient + 1n;
}

function absolute(value: bigint): bigint {
  return value < 0n ? -value : value;
}

function powerOfTen(exponent: number): bigint {
  return 10n ** BigInt(exponent);
}
