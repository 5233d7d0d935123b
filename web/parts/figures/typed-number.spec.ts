import { describe, expect, it } from '@jest/globals';
import { asTyped, groupMarkOf, mayBeThousands, withoutGroups } from './typed-number.js';

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

  it.each([
    ['en', '1,488.00', '1488.00'],
    ['en', '1,234,567', '1234567'],
    ['en', '12,34.00', '12,34.00'],
    ['en', '1.488,00', '1.488,00'],
    ['de', '1.488,00', '1488.00'],
    ['de', '17.250', '17250'],
    ['de', '17,250', '17,250'],
    ['de', '0.912', '0.912'],
    ['de-CH', '1’488.00', '1488.00'],
    ['de-AT', '1 488,00', '1488.00'],
  ])('in %s, %s is %s without marks between thousands', (locale, text, number) => {
    expect(withoutGroups(text, locale)).toBe(number);
  });
});
