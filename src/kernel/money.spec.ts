import { describe, expect, it } from '@jest/globals';
import { parseCurrency, type CurrencyCode } from './currency.js';
import { Bug } from './faults.js';
import { formatMinor, minorFromHundredths, parseMinor, roundedMinorFromHundredths, statedMinor } from './money.js';

function currency(code: string): CurrencyCode {
  const parsed = parseCurrency(code);
  if (parsed === undefined) throw new Error(`${code} is no currency`);
  return parsed;
}

describe('wire money is in hundredths for every currency', () => {
  it.each([
    ['12345', 'JPY', '123.45'],
    ['-150000', 'JPY', '-1500'],
    ['0.5', 'EUR', '0.5'],
    ['89696', 'SEK', '89696'],
    ['123', 'KWD', '1230'],
    ['123.45', 'KWD', '1234.5'],
    ['ten', 'EUR', undefined],
  ])('%s hundredths of %s are stated as %s minor units', (value, code, minor) => {
    expect(statedMinor(value, currency(code))).toBe(minor);
  });

  it.each([
    ['89696', 'SEK', 89696n],
    ['89696.0', 'SEK', 89696n],
    ['150000', 'JPY', 1500n],
    ['-150000', 'JPY', -1500n],
    ['123.4', 'KWD', 1234n],
    ['123', 'KWD', 1230n],
    ['123.45', 'CLF', 12345n],
    ['0', 'EUR', 0n],
  ])('%s hundredths of %s are %d minor units', (value, code, minor) => {
    expect(minorFromHundredths(value, currency(code))).toBe(minor);
  });

  it.each([
    ['13636', 'JPY'],
    ['100.5', 'EUR'],
    ['123.45', 'KWD'],
    ['ten', 'EUR'],
    ['', 'EUR'],
  ])('%s hundredths of %s are not a whole number of minor units', (value, code) => {
    expect(minorFromHundredths(value, currency(code))).toBeUndefined();
  });

  it.each([
    ['13636', 'JPY', 136n],
    ['13650', 'JPY', 136n], // 136.5 to even
    ['13750', 'JPY', 138n],
    ['-13650', 'JPY', -136n],
    ['100.5', 'EUR', 100n],
    ['123.4', 'KWD', 1234n],
  ])('%s hundredths of %s round half-even to %d', (value, code, minor) => {
    expect(roundedMinorFromHundredths(value, currency(code))).toBe(minor);
  });

  it('refuses to round a text that is not a number', () => {
    expect(roundedMinorFromHundredths('1,5', currency('EUR'))).toBeUndefined();
  });

  it.each([
    [-1234n, 'EUR', '-12.34'],
    [1500n, 'JPY', '1500'],
    [5n, 'KWD', '0.005'],
    [0n, 'EUR', '0.00'],
  ])('%d minor units of %s are formatted as %s', (minor, code, text) => {
    expect(formatMinor(minor, currency(code))).toBe(text);
  });
});

it.each([
  ['12.34', 'EUR', 1234n],
  ['-0.5', 'EUR', -50n],
  ['1500', 'JPY', 1500n],
  ['1.234', 'KWD', 1234n],
  ['12.345', 'EUR', undefined],
  ['1.5', 'JPY', undefined],
  ['ten', 'EUR', undefined],
])('%s %s in main units', (text, code, minor) => {
  expect(parseMinor(text, currency(code))).toBe(minor);
});

it('an amount in an unknown currency throws', () => {
  const forged = 'XXX' as CurrencyCode;
  expect(() => formatMinor(1n, forged)).toThrow(new Bug('XXX is branded as a currency but not in the table'));
});
