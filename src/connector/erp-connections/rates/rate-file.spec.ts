import { describe, expect, it } from '@jest/globals';
import { MAX_RATES } from '../domain/rate-table.js';
import { readRateFile } from './rate-file.js';

describe('a file of rates', () => {
  it.each([
    ['commas', 'date,from,to,rate\n2026-03-02,USD,EUR,0.91230\n'],
    [
      'semicolons, a byte order mark, CRLF, other order',
      '\uFEFFRate; To;From;Date\r\n\r\n0.9123;EUR; USD;2026-03-02\r\n',
    ],
  ])('is read: %s', (_, text) => {
    expect(readRateFile(text)).toEqual([{ date: '2026-03-02', from: 'USD', to: 'EUR', rate: '0.9123' }]);
  });

  it.each([
    ['', 1, 'headings'],
    ['day,from,to,rate\n', 1, 'headings'],
    ['date,from,to,rate\n2026-02-30,USD,EUR,1', 2, 'date'],
    ['date,from,to,rate\n2026-03-02,US,EUR,1', 2, 'currencies'],
    ['date,from,to,rate\n2026-03-02,EUR,EUR,1', 2, 'currencies'],
    ['date,from,to,rate\n\n2026-03-02,USD,EUR,"0,9"', 3, 'rate'],
    ['date,from,to,rate\n2026-03-02,USD,EUR,0', 2, 'rate'],
    ['date,from,to,rate\n2026-03-02,USD,EUR,-1', 2, 'rate'],
    ['date,from,to,rate\n2026-03-02,USD,EUR,1\n2026-03-02,USD,EUR,2', 3, 'twice'],
    ['date,from,to,rate\n2026-03-02,USD', 2, 'currencies'],
    ['date,from,to,rate\n2026-03-02,USD,EUR,"1', 2, 'unbalanced-quote'],
  ])('%j is refused at its line', (text, line, code) => {
    expect(readRateFile(text)).toMatchObject({ line, detail: { code: `problem.invalid-rates.${code}` } });
  });

  it('has a maximum number of rows', () => {
    const day = (index: number) => new Date(index * 86_400_000).toISOString().slice(0, 10);
    const rows = Array.from({ length: MAX_RATES + 1 }, (_, index) => `${day(index)},USD,EUR,1`);
    expect(readRateFile(['date,from,to,rate', ...rows].join('\n'))).toMatchObject({ line: MAX_RATES + 2 });
    expect(readRateFile(['date,from,to,rate', ...rows.slice(1)].join('\n'))).toHaveLength(MAX_RATES);
  });
});
