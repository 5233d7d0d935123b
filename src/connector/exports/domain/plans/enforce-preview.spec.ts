import { describe, expect, it } from '@jest/globals';
import { contentOf } from '../../../bookkeeping/item/content-of.js';
import { contextWith, currency, day, dual, itemOf, post } from '../../../bookkeeping/item/planning.fixtures.js';
import { enforcePreview } from './enforce-preview.js';
import { factsOf, toStoredItem } from './stored-item.js';
import { planChunk } from './plan-chunk.js';
import { diffPlans, planAsJson } from './plan-diff.js';
import { planText } from './plan-text.js';

const ID = '0a0b0c0d-0000-4000-8000-000000000001';
const item = itemOf({
  type: 'card_purchase',
  amount: '12500',
  note: 'Lunch with Kim',
  user: { id: 'user-1', name: 'Kim', code: 'E-1' },
  supplier: { name: 'Kim’s', code: 'S-1' },
  files: [{ url: 'https://files.example/1', type: 'image/png', size: '1' }],
});
const other = contextWith({ settings: { wallets: { EUR: '1936' } } });
const textOf = (context = contextWith()) => planText(post(item, context).entries);
const planned = planChunk([{ accountingEntryId: ID, item }], new Map(), contextWith(), String);

describe('what a committed preview lets through', () => {
  it.each([
    ['anything where nobody has looked', undefined, 'post'],
    ['what has the same plan', new Map([[ID, textOf()]]), 'post'],
    ['nothing with another plan', new Map([[ID, textOf(other)]]), 'fail'],
    ['nothing that was not in it', new Map<string, string>(), 'fail'],
  ])('is %s', (_, expected, action) => {
    expect(enforcePreview(planned, expected, String).map((one) => one.action)).toEqual([action]);
  });

  it('fails the rest with an issue of its own', () => {
    expect(enforcePreview(planned, new Map(), String)).toMatchObject([
      { failureType: 'validation_failure', issues: [{ kind: 'preview', reference: 'entry' }] },
    ]);
  });
});

describe('the text of a plan', () => {
  it('does not depend on the order of keys, nor on names and notes', () => {
    const turned = {
      ...item,
      amount: JSON.parse(
        '{"inWalletCurrency":{"value":"12500","currency":"EUR"},"inSupplierCurrency":{"value":"12500","currency":"EUR"}}',
      ) as typeof item.amount,
    };
    expect(planText(post(turned).entries)).toBe(textOf());
    expect(planText(post({ ...item, note: 'Dinner' }).entries)).toBe(textOf());
  });

  it('tells another account, version or rate', () => {
    const rate = (text: string) =>
      contextWith({
        rates: [{ from: currency('USD'), to: currency('EUR'), date: day('2026-02-10'), rate: text }],
      });
    const foreign = itemOf({ type: 'card_purchase', amount: '100', currency: 'USD', contra: '1936' });
    const texts = [textOf(), textOf(other), textOf(contextWith({ mappingVersion: 5 }))];
    expect(new Set(texts).size).toBe(3);
    expect(planText(post(foreign, rate('0.9')).entries)).not.toBe(planText(post(foreign, rate('0.8')).entries));
  });
});

describe('the difference between two plans', () => {
  it('is none between a plan and itself as it was written down', () => {
    const { entries } = post(item);
    expect(diffPlans(planAsJson(entries), JSON.parse(JSON.stringify(planAsJson(entries))) as unknown[])).toEqual([]);
  });

  it('names each pointer, and leaves out how something was decided', () => {
    const after = contextWith({
      rules: [{ id: '7', subject: 'account', sourceKey: '5410', target: '5410' }],
      settings: { wallets: { EUR: '1936' } },
      mappingVersion: 9,
    });
    expect(diffPlans(planAsJson(post(item).entries), planAsJson(post(item, after).entries))).toEqual([
      { pointer: '/0/lines/1/account/code', before: '1935', after: '1936' },
    ]);
  });

  it('names at most 50 pointers', () => {
    const many = Array.from({ length: 60 }, (_, index) => ({ role: index.toString() }));
    expect(diffPlans([], many)).toHaveLength(50);
  });
});

describe('what is stored of an item', () => {
  it('has no name of a person or merchant, note or receipt, and is booked the same', () => {
    const kept = toStoredItem(item);
    expect(JSON.stringify(kept)).not.toMatch(/Kim|Lunch|files\.example/);
    expect(contentOf(kept)).toBe(contentOf(item));
    expect(planText(post(kept).entries)).toBe(textOf());
  });

  it.each([
    ['12500', 'EUR', 12500n],
    ['150000', 'JPY', 1500n],
    ['0.5', 'EUR', undefined],
    ['1', 'XXY', undefined],
  ])('%s hundredths of %s are %s', (value, code, amountMinor) => {
    const facts = factsOf({ ...item, amount: dual(value, code) });
    expect(facts).toEqual({ itemType: 'card_purchase', currency: code, amountMinor });
  });
});
