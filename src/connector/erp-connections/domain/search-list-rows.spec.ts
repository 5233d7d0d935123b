import { describe, expect, it } from '@jest/globals';
import { searchable, searchListRows, type ErpListRow } from './search-list-rows.js';

const row = (code: string, name: string, more: Partial<ErpListRow> = {}): ErpListRow => ({
  ...{ code, name, active: true, type: null, externalId: null },
  ...more,
});

const CHART = searchable([
  row('1000', 'Cash'),
  row('611', 'Reisekosten Übernachtung', { type: 'expense' }),
  row('6110', 'Travel', { type: 'expense' }),
  row('61100', 'Travel 611 abroad', { type: 'expense', active: false }),
  row('999', 'Øvrige rejser'),
  row('V-61', 'Straßenbau A/S'),
]);
const found = (search: string, more: object = {}, limit = 50) =>
  searchListRows(CHART, { search, ...more }, limit).data.map(({ code }) => code);

describe('a search', () => {
  it.each([
    ['', ['611', '999', '1000', '6110', '61100', 'V-61']],
    ['611', ['611', '6110', '61100']],
    ['travel', ['6110', '61100']],
    ['ubernacht', ['611']],
    ['reise nacht', ['611']],
    ['strassen', ['V-61']],
    ['ravel', ['6110', '61100']],
    ['nobody', []],
  ])('for %j finds %j, best match first', (search, expected) => {
    expect(found(search)).toEqual(expected);
  });

  it('counts the matches beyond the limit', () => {
    expect(searchListRows(CHART, { search: '61' }, 2)).toMatchObject({
      total: 4,
      data: [{ code: '611' }, { code: '6110' }],
    });
  });

  it.each([
    [{ type: 'expense' }, ['611', '6110', '61100']],
    [{ active: false }, ['61100']],
    [{ active: true, type: 'expense' }, ['611', '6110']],
  ])('is narrowed by %j', (filter, expected) => {
    expect(found('', filter)).toEqual(expected);
  });
});
