import { describe, expect, it } from '@jest/globals';
import { matching, meantBy } from './meant.js';

const OPTIONS = [
  { value: '6440', label: '6440 Small equipment' },
  { value: '6991', label: '6991 Other costs' },
  { value: '69910', label: '69910 Other travel' },
];

describe('what is typed into a field with a list', () => {
  it.each([
    ['', '6991', '6991'],
    ['', ' small ', '6440'],
    ['', 'other', undefined],
    ['', ' ', undefined],
    // A proposal stands there, and something else is typed over it.
    ['6440', '6991', '6991'],
    ['6440', 'other tr', '69910'],
    ['6440', 'other', undefined],
    ['6440', '6440 Small equipment', undefined],
    ['6440', '', undefined],
    // An archived account that the list has no more.
    ['644', '644', undefined],
  ])('with "%s" chosen, %j means %s', (value, typed, code) => {
    expect(meantBy(OPTIONS, value, typed, true)?.value).toBe(code);
  });

  it('means, while further ones may match, the one with that code only', () => {
    const codes = ['small', '6440'].map((typed) => meantBy(OPTIONS, '', typed, false)?.value);
    expect(codes).toEqual([undefined, '6440']);
  });

  it('finds what has every word, and all while a chosen name stands there', () => {
    expect(matching(OPTIONS, 'OTHER 69').map(({ value }) => value)).toEqual(['6991', '69910']);
    expect(matching(OPTIONS, '6440 Small equipment')).toHaveLength(3);
  });
});
