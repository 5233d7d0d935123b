import { expect, it } from '@jest/globals';
import { negotiateFormat } from './response-format.js';

it.each<[unknown, string | undefined, string | undefined]>([
  [undefined, undefined, 'json'],
  [undefined, '*/*', 'json'],
  [undefined, 'application/json', 'json'],
  [undefined, 'text/csv', 'csv'],
  [undefined, 'Text/CSV; charset=utf-8', 'csv'],
  [undefined, 'text/csv, */*;q=0.1', 'csv'],
  [undefined, 'text/*', 'csv'],
  [undefined, 'application/json, text/csv', 'json'],
  [undefined, 'application/json;q=0.5, text/csv;q=0.9', 'csv'],
  [undefined, 'text/csv;q=0', 'json'],
  [undefined, 'text/csv;q=many', 'json'],
  [undefined, 'text/html', 'json'],
  ['csv', 'application/json', 'csv'],
  ['json', 'text/csv', 'json'],
  ['xml', 'text/csv', undefined],
  [['csv', 'csv'], undefined, undefined],
])('format %s, Accept %s: %s', (format, accept, wanted) => {
  expect(negotiateFormat(format, accept)).toBe(wanted);
});
