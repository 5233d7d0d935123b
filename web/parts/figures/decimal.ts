type Decimal = `${number}`;

/** @param minor digits of the smallest unit, with a sign */
export function decimalOf(minor: string, exponent: number): Decimal {
  const sign = minor.startsWith('-') ? '-' : '';
  const digits = minor.replace('-', '').padStart(exponent + 1, '0');
  const whole = digits.slice(0, digits.length - exponent);
  return `${sign}${whole}${exponent === 0 ? '' : `.${digits.slice(-exponent)}`}` as Decimal;
}
