import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { beginsLikeFormula, readCsv, writeCsvLine } from './csv-table.js';

const LIMITS = { cell: 20, columns: 4, rows: 5 };
const read = (text: string, delimiter: ',' | ';' | '\t' = ',') => readCsv(text, delimiter, LIMITS);
const rows = (text: string, delimiter?: ',' | ';' | '\t') => {
  const table = read(text, delimiter);
  return 'rows' in table ? table.rows.map(({ line, cells }) => [line, ...cells]) : table;
};

describe('CSV', () => {
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

  it.each([';', '\t'] as const)('with %j between the cells', (delimiter) => {
    expect(rows(`a,b${delimiter}"c${delimiter}d"`, delimiter)).toEqual([[1, 'a,b', `c${delimiter}d`]]);
  });

  it('that was written is read', () => {
    const limits = { cell: 1_000, columns: 100, rows: 100 };
    const cell = fc.string({ unit: 'binary' }).filter((text) => text.trim() !== '');
    fc.assert(
      fc.property(fc.array(fc.array(cell, { minLength: 1 })), (table) => {
        const back = readCsv(table.map(writeCsvLine).join(''), ',', limits);
        expect('rows' in back && back.rows.map(({ cells }) => cells)).toEqual(table);
      }),
    );
  });

  it.each([
    ['one long line', 'x'.repeat(2_000_000)],
    ['quotes only', '"'.repeat(2_000_000)],
    ['delimiters only', ','.repeat(2_000_000)],
    ['an open quote', `"${'""'.repeat(1_000_000)}`],
  ])('of %s is read to its end or its fault, once', (_, text) => {
    expect(read(text)).toHaveProperty('code');
  });
});

describe('a cell', () => {
  it.each(['=1', '-1', '＝1', '＋1', '－1', '＠a', ' =1', '\u00a0@a', '\n+1', '\tx', '\rx'])(
    'of %j would be computed by a spreadsheet',
    (cell) => {
      expect(beginsLikeFormula(cell)).toBe(true);
    },
  );

  it.each(['', ' ', '0100', ' x', 'a=1', '#1', "'=1"])('of %j would not', (cell) => {
    expect(beginsLikeFormula(cell)).toBe(false);
  });
});
