import { describe, expect, it } from '@jest/globals';
import { readCsv } from './csv-reader.js';

const LIMITS = { cell: 20, columns: 4, rows: 5 };
const read = (text: string, delimiter: ',' | ';' | '\t' = ',') => readCsv(text, delimiter, LIMITS);
const rows = (text: string, delimiter?: ',' | ';' | '\t') => {
  const table = read(text, delimiter);
  return 'rows' in table ? table.rows.map(({ line, cells }) => [line, ...cells]) : table;
};

describe('reading CSV', () => {
  it.each([
    ['', []],
    ['a,b', [[1, 'a', 'b']]],
    ['a,b\r\n', [[1, 'a', 'b']]],
    [
      'a,\n,b',
      [
        [1, 'a', ''],
        [2, '', 'b'],
      ],
    ],
    [
      'a\rb\r\nc\nd',
      [
        [1, 'a'],
        [2, 'b'],
        [3, 'c'],
        [4, 'd'],
      ],
    ],
    ['"a,b"', [[1, 'a,b']]],
    ['"a ""b"""', [[1, 'a "b"']]],
    ['"",b', [[1, '', 'b']]],
    [
      '"a\r\nb\nc",d\ne',
      [
        [1, 'a\r\nb\nc', 'd'],
        [4, 'e'],
      ],
    ],
    [
      'a\n\n  \n,,\nb',
      [
        [1, 'a'],
        [5, 'b'],
      ],
    ],
    [' a , "b', { line: 1, column: 2, code: 'misplaced-quote' }],
    ['a\nb,"c\nd', { line: 2, column: 2, code: 'unbalanced-quote' }],
    ['"', { line: 1, column: 1, code: 'unbalanced-quote' }],
    ['a"b', { line: 1, column: 1, code: 'misplaced-quote' }],
    ['"a"b', { line: 1, column: 1, code: 'misplaced-quote' }],
    ['a,b,c,d,e', { line: 1, column: 5, code: 'too-many-columns' }],
    [`a\n${'x'.repeat(21)}`, { line: 2, column: 1, code: 'too-long' }],
    ['1\n2\n3\n4\n5\n6\n7', { line: 6, column: 1, code: 'too-many-rows' }],
  ])('%j', (text, expected) => {
    expect(rows(text)).toEqual(Array.isArray(expected) ? expected : expect.objectContaining(expected));
  });

  it.each([';', '\t'] as const)('accepts %j between the cells', (delimiter) => {
    expect(rows(`a,b${delimiter}"c${delimiter}d"`, delimiter)).toEqual([[1, 'a,b', `c${delimiter}d`]]);
  });

  it.each([
    ['one long line', 'x'.repeat(2_000_000)],
    ['quotes only', '"'.repeat(2_000_000)],
    ['delimiters only', ','.repeat(2_000_000)],
    ['an open quote', `"${'""'.repeat(1_000_000)}`],
    ['blank rows', ',\n'.repeat(2_000_000)],
    ['rows of different lengths', 'a,b\n\t\n'.repeat(2_000_000)],
  ])('stops at the first problem of %s', (_, text) => {
    expect(read(text)).toHaveProperty('code');
  });

  it('skips any number of empty lines', () => {
    expect(rows(`a${'\n'.repeat(2_000_000)}b`)).toEqual([
      [1, 'a'],
      [2_000_001, 'b'],
    ]);
  });

  it('refuses a file of many rows with another number of cells than the first row', () => {
    const file = (count: number) => readCsv(`a,b\n${'c\n'.repeat(count)}`, ',', { ...LIMITS, rows: 10_000 });
    expect(file(1_000)).toHaveProperty('rows.length', 1_001);
    expect(file(1_001)).toMatchObject({ line: 1_002, code: 'wrong-number-of-cells' });
  });

  it.each([
    ['"a\r\nb"\r\n\r\n"c', { line: 4, column: 1, code: 'unbalanced-quote' }],
    ['a\r\n\n"b"c', { line: 3, column: 1, code: 'misplaced-quote' }],
  ])('reports the line of the row with the problem: %j', (text, expected) => {
    expect(read(text)).toMatchObject(expected);
  });
});
