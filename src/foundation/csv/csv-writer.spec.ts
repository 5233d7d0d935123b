import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readCsv } from './csv-reader.js';
import { writeCsv } from './csv-writer.js';
import { addFormulaGuard, needsFormulaGuard, removeFormulaGuard } from './formula-guard.js';

const HOSTILE: readonly (readonly [name: string, text: string])[] = [
  ['formula', '=1+1'],
  ['formula with a command', '=cmd|"/c calc"!A1'],
  ['plus', '+1'],
  ['minus', '-1'],
  ['at sign', '@sum'],
  ['full-width equals sign', '＝1'],
  ['full-width plus', '＋1'],
  ['full-width minus', '－1'],
  ['full-width at sign', '＠a'],
  ['tab', '\tx'],
  ['carriage return', '\rx'],
  ['line feed', '\nx'],
  ['formula behind a blank', ' =1'],
  ['formula behind a no-break space', '\u00a0@a'],
  ['formula behind a line feed', '\n+1'],
  ['formula behind a tab', '\t=1'],
  ['formula behind a control character', '\u0001=1'],
  ['formula behind a NUL', '\u0000=1'],
  ['formula behind a byte order mark', '\ufeff=1'],
  ['formula behind a zero-width space', '\u200b=1'],
  ['formula behind a zero-width joiner', '\u200d=1'],
  ['formula behind a word joiner', '\u2060=1'],
  ['formula behind a right-to-left mark', '\u200f=1'],
  ['formula behind an invisible filler', '\u3164=1'],
  ['formula behind several invisible characters', ' \u200b\t\u0001=1'],
  ['apostrophe', "'x"],
  ['apostrophe before a formula', "'=1"],
  ['apostrophe behind a blank', " '=1"],
];
const HARMLESS = ['', ' ', '0100', ' x', 'a=1', '1-2', 'x@y', '#1', '2026-03-02', "O'Brien", 'Café'];

const LIMITS = { cell: 1_000, columns: 100, rows: 100 };
/** Cells as a spreadsheet shows them. */
const cellsOf = (file: string) => {
  const table = readCsv(file, ',', LIMITS);
  return 'rows' in table ? table.rows.map(({ cells }) => cells) : table;
};

describe('the formula guard', () => {
  it.each(HOSTILE)('is added to and removed from a cell with %s', (_, text) => {
    expect(needsFormulaGuard(text)).toBe(true);
    expect(cellsOf(writeCsv([[text]]))).toEqual([[`'${text}`]]);
    expect(removeFormulaGuard(addFormulaGuard(text))).toBe(text);
  });

  it.each(HARMLESS)('is not added to %j', (text) => {
    expect(needsFormulaGuard(text)).toBe(false);
    expect(writeCsv([['h', text]])).toMatch(/^h,[^']/);
  });

  it('is removed exactly as it was added, for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(removeFormulaGuard(addFormulaGuard(text))).toBe(text);
      }),
    );
  });
});

describe('writing CSV', () => {
  it.each([
    ['a,b', '"a,b"'],
    ['say "hi"', '"say ""hi"""'],
    ['a\r\nb', '"a\r\nb"'],
    ['a;b', '"a;b"'],
    [' a', '" a"'],
    ['', ''],
  ])('writes %j as %s', (text, written) => {
    expect(writeCsv([['h'], [text, 'x']])).toBe(`h\r\n${written},x\r\n`);
  });

  it.each([
    ['-12.50', '-12.50'],
    ['-1', '-1'],
    ['0', '0'],
    ['-1+1', "'-1+1"],
    ['+1', "'+1"],
    ['=1', "'=1"],
    ['-', "'-"],
    ['1e5', '1e5'],
    ['', ''],
  ])('writes the number %j as %s', (figure, written) => {
    expect(writeCsv([['h', { figure }]])).toBe(`h,${written}\r\n`);
  });

  it('adds the apostrophe to other text that spreadsheets damage, once', () => {
    const isFragile = (text: string) => /^[=1]/.test(text);
    expect(writeCsv([['1E5', '=1', 'x', '-1']], isFragile)).toBe("'1E5,'=1,x,'-1\r\n");
  });

  it('round-trips', () => {
    const cell = fc.string({ unit: 'binary' }).filter((text) => text.trim() !== '');
    fc.assert(
      fc.property(fc.array(fc.array(cell, { minLength: 1 })), (table) => {
        const read = cellsOf(writeCsv(table));
        expect(Array.isArray(read) && read.map((row) => row.map(removeFormulaGuard))).toEqual(table);
      }),
    );
  });
});
