import { describe, expect, it } from '@jest/globals';
import { contextWith, itemOf, post } from '../../../bookkeeping/item/planning.fixtures.js';
import { diffPlans, planAsJson } from './plan-diff.js';

const item = itemOf({ type: 'card_purchase', amount: '12500', note: 'Lunch with Kim' });

describe('the difference between two plans', () => {
  it('is empty between a plan and its stored form', () => {
    const { entries } = post(item);
    expect(diffPlans(planAsJson(entries), JSON.parse(JSON.stringify(planAsJson(entries))) as unknown[])).toEqual([]);
  });

  it('lists JSON pointers, and omits how something was decided', () => {
    const after = contextWith({
      rules: [{ id: '7', subject: 'account', sourceKey: '5410', target: '5410' }],
      settings: { wallets: { EUR: '1936' } },
      mappingVersion: 9,
    });
    expect(diffPlans(planAsJson(post(item).entries), planAsJson(post(item, after).entries))).toEqual([
      { pointer: '/0/lines/1/account/code', before: '1935', after: '1936' },
    ]);
  });

  it.each(['description', 'decision', 'mappingVersion', 'plannerVersion', 'information', 'source', 'id'])(
    'omits %s, of an entry and of its parts',
    (field) => {
      const before = [{ [field]: 'one', lines: [{ [field]: 1, account: { [field]: { code: 'one' } } }] }];
      const after = [{ [field]: 'two', lines: [{ [field]: 2, account: { [field]: { code: 'two' } } }] }];
      expect(diffPlans(before, after)).toEqual([]);
    },
  );

  it.each([
    ['a text', 'draft', 'posted', 'draft', 'posted'],
    ['a number', 1, 2, '1', '2'],
    ['a number that is gone', 0, undefined, '0', null],
    ['yes and no', false, true, 'false', 'true'],
    ['what is new', undefined, '3960', null, '3960'],
    ['what is null now', '3960', null, '3960', null],
  ])('shows %s as text', (_, before, after, old, now) => {
    expect(diffPlans([{ value: before }], [{ value: after }])).toEqual([
      { pointer: '/0/value', before: old, after: now },
    ]);
  });

  it('is empty between null and absent', () => {
    expect(diffPlans([{ role: 'entry', part: null }], [{ role: 'entry' }])).toEqual([]);
  });

  it('is ordered by pointer, whichever plan has it', () => {
    const before = [{ state: 'draft', currency: 'EUR', rate: '0.9' }];
    const after = [{ state: 'posted', role: 'entry', currency: 'USD', dueDate: '2026-03-01' }];
    expect(diffPlans(before, after).map(({ pointer }) => pointer)).toEqual([
      '/0/currency',
      '/0/dueDate',
      '/0/rate',
      '/0/role',
      '/0/state',
    ]);
  });

  it('names at most 50 pointers, the first ones', () => {
    const many = Array.from({ length: 60 }, (_, index) => [`field-${(99 - index).toString()}`, 'new']);
    const pointers = diffPlans([], [Object.fromEntries(many)]).map(({ pointer }) => pointer);
    expect(pointers).toHaveLength(50);
    expect([pointers[0], pointers[49]]).toEqual(['/0/field-40', '/0/field-89']);
  });
});
