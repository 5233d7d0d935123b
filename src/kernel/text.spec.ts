import { describe, expect, it } from '@jest/globals';
import { cutText, foldedText, storableText } from './text.js';

it.each([
  ['plain', 'plain'],
  ['a\0b', 'a\uFFFDb'],
  ['\uD800x', '\uFFFDx'],
  ['x\uDC00', 'x\uFFFD'],
  ['🍕', '🍕'],
])('%j is stored as %j', (text, expected) => {
  expect(storableText(text)).toBe(expected);
});

it.each([
  ['abc', 3, 'abc'],
  ['abcd', 3, 'abc'],
  ['ab🍕', 3, 'ab'],
  ['ab🍕', 4, 'ab🍕'],
  ['a🍕b', 3, 'a🍕'],
])('%j cut to %i is %j', (text, limit, expected) => {
  expect(cutText(text, limit)).toBe(expected);
});

describe('folded text', () => {
  it.each([
    ['Übernachtung', 'ubernachtung'],
    ['STRASSE', 'strasse'],
    ['Straße', 'strasse'],
    ['Øvrige  rejser ', 'ovrige rejser'],
    ['Łódź Æble', 'lodz aeble'],
  ])('of %j is %j', (text, expected) => {
    expect(foldedText(text)).toBe(expected);
  });
});
