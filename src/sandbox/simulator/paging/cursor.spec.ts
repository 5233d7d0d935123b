import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { decodeCursor, encodeCursor } from './cursor.js';

const text = fc.string({ unit: 'grapheme' });

describe('cursors', () => {
  it('round-trip and use the documented alphabet', () => {
    fc.assert(
      fc.property(text, text, (sortKey, list) => {
        const encoded = encodeCursor(sortKey, list);
        expect(encoded).toMatch(/^[A-Z2-7]*~[A-Z2-7]*$/);
        expect(decodeCursor(encoded)).toEqual({ sortKey, list });
      }),
    );
  });

  it.each(['', 'AB', 'ab~AB', 'A~B~C', 'A1~B'])('%j is not a cursor', (cursor) => {
    expect(decodeCursor(cursor)).toBeUndefined();
  });
});
