import { describe, expect, it } from '@jest/globals';
import type { ExportItem } from './export-item.js';
import { contextWith, itemOf, onlyEntry, post } from './planning.fixtures.js';

type Texts = Partial<Pick<ExportItem, 'supplier' | 'user' | 'note'>> & { readonly vendor?: string };

function descriptionOf(texts: Texts, descriptionLimit = 100): string {
  const item = itemOf({ type: 'card_purchase', amount: '1000', ...texts });
  return onlyEntry(post(item, contextWith({ descriptionLimit }))).description;
}

const ann = { id: 'u', name: 'Ann Berg' };

describe('description', () => {
  it.each([
    [{ supplier: { name: 'GOOGLE*ADS' }, user: ann, note: 'Campaign' }, 'GOOGLE*ADS · Ann Berg · Campaign'],
    [{ vendor: 'V-7', user: ann, note: 'Campaign' }, 'Vendor V-7 · Ann Berg · Campaign'],
    [{ vendor: 'V-7', supplier: { name: 'Shop' } }, 'Shop'],
    [{ vendor: 'V-7', supplier: { name: ' ' } }, 'Vendor V-7'],
    [{ note: '  Lunch  ' }, 'Lunch'],
    [{ user: ann, note: null }, 'Ann Berg'],
    [{}, ''],
  ])('%j', (texts, expected) => {
    expect(descriptionOf(texts)).toBe(expected);
  });

  it('has no control characters and stays on one line', () => {
    expect(descriptionOf({ note: 'Lu\u0007nch\r\nwith\tBo\u0000\u009f' })).toBe('Lunch with Bo');
  });

  it('has no lone surrogates', () => {
    expect(descriptionOf({ note: 'a\ud800b' })).toBe('a\ufffdb');
  });

  it.each([
    [9, 'Ann · Lun'],
    [6, 'Ann ·'], // no blank at the end
    [11, 'Ann · Lunch'],
  ])('is cut to %d characters', (limit, expected) => {
    expect(descriptionOf({ user: { id: 'u', name: 'Ann' }, note: 'Lunch' }, limit)).toBe(expected);
  });

  it('is never cut within a character', () => {
    expect(descriptionOf({ note: '🍕🍕🍕' }, 2)).toBe('🍕🍕');
    expect(descriptionOf({ note: '🍕🍕🍕' }, 3)).toBe('🍕🍕🍕');
  });

  it('the reference is the reconciliation id', () => {
    const item = itemOf({ type: 'card_purchase', amount: '1000', reconciliationId: 'R-\u00074711' });
    expect(onlyEntry(post(item)).reference).toBe('R-4711');
  });
});
