import { describe, expect, it } from '@jest/globals';
import { currencyDigits, parseCurrency } from './currency.js';

describe('currencies', () => {
  it.each([
    ['EUR', 2],
    ['SEK', 2],
    ['HUF', 2], // locales show 0, ISO 4217 says 2
    ['IDR', 2],
    ['JPY', 0],
    ['ISK', 0],
    ['KRW', 0],
    ['UGX', 0],
    ['XOF', 0],
    ['UYI', 0],
    ['KWD', 3],
    ['TND', 3],
    ['IQD', 3],
    ['CLF', 4],
    ['UYW', 4],
    ['CHE', 2], // a fund code that occurs in wallets
    ['XCG', 2],
    ['ZWG', 2],
    ['HRK', 2], // withdrawn, still on old entries
    ['BYR', 0],
  ])('%s has %d digits', (code, digits) => {
    expect(currencyDigits(code)).toBe(digits);
    expect(parseCurrency(code)).toBe(code);
  });

  it.each(['XXX', 'XTS', 'UNDEFINED', 'XAU', 'XDR', 'eur', '', 'EU', 'EURO', 'constructor'])(
    '"%s" is not a currency',
    (code) => {
      expect(currencyDigits(code)).toBeUndefined();
      expect(parseCurrency(code)).toBeUndefined();
    },
  );
});
