import { describe, expect, it } from '@jest/globals';
import type { ExportItem } from '../../../bookkeeping/item/export-item.js';
import { listedFactsOf } from './listed-facts.js';

const item = (links: ExportItem['_links']): ExportItem => ({
  accountingEntryId: '5a170000-0009-4000-8000-000000000001',
  type: 'card_purchase',
  date: '2026-10-02T14:37:00Z',
  amount: {
    inSupplierCurrency: { currency: 'EUR', value: '100' },
    inWalletCurrency: { currency: 'EUR', value: '100' },
  },
  accountingEntryLines: [],
  additionalInformation: { reconciliationId: 'R-1' },
  _links: links,
});

describe('the page of an expense on the platform', () => {
  it.each([
    ['https://platform.example/export-items/1?x=2#top', 'https://platform.example/export-items/1?x=2#top'],
    ['http://localhost:3100/?entry=1', 'http://localhost:3100/?entry=1'],
    ['javascript:alert(1)', null],
    ['data:text/html,x', null],
    ['//platform.example/1', null],
    ['https://platform.example/ "onclick="x', null],
    ['', null],
  ])('from %s is %s', (exportItem, expenseUrl) => {
    expect(listedFactsOf(item({ web: { exportItem } })).expenseUrl).toBe(expenseUrl);
  });

  it('is absent when the platform gives none, or nothing is stored', () => {
    expect([listedFactsOf(item(undefined)).expenseUrl, listedFactsOf(undefined).expenseUrl]).toEqual([null, null]);
  });
});

describe('the supplier', () => {
  it.each<readonly [Partial<ExportItem>, string | null]>([
    [{ vendor: { id: 'v', name: 'Büro AS' }, supplier: { name: 'BURO*4711' } }, 'Büro AS'],
    [{ vendor: { id: 'v', name: ' ' }, supplier: { name: 'BURO*4711' } }, 'BURO*4711'],
    [{ supplier: { name: 'BURO*4711' } }, 'BURO*4711'],
    [{ supplier: { name: null } }, null],
    [{ vendor: null, supplier: null }, null],
  ])('of %j is %s', (names, supplier) => {
    expect(listedFactsOf({ ...item(undefined), ...names }).supplier).toBe(supplier);
  });
});
