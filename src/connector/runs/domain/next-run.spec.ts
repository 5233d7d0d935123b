import { describe, expect, it } from '@jest/globals';
import { decideNextRun, USUAL_PATIENCE, type Interruption, type NextRun } from './next-run.js';

const { maxAttempts: MAX_ATTEMPTS } = USUAL_PATIENCE;

const failed = (failure?: string, retryAfterSeconds = 0): Interruption => ({
  kind: 'error',
  failure,
  finalFailure: 'Start it again.',
  retryAfterSeconds,
});
const release = (seconds: number, isFailure: boolean): NextRun => ({ kind: 'release', seconds, isFailure });

describe('decideNextRun', () => {
  it.each<{ what: string; interruption: Interruption; attempts: number; next: NextRun }>([
    {
      what: 'leaves a run to its new owner',
      interruption: { kind: 'lease-lost' },
      attempts: MAX_ATTEMPTS,
      next: { kind: 'none' },
    },
    {
      what: 'releases a stopped run at once, without counting the attempt',
      interruption: { kind: 'stopped' },
      attempts: MAX_ATTEMPTS,
      next: release(0, false),
    },
    {
      what: 'waits as long as a postponed run has to, without counting the attempt',
      interruption: { kind: 'postponed', seconds: 20 },
      attempts: MAX_ATTEMPTS,
      next: release(20, false),
    },
    {
      what: 'waits 15 s after the first failure',
      interruption: failed(),
      attempts: 1,
      next: release(15, true),
    },
    {
      what: 'doubles the pause with each failure',
      interruption: failed(),
      attempts: 4,
      next: release(120, true),
    },
    {
      what: 'never waits longer than a quarter of an hour',
      interruption: failed(),
      attempts: MAX_ATTEMPTS - 1,
      next: release(900, true),
    },
    {
      what: 'waits as long as the other side asked for when that is longer',
      interruption: failed(undefined, 3_600),
      attempts: MAX_ATTEMPTS - 1,
      next: release(3_600, true),
    },
    {
      what: 'waits an hour when the other side asked for days: meanwhile no other run of its kind begins',
      interruption: failed(undefined, 30 * 86_400),
      attempts: 1,
      next: release(3_600, true),
    },
    {
      what: 'keeps its own pause when the other side asked for less',
      interruption: failed(undefined, 2),
      attempts: 2,
      next: release(30, true),
    },
    {
      what: 'fails at once where only a person can help',
      interruption: failed('Connect the company again.'),
      attempts: 1,
      next: { kind: 'fail', failure: 'Connect the company again.' },
    },
    {
      what: 'fails after the last attempt',
      interruption: failed(),
      attempts: MAX_ATTEMPTS,
      next: { kind: 'fail', failure: 'Start it again.' },
    },
  ])('$what', ({ interruption, attempts, next }) => {
    expect(decideNextRun(interruption, attempts)).toEqual(next);
  });

  it('uses the given back-off', () => {
    const patience = { firstSeconds: 5, maxSeconds: 30, maxAttempts: 3 };
    const after = [1, 2, 3].map((attempts) => decideNextRun(failed(), attempts, patience));
    expect(after).toEqual([release(5, true), release(10, true), { kind: 'fail', failure: 'Start it again.' }]);
  });
});
