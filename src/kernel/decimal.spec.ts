import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  addDecimals,
  formatDecimal,
  formatScaled,
  multiplyToMinor,
  negateDecimal,
  parseDecimal,
  shareOf,
} from './decimal.js';
import type { Decimal } from './decimal.js';

function decimal(text: string): Decimal {
  const parsed = parseDecimal(text);
  if (parsed === undefined) throw new Error(`${text} is no decimal`);
  return parsed;
}

describe('parseDecimal', () => {
  it.each([
    ['89696', 89696n, 0],
    ['10.0', 10n, 0],
    ['10', 10n, 0],
    ['-0.25', -25n, 2],
    ['-0', 0n, 0],
    ['0.000', 0n, 0],
    ['1.5e3', 1500n, 0],
    ['1.5E+3', 1500n, 0],
    ['15e-4', 15n, 4],
    ['100e-1', 10n, 0],
    ['0e999', 0n, 0],
    ['12345678901234567890.5', 123456789012345678905n, 1],
    ['000000000000000001.50', 15n, 1],
    ['-12e-01', -12n, 1],
    ['1e39', 10n ** 39n, 0],
    ['1e-40', 1n, 40],
    ['9'.repeat(40), 10n ** 40n - 1n, 0],
    ['1'.padStart(100, '0'), 1n, 0],
  ])('%s', (text, coefficient, scale) => {
    expect(parseDecimal(text)).toEqual({ coefficient, scale });
  });

  it.each([
    '',
    ' 1',
    '1,5',
    '.5',
    '5.',
    '+1',
    '1e',
    'NaN',
    'Infinity',
    '0x10',
    '1e40',
    '1e-41',
    '9'.repeat(41),
    '1'.padStart(101, '0'),
    'x1.5',
    '1.5x',
    '12x',
    '1.5e0000001',
    '1e9999999',
    '9'.repeat(101),
  ])('"%s" is refused', (text) => {
    expect(parseDecimal(text)).toBeUndefined();
  });
});

describe('formatting', () => {
  it.each([
    ['10.0', '10'],
    ['-0.250', '-0.25'],
    ['1.5e3', '1500'],
    ['15e-4', '0.0015'],
  ])('%s is formatted as %s', (text, written) => {
    expect(formatDecimal(decimal(text))).toBe(written);
  });

  it.each([
    [-1234n, 2, '-12.34'],
    [5n, 3, '0.005'],
    [1500n, 0, '1500'],
    [-1500n, 0, '-1500'],
    [-100n, 2, '-1.00'],
    [0n, 2, '0.00'],
    [-1n, 4, '-0.0001'],
  ])('%d with %d digits is %s', (coefficient, digits, written) => {
    expect(formatScaled(coefficient, digits)).toBe(written);
  });

  it('round-trips', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), fc.nat(18), (coefficient, digits) => {
        const parsed = decimal(formatScaled(coefficient, digits));
        expect(parsed.coefficient * 10n ** BigInt(digits - parsed.scale)).toBe(coefficient);
      }),
    );
  });
});

describe('arithmetic', () => {
  it.each([
    ['0.1', '0.2', '0.3'],
    ['136364', '13636', '150000'],
    ['12.5', '-12.5', '0'],
    ['0.05', '0.05', '0.1'],
    ['0.05', '2', '2.05'],
    ['2', '0.05', '2.05'],
  ])('%s + %s = %s', (a, b, sum) => {
    expect(addDecimals(decimal(a), decimal(b))).toEqual(decimal(sum));
    expect(addDecimals(decimal(sum), negateDecimal(decimal(b)))).toEqual(decimal(a));
  });

  it.each([
    [1000n, '0.9123', 0, 912n], // 912.3
    [1001n, '0.9123', 0, 913n], // 913.2123
    [5n, '0.5', 0, 2n], // 2.5 to even
    [7n, '0.5', 0, 4n], // 3.5 to even
    [-5n, '0.5', 0, -2n],
    [-7n, '0.5', 0, -4n],
    [-1n, '0.6', 0, -1n],
    [1500n, '0.0061', 2, 915n], // JPY to EUR
    [915n, '163.93', -2, 1500n], // EUR to JPY: 1499.9595
    [1n, '1', 3, 1000n],
    [2n, '30', 0, 60n],
  ])('%d × %s × 10^%d = %d', (minor, rate, exponent, expected) => {
    expect(multiplyToMinor(minor, decimal(rate), exponent)).toBe(expected);
  });

  it.each(['0.1', '12.30'])('negating %s twice returns it', (text) => {
    const number = decimal(text);
    expect(negateDecimal(number)).toEqual(decimal(`-${text}`));
    expect(negateDecimal(negateDecimal(number))).toEqual(number);
  });

  it.each([
    [100n, 1n, 3n, 33n],
    [100n, 2n, 3n, 67n],
    [5n, 1n, 2n, 2n], // 2.5 to even
    [7n, 1n, 2n, 4n], // 3.5 to even
    [-7n, 1n, 2n, -4n],
    [7n, -1n, 2n, -4n],
    [100n, 3n, 3n, 100n],
    [100n, 0n, 3n, 0n],
  ])('of %d the share %d of %d is %d', (amount, part, whole, share) => {
    expect(shareOf(amount, part, whole)).toBe(share);
  });
});
