import { describe, expect, it } from '@jest/globals';

// What a browser has: the reader has chosen German.
Object.assign(globalThis, { localStorage: { getItem: () => 'de' } });
const { shownCount, shownDecimal, shownWhen } = await import('./values.js');

describe('a value of the API, for a reader of German', () => {
  it.each([
    ['0.8561', '0,8561'],
    ['12345.60', '12.345,60'],
    ['-0.05', '-0,05'],
    ['1', '1'],
    ['900719925474099.31', '900.719.925.474.099,31'],
    ['1.000000000001', '1,000000000001'],
  ])('as a number: %s is %s', (decimal, shown) => {
    expect(shownDecimal(decimal)).toBe(shown);
  });

  it('as a count: 10000 is 10.000', () => {
    expect(shownCount(10_000)).toBe('10.000');
  });

  it.each([
    ['2026-11-03', '03.11.2026'],
    ['2026-11', 'November 2026'],
    ['2026-13', undefined],
    ['2026-11-32', undefined],
    ['V-2026-11', undefined],
    ['6475', undefined],
    ['open', undefined],
  ])('as a time: %s is %s', (text, shown) => {
    expect(shownWhen(text)).toBe(shown);
  });

  it('as a moment: with the hour', () => {
    expect(shownWhen('2026-11-03T10:30:00Z')).toMatch(/^3\. Nov\. 2026, \d\d:30$/);
  });
});
