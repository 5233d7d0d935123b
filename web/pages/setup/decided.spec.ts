import { describe, expect, it } from '@jest/globals';
import { decidedBy } from './decided.js';

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
