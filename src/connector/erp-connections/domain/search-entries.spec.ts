import { describe, expect, it } from '@jest/globals';
import { searchable, searchEntries, type ErpListEntry } from './search-entries.js';

const entry = (code: string, name: string, more: Partial<ErpListEntry> = {}): ErpListEntry => ({
  ...{ code, name, active: true, type: null, externalId: null },
  ...more,
});

const CHART = searchable([
  entry('1000', 'Cash'),
  entry('611', 'Reisekosten Übernachtung', { type: 'expense' }),
  entry('6110', 'Travel', { type: 'expense' }),
  entry('61100', 'Travel 611 abroad', { type: 'expense', active: false }),
  entry('999', 'Øvrige rejser'),
  entry('V-61', 'Straßenbau A/S'),
]);
const found = (search: string, more: object = {}, limit = 50) =>
  searchEntries(CHART, { search, ...more }, limit).data.map(({ code }) => code);

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
    expect(searchEntries(CHART, { search: '61' }, 2)).toMatchObject({
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
