import { describe, expect, it } from '@jest/globals';
import { contentOf } from '../../../bookkeeping/item/content-of.js';
import type { ExportItem } from '../../../bookkeeping/item/export-item.js';
import { dual, itemOf, post } from '../../../bookkeeping/item/planning.fixtures.js';
import { planText } from './plan-text.js';
import { factsOf, sameContent, toStoredItem } from './stored-item.js';

const item = itemOf({
  type: 'card_purchase',
  amount: '12500',
  note: 'Lunch with Kim',
  user: { id: 'user-1', name: 'Kim', code: 'E-1' },
  supplier: { name: 'Café Mere', code: 'S-1' },
  files: [{ url: 'https://files.example/1', type: 'image/png', size: '1' }],
});

describe('what is stored of an item', () => {
  it('has no name of a person, no note or receipt, and is booked the same', () => {
    const kept = toStoredItem(item);
    expect(JSON.stringify(kept)).not.toMatch(/Kim|Lunch|files\.example/);
    expect(contentOf(kept)).toBe(contentOf(item));
    expect(planText(post(kept).entries)).toBe(planText(post(item).entries));
  });

  it.each<readonly [string, Partial<ExportItem>, Partial<ExportItem>]>([
    [
      'name and keys of the supplier',
      { supplier: { name: 'Café', code: 'S-1', account: '5410', taxIdentifier: 'DK-1' } },
      { supplier: { name: 'Café', code: 'S-1', account: '5410', taxIdentifier: 'DK-1' } },
    ],
    [
      'the keys of the user',
      { user: { id: 'user-1', name: 'Kim', code: 'E-1' } },
      { user: { id: 'user-1', code: 'E-1' } },
    ],
    ['the method', { bookkeeping: { method: 'accounts_payable' } }, { bookkeeping: { method: 'accounts_payable' } }],
    [
      'nothing of what is null',
      { supplier: null, user: null, bookkeeping: null },
      { supplier: null, user: null, bookkeeping: null },
    ],
    [
      'nothing of what is absent',
      { supplier: undefined, user: undefined, bookkeeping: undefined },
      { supplier: undefined, user: undefined, bookkeeping: undefined },
    ],
  ])('has %s', (_, given, kept) => {
    expect(toStoredItem({ ...item, ...given })).toEqual({ ...toStoredItem(item), ...kept });
  });

  it.each([
    ['12500', 'EUR', '12500'],
    ['150000', 'JPY', '1500'],
    ['0.5', 'EUR', '0.5'],
    ['1', 'XXY', undefined],
  ])('%s hundredths of %s are %s', (value, code, amountMinor) => {
    const facts = factsOf({ ...item, amount: dual(value, code) });
    expect(facts).toEqual({
      ...{ itemType: 'card_purchase', date: item.date.slice(0, 10), supplier: 'Café Mere' },
      ...{ currency: code, amountMinor },
    });
  });
});

describe('two items that are booked the same', () => {
  it.each<readonly [string, Partial<ExportItem>, boolean]>([
    ['with another note', { note: 'Dinner' }, true],
    ['with another spelling of the amount', { amount: dual('12500.0') }, true],
    ['but not with another amount', { amount: dual('12501') }, false],
    ['but not with another type', { type: 'fee' }, false],
  ])('%s', (_, change, same) => {
    expect(sameContent(item, { ...item, ...change })).toBe(same);
  });
});
