import { describe, expect, it } from '@jest/globals';
import { figure, money, sheet, text } from './csv.js';

const one = (value: string) =>
  sheet({
    fileName: () => 'x',
    rows: (row: string) => [row],
    columns: [text<string, string>('h', (row) => row)],
  })
    .write(value)
    .slice('h\r\n'.length, -'\r\n'.length);

describe('a text cell', () => {
  it.each([
    ['as it is', 'Café', 'Café'],
    ['with a comma', 'a,b', '"a,b"'],
    ['with quotes', 'say "hi"', '"say ""hi"""'],
    ['with a line break', 'a\r\nb', '"a\r\nb"'],
    ['with the separator of other countries', 'a;b', '"a;b"'],
    ['with blanks, which some readers trim', ' a', '" a"'],
    ['empty', '', ''],
  ])('%s', (_, value, written) => {
    expect(one(value)).toBe(written);
  });

  it.each([
    ['=1+1', `'=1+1`],
    ['+1', `'+1`],
    ['-1', `'-1`],
    ['@sum', `'@sum`],
    [' =1', `"' =1"`],
    ['\t=1', `"'\t=1"`],
    ['\u00a0=1', `"'\u00a0=1"`],
    ['\u0001=1', `'\u0001=1`],
    ['\ufeff=1', `"'\ufeff=1"`],
    ['\u200b=1', `'\u200b=1`],
    ['\tx', `"'\tx"`],
    ['\rx', `"'\rx"`],
    ['＝1', `'＝1`],
    [`'quoted`, `''quoted`],
    ['=cmd|"/c calc"!A1', `"'=cmd|""/c calc""!A1"`],
  ])('%j is no formula', (value, written) => {
    expect(one(value)).toBe(written);
  });

  it.each(['a=1', '1-2', 'x@y', '2026-03-02'])('%s needs no apostrophe', (value) => {
    expect(one(value)).toBe(value);
  });
});

interface Owed {
  readonly minor: string | null;
  readonly currency: string;
}

describe('a sheet', () => {
  it('has a header line and ends every line', () => {
    const made = sheet<readonly Owed[], Owed>({
      fileName: () => 'x',
      rows: (rows) => rows,
      columns: [
        text('currency', (row) => row.currency),
        ...money(
          'amount',
          (row: Owed) => row.minor,
          (row) => row.currency,
        ),
      ],
    });
    const rows = [
      { minor: '-1234', currency: 'EUR' },
      { minor: '5', currency: 'EUR' },
      { minor: '-1500', currency: 'JPY' },
      { minor: '1234', currency: 'KWD' },
      { minor: null, currency: 'EUR' },
    ];
    expect(made.write(rows)).toBe(
      'currency,amountMinor,amount\r\nEUR,-1234,-12.34\r\nEUR,5,0.05\r\nJPY,-1500,-1500\r\nKWD,1234,1.234\r\nEUR,,\r\n',
    );
    expect(made.write([])).toBe('currency,amountMinor,amount\r\n');
  });

  it('believes no figure that is none', () => {
    const made = sheet({
      fileName: () => 'x',
      rows: (row: string) => [row],
      columns: [figure<string, string>('h', (row) => row)],
    });
    expect(made.write('-1+1')).toBe(`h\r\n'-1+1\r\n`);
    expect(made.write('-1')).toBe('h\r\n-1\r\n');
  });
});
