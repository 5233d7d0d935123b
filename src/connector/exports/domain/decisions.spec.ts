import { describe, expect, it } from '@jest/globals';
import { budgetAt } from './deadline.js';
import { decideVerdict } from './verdict.js';

const EXPIRY = new Date('2026-11-20T11:00:00Z');

describe('the time budget of a job (spec: reliability §0)', () => {
  it.each([
    ['2026-11-20T10:00:00Z', 'post'],
    ['2026-11-20T10:49:59Z', 'post'],
    ['2026-11-20T10:50:00Z', 'report'],
    ['2026-11-20T10:59:00Z', 'report'],
    ['2026-11-20T11:01:00Z', 'report'],
    ['2026-11-20T11:01:01Z', 'over'],
  ] as const)('at %s is: %s', (now, budget) => {
    expect(budgetAt(EXPIRY, new Date(now))).toBe(budget);
  });
});

describe('the verdict (wire-facts §9.3 step 7)', () => {
  const failure = (type: string) => ({ type, reason: 'Account 6420 is not in the ERP.' });

  it.each([
    [{ successful: 3, failed: 0, mainFailure: undefined }, { event: 'completed' }],
    [{ successful: 0, failed: 0, mainFailure: undefined }, { event: 'completed' }],
    [
      { successful: 2, failed: 1, mainFailure: failure('account_unknown') },
      { event: 'completed_with_errors' },
    ],
  ])('of %j is %j', (totals, verdict) => {
    expect(decideVerdict(totals)).toEqual(verdict);
  });

  it.each([
    ['validation_failure', 'validation_failure'],
    ['missing_configuration', 'missing_configuration'],
    ['accounting_system_timeout', 'accounting_system_timeout'],
    ['account_unknown', 'invalid_configuration'],
    ['vendor_unknown', 'invalid_configuration'],
    ['tag_unknown', 'invalid_configuration'],
    ['tax_code_unknown', 'invalid_configuration'],
    // Only items may carry these: a job event with them would be refused.
    ['accounting_system_validation_failure', 'validation_failure'],
    ['unexpected_failure', 'validation_failure'],
  ])('of nothing but %s is failed with %s', (itemType, jobType) => {
    expect(decideVerdict({ successful: 0, failed: 4, mainFailure: failure(itemType) })).toEqual({
      event: 'failed',
      failureReasonType: jobType,
      failureReason: 'None of the 4 entries could be exported. Account 6420 is not in the ERP.',
    });
  });
});
