import { describe, expect, it } from '@jest/globals';
import type { ExportItem, ItemLine } from '../../../bookkeeping/item/export-item.js';
import { amountKey, searchColumnsOf, type EndedItem } from './search-lines.js';

const money = (value: string, currency = 'EUR') => ({
  inSupplierCurrency: { value, currency },
  inWalletCurrency: { value, currency },
});

const line = (value: string, account: string, more: Partial<ItemLine> = {}): ItemLine => ({
  accountingEntryLineId: 'l',
  lineAmount: money(value),
  netAmount: money(value),
  account: { id: `id-${account}`, code: account, name: `Name ${account}` },
  ...more,
});

const ended = (
  date: string,
  value: string,
  lines: readonly ItemLine[],
  more: Partial<ExportItem> = {},
  result: Partial<EndedItem> = {},
): EndedItem => ({
  item: {
    ...{ accountingEntryId: 'e', type: 'card_purchase', date, amount: money(value), accountingEntryLines: lines },
    additionalInformation: { reconciliationId: 'r' },
    ...more,
  },
  state: 'successful',
  ...result,
});

describe('the line of an entry', () => {
  it('has state, day, type, amount, accounts, and all searchable text', () => {
    const { words, firstDay, lastDay } = searchColumnsOf([
      [
        'one',
        ended(
          '2026-03-02T10:00:00Z',
          '-12550',
          [line('100', '6420'), line('25', '6540')],
          { vendor: { id: 'v', name: 'Bürobedarf\nA/S' }, user: { id: 'u', code: 'E-17' } },
          { externalId: 'J-9' },
        ),
      ],
      ['two', ended('2026-02-28', '5', [], {}, { state: 'failed' })],
    ]);
    expect(words.replaceAll('\u001f', '|').replaceAll('\u001e', ',').split('\n')).toEqual([
      'one|s|2026-03-02|card_purchase|125.5|,6420,6540,|burobedarf a/s e-17 j-9 6420 name 6420 6540 name 6540|-EUR|14|e-17',
      'two|f|2026-02-28|card_purchase|0.05|,,||EUR|0|',
    ]);
    expect([firstDay, lastDay]).toEqual(['2026-02-28', '2026-03-02']);
  });

  it('stays one line for any text of the platform', () => {
    const { words } = searchColumnsOf([
      ['one', ended('not a day', 'NaN', [line('1', 'a\u001f\u001eb\n')], { type: 'x\ny' })],
    ]);
    expect(words.split('\n')).toHaveLength(1);
    expect(words.split('\u001f')).toHaveLength(10);
    expect(words.split('\u001e')).toHaveLength(3);
  });
});

describe('an amount', () => {
  it.each([
    ['-0125.50', '125.5'],
    ['125,5', '125.5'],
    ['125', '125'],
    ['0.00', '0'],
    ['1e3', undefined],
    ['', undefined],
  ])('written as %j is searched as %j', (text, expected) => {
    expect(amountKey(text)).toBe(expected);
  });
});

describe('uses of reference data', () => {
  it('are counted once for an entry, with the sum of its lines, by currency', () => {
    const tag = { id: 'id-T', code: 'T', groupCode: 'G' };
    const tax = { id: 'id-25', rate: '0.25', type: 'inclusive', amount: money('20') };
    const { uses } = searchColumnsOf([
      [
        'one',
        ended('2026-03-02', '150', [line('100', '6420', { tags: [tag], tax }), line('50', '6420', { tags: [tag] })]),
      ],
      ['two', ended('2026-03-04', '-30', [line('-30', '6420')], { vendor: { id: 'v', name: 'V' } })],
      ['three', ended('2026-03-03', '7', [line('7', '6420', { lineAmount: money('7', 'SEK') })])],
    ]);
    expect(uses).toEqual({
      categories: [
        ['id-6420', 'EUR', '120', 2, '2026-03-04'],
        ['id-6420', 'SEK', '7', 1, '2026-03-03'],
      ],
      'tax-codes': [['id-25', 'EUR', '100', 1, '2026-03-02']],
      tags: [['id-T', 'EUR', '150', 1, '2026-03-02']],
      vendors: [['v', 'EUR', '-30', 1, '2026-03-04']],
    });
  });

  it('add up parts of a hundredth, which a currency with three decimals has', () => {
    const fils = (value: string) => line(value, '6420', { lineAmount: money(value, 'KWD') });
    const { uses } = searchColumnsOf([
      ['one', ended('2026-03-02', '1', [fils('123.4'), fils('0.5')])],
      ['two', ended('2026-03-02', '1', [fils('-100.2'), fils('1000'), fils('no number')])],
    ]);
    expect(uses.categories).toEqual([['id-6420', 'KWD', '1023.7', 2, '2026-03-02']]);
  });
});
