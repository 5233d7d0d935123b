import { describe, expect, it } from '@jest/globals';
import { decidedBy, leftOutBy } from './decided.js';

const step = (check: string, state: 'done' | 'open' | 'not-known', resolvedBy: string | null = null) => ({
  check,
  state,
  resolvedBy,
});

describe('a decision of the set-up', () => {
  it.each([
    ['done', [step('wallet-EUR', 'done'), step('wallet-SEK', 'done')]],
    ['unchecked', [step('wallet-EUR', 'done'), step('wallet-SEK', 'not-known')]],
    ['unchecked', [step('erp-reachable', 'open')]],
    ['open', [step('erp-reachable', 'open', 'PUT /api/v1/erp-connection')]],
    ['open', [step('wallet-EUR', 'not-known'), step('wallet-SEK', 'open', 'PUT /api/v1/settings')]],
    ['open', []],
  ])('is %s with %j', (decided, steps) => {
    expect(decidedBy(steps)).toBe(decided);
  });
});

describe('what cannot be exported while the rest can', () => {
  const step = (check: string, itemTypes: string[], state: 'open' | 'done' = 'open') =>
    ({ check, itemTypes, state, blocks: 'item-types' }) as const;

  it('is each type once, and of an account for one currency only that currency', () => {
    const steps = [
      step('out-of-pocket', ['mileage', 'per_diem']),
      step('wallet-JPY', ['fee', 'mileage']),
      step('company-bank-JPY', ['fee']),
      step('accounts-payable', ['invoice'], 'done'),
      { check: 'alerts', itemTypes: ['refund'], state: 'open' as const, blocks: 'nothing' as const },
    ];
    expect(leftOutBy(steps)).toEqual([
      { itemType: 'mileage' },
      { itemType: 'per_diem' },
      { itemType: 'fee', currency: 'JPY' },
    ]);
  });
});
