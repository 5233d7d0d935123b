import { describe, expect, it } from '@jest/globals';
import { sumOf } from './sum.js';

const euros = (amountMinor: string) => ({ amountMinor, currency: 'EUR', exponent: 2 });
const yen = (amountMinor: string) => ({ amountMinor, currency: 'JPY', exponent: 0 });

describe('the sum of amounts', () => {
  it('is one per currency, to the last digit', () => {
    expect(sumOf([euros('90071992547409931'), yen('-5'), euros('1'), yen('3')])).toEqual([
      euros('90071992547409932'),
      yen('-2'),
    ]);
    expect(sumOf([])).toEqual([]);
  });

  it('is exact where one of them has more digits than its currency', () => {
    const odd = { amountMinor: '12345', currency: 'JPY', exponent: 2 };
    expect(sumOf([yen('250000'), odd])).toEqual([{ amountMinor: '25012345', currency: 'JPY', exponent: 2 }]);
    expect(sumOf([odd, yen('250000')])).toEqual([{ amountMinor: '25012345', currency: 'JPY', exponent: 2 }]);
  });
});
