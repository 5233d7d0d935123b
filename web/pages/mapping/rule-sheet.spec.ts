import { expect, it } from '@jest/globals';
import { csvOfRows } from './rule-sheet.js';

it('writes each row of a sheet as one line, numbers as their digits', () => {
  const rows = [
    ['subject', 'source', 'target'],
    ['account', 6475, '6440'],
    ['tag', 'North\n"A", old', null],
  ];
  expect(csvOfRows(rows)).toBe('"subject","source","target"\r\n"account","6475","6440"\r\n"tag","North ""A"", old",""');
});
