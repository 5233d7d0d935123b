import { describe, expect, it } from '@jest/globals';
import { contextWith, currency, day, itemOf, post } from '../../../bookkeeping/item/planning.fixtures.js';
import type { PlannedEntry } from '../../../bookkeeping/item/posting-plan.js';
import { planText } from './plan-text.js';

const item = itemOf({ type: 'card_purchase', amount: '12500', note: 'Lunch with Kim' });
const other = contextWith({ settings: { wallets: { EUR: '1936' } } });
const textOf = (context = contextWith()) => planText(post(item, context).entries);
const writtenOf = (entry: object) => planText([entry as PlannedEntry]);

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

  it('changes with the account, version and rate', () => {
    const rate = (text: string) =>
      contextWith({
        rates: [{ from: currency('USD'), to: currency('EUR'), date: day('2026-02-10'), rate: text }],
      });
    const foreign = itemOf({ type: 'card_purchase', amount: '100', currency: 'USD', contra: '1936' });
    const texts = [textOf(), textOf(other), textOf(contextWith({ mappingVersion: 5 }))];
    expect(new Set(texts).size).toBe(3);
    expect(planText(post(foreign, rate('0.9')).entries)).not.toBe(planText(post(foreign, rate('0.8')).entries));
  });

  it.each([
    [
      'keys by the alphabet, at any depth',
      { role: 'entry', account: { id: 'a', code: 'c', decision: {} }, part: 1 },
      '[{"account":{"code":"c","decision":{},"id":"a"},"part":1,"role":"entry"}]',
    ],
    ['lists in their own order', { numbers: ['B', 'A', 'C'] }, '[{"numbers":["B","A","C"]}]'],
    ['amounts of any size', { amountMinor: -9007199254740993n }, '[{"amountMinor":"-9007199254740993"}]'],
    ['nothing of a description', { description: 'Lunch', lines: [{ description: 'Kim' }] }, '[{"lines":[{}]}]'],
    ['null, and not what is absent', { rate: null, part: undefined }, '[{"rate":null}]'],
  ])('has %s', (_, entry, text) => {
    expect(writtenOf(entry)).toBe(text);
  });
});
