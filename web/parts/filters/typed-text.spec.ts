import { describe, expect, it } from '@jest/globals';
import { followed, withSent, type TypedText } from './typed-text.js';

const EMPTY: TypedText = { text: '', seen: '', sent: [] };
const type = (typed: TypedText, text: string) => withSent({ ...typed, text }, text);

describe('the text of a filter', () => {
  it('is the same object while nothing has changed', () => {
    expect(followed(EMPTY, '')).toBe(EMPTY);
  });

  it('is emptied when a link leads to the list without filters', () => {
    const found = followed(type(EMPTY, 'Müller'), 'Müller');
    expect(found.text).toBe('Müller');
    expect(followed(found, '')).toEqual(EMPTY);
  });

  it('is that of an address that a link leads to', () => {
    expect(followed(EMPTY, '6440').text).toBe('6440');
  });

  it('stays as it is typed while the address follows', () => {
    const typing = { ...type(type(EMPTY, 'M'), 'Mü'), text: 'Mül' };
    const first = followed(typing, 'M');
    expect([first.text, followed(first, 'Mü').text]).toEqual(['Mül', 'Mül']);
  });

  it('stays where the address skips what was typed over', () => {
    const typing = type(type(EMPTY, 'M'), 'Mü');
    expect(followed(typing, 'Mü')).toEqual({ text: 'Mü', seen: 'Mü', sent: [] });
  });
});
