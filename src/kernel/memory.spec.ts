import { describe, expect, it } from '@jest/globals';
import { bytesOf, countedRows } from './memory.js';

describe('the memory of a value', () => {
  it.each([
    ['', 16],
    ['four', 20],
    [7, 16],
    [null, 16],
    [['a', 'b'], 50],
    [{ code: '6071', tags: ['x'] }, 69],
  ])('of %j is about %d bytes', (value, bytes) => {
    expect(bytesOf(value)).toBe(bytes);
  });

  it('makes a long row count as several', () => {
    expect(countedRows([])).toBe(0);
    expect(countedRows([{ code: '1' }, { code: '2' }])).toBe(2);
    expect(countedRows([{ code: '1' }, { code: 'x'.repeat(10_000) }])).toBe(22);
  });
});
