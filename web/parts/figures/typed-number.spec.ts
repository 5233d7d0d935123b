import { describe, expect, it } from '@jest/globals';
import { asTyped, groupMarkOf, mayBeThousands } from './typed-number.js';

describe('a number that is typed', () => {
  it.each([
    ['de', '17.250', true],
    ['de', '1.234', true],
    ['de', '17,250', false],
    ['de', '0.912', false],
    ['de', '1.0856', false],
    ['de', '17250', false],
    ['en', '17,250', true],
    ['en-GB', '1,234', true],
    ['en', '17.250', false],
    ['en', '0,912', false],
    ['de-CH', '17.250', false],
  ])('in %s, %s may mean thousands: %s', (locale, text, may) => {
    expect(mayBeThousands(text, groupMarkOf(locale))).toBe(may);
  });

  it.each([
    ['de', '1.085', '1,085'],
    ['de', '17250.5', '17250,5'],
    ['en', '1.085', '1.085'],
    ['en', '0.00000000000000000001', '0.00000000000000000001'],
  ])('in %s, %s is filled in as %s', (locale, decimal, typed) => {
    expect(asTyped(decimal, locale)).toBe(typed);
  });
});
