import { describe, expect, it } from '@jest/globals';
import { decimalOf } from './decimal.js';

describe('an amount', () => {
  it.each([
    ['12345', 2, '123.45'],
    ['-5', 2, '-0.05'],
    ['0', 2, '0.00'],
    ['7', 0, '7'],
    ['-1234', 3, '-1.234'],
    ['90071992547409931', 2, '900719925474099.31'],
  ])('of %s minor units with exponent %d is %s', (minor, exponent, decimal) => {
    expect(decimalOf(minor, exponent)).toBe(decimal);
  });
});
