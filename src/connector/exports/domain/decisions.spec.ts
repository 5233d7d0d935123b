import { describe, expect, it } from '@jest/globals';
import { message } from '../../../kernel/message.js';
import { budgetAt } from './deadline.js';
import { INTENT_TRANSITIONS, intentStatesBefore, type IntentState } from './intent-states.js';
import {
  isFinal,
  ITEM_TRANSITIONS,
  JOB_TRANSITIONS,
  jobStatesBefore,
  OPEN_ITEM_STATES,
  type ExportJobState,
} from './state-transitions.js';
import { decideVerdict, verdictMessages } from './verdict.js';

const EXPIRY = new Date('2026-11-20T11:00:00Z');

describe('the time budget of a job', () => {
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

describe('the verdict (P9.3 step 7)', () => {
  const failure = (type: string) => ({ type, reason: 'Account 6420 is not in the ERP.' });

  it.each([
    [{ successful: 3, failed: 0, mainFailure: undefined }, 3, { event: 'completed' }],
    [{ successful: 3, failed: 0, mainFailure: undefined }, 2, { event: 'completed' }],
    [{ successful: 3, failed: 0, mainFailure: undefined }, 4, { event: 'completed_with_errors' }],
    [{ successful: 0, failed: 0, mainFailure: undefined }, 0, { event: 'completed' }],
    [{ successful: 2, failed: 1, mainFailure: failure('account_unknown') }, 3, { event: 'completed_with_errors' }],
  ])('of %j where the platform announced %d is %j', (totals, announced, verdict) => {
    expect(decideVerdict(totals, announced)).toEqual(verdict);
  });

  it('is failed when items were announced and none were listed', () => {
    const totals = { successful: 0, failed: 0, mainFailure: undefined };
    expect(decideVerdict(totals, 5)).toEqual({
      event: 'failed',
      failureReasonType: 'validation_failure',
      failureReason:
        'The platform says that this export has 5 entries but listed none of them. Export them again; if it happens twice, contact support.',
    });
  });

  it.each([
    ['validation_failure', 'validation_failure'],
    ['missing_configuration', 'missing_configuration'],
    ['invalid_configuration', 'invalid_configuration'],
    ['accounting_system_authentication_failure', 'accounting_system_authentication_failure'],
    ['accounting_system_rate_limit', 'accounting_system_rate_limit'],
    ['accounting_system_unreachable', 'accounting_system_unreachable'],
    ['accounting_system_timeout', 'accounting_system_timeout'],
    ['authorization_failure', 'authorization_failure'],
    ['account_unknown', 'invalid_configuration'],
    ['vendor_unknown', 'invalid_configuration'],
    ['tag_unknown', 'invalid_configuration'],
    ['tax_code_unknown', 'invalid_configuration'],
    // Only items may carry these: a job event with them would be refused.
    ['accounting_system_validation_failure', 'validation_failure'],
    ['unexpected_failure', 'validation_failure'],
  ])('of only %s is failed with %s', (itemType, jobType) => {
    expect(decideVerdict({ successful: 0, failed: 4, mainFailure: failure(itemType) }, 4)).toEqual({
      event: 'failed',
      failureReasonType: jobType,
      failureReason: 'None of the 4 entries could be exported. Account 6420 is not in the ERP.',
    });
  });

  it('of failures without a reason is failed without one', () => {
    expect(decideVerdict({ successful: 0, failed: 2, mainFailure: undefined }, 2)).toEqual({
      event: 'failed',
      failureReasonType: 'validation_failure',
      failureReason: 'None of the 2 entries could be exported.',
    });
    const ofOne = decideVerdict({ successful: 0, failed: 1, mainFailure: undefined }, 1);
    expect(ofOne).toMatchObject({ failureReason: 'The only entry could not be exported.' });
  });

  it.each([
    [0, undefined, [message('reason.job.none-listed', { announced: 5 })]],
    [4, [message('reason.refused')], [message('reason.job.none-exported', { failed: 4 }), message('reason.refused')]],
    [4, null, undefined],
  ])('of %i failures with the messages %j has messages only if every part has them', (failed, messages, expected) => {
    const mainFailure = failed === 0 ? undefined : { ...failure('account_unknown'), messages: messages ?? null };
    expect(verdictMessages({ successful: 0, failed, mainFailure }, 5)).toEqual(expected);
    expect(verdictMessages({ successful: 0, failed: 4, mainFailure: undefined }, 5)).toBeUndefined();
  });
});

// Written out a second time, by what each state may follow: an edge too many or too few has to be meant twice.

describe('a posting intent', () => {
  it.each<[IntentState, readonly IntentState[]]>([
    ['sent', ['rejected']],
    ['uncertain', ['sent']],
    ['posted', ['sent', 'uncertain', 'rejected']],
    ['rejected', ['sent', 'uncertain']],
    ['reversed', ['posted']],
  ])('is %s after %j only', (state, before) => {
    expect(intentStatesBefore(state)).toEqual(before);
  });

  it('that may be in the books is never sent again', () => {
    const states = Object.keys(INTENT_TRANSITIONS);
    expect(states.toSorted()).toEqual(['posted', 'rejected', 'reversed', 'sent', 'uncertain']);
    expect(intentStatesBefore('sent')).toEqual(['rejected']);
    expect(INTENT_TRANSITIONS.reversed).toEqual([]);
  });
});

describe('a job', () => {
  it.each<[ExportJobState, readonly ExportJobState[]]>([
    ['detected', []],
    ['running', ['detected']],
    ['verdict_decided', ['detected', 'running']],
    ['completed', ['verdict_decided']],
    ['completed_with_errors', ['verdict_decided']],
    ['failed', ['verdict_decided']],
    ['expired', ['detected', 'running', 'verdict_decided']],
    ['closed_by_platform', ['detected', 'running', 'verdict_decided']],
  ])('is %s after %j only', (state, before) => {
    expect(jobStatesBefore(state)).toEqual(before);
  });

  it('has five final states, and leaves none of them', () => {
    const states = Object.keys(JOB_TRANSITIONS) as ExportJobState[];
    expect(states.filter((state) => isFinal(state))).toEqual([
      'completed',
      'completed_with_errors',
      'failed',
      'expired',
      'closed_by_platform',
    ]);
  });
});

it('an item gets its result once', () => {
  expect(ITEM_TRANSITIONS).toEqual({ pending: ['successful', 'failed'], successful: [], failed: [] });
  expect(OPEN_ITEM_STATES).toEqual(['pending']);
});
