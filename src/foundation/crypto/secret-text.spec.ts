import { describe, expect, it } from '@jest/globals';
import { isSameSecret, newSecretText } from './secret-text.js';

it.each([
  [undefined, 43],
  [24, 32],
])('a secret of %s bytes has %i characters of base64url', (bytes, length) => {
  expect(newSecretText(bytes)).toMatch(new RegExp(`^[A-Za-z0-9_-]{${length.toString()}}$`));
});

it('no two secrets are the same', () => {
  expect(newSecretText()).not.toBe(newSecretText());
});

describe('comparison of secrets', () => {
  it.each([
    ['secret', 'secret', true],
    ['secret', 'Secret', false],
    ['secret', 'secret ', false],
    ['secret', '', false],
  ])('%s equals %s: %s', (expected, given, isSame) => {
    expect(isSameSecret(expected, given)).toBe(isSame);
  });
});
