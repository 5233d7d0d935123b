import { describe, expect, it } from '@jest/globals';
import {
  decideAfterUnknown,
  mayRejectedBePosted,
  isLookUpConclusive,
  type PostingGuarantee,
} from './unknown-outcome.js';

const E3: PostingGuarantee = { level: 'E3' };
const E2: PostingGuarantee = { level: 'E2', keyLifeMs: 1_800_000 };
const E1: PostingGuarantee = { level: 'E1', searchLagMs: 60_000 };
const E0: PostingGuarantee = { level: 'E0' };

describe('what may follow a post whose outcome is unknown', () => {
  it.each([
    // level, ms since the first sending, ms since the last one, what may follow
    [E3, 0, 0, 'resend'],
    [E3, 9_000_000_000, 9_000_000_000, 'resend'],
    [E2, 0, 0, 'resend'],
    [E2, 1_799_999, 0, 'resend'],
    [E2, 1_800_000, 0, 'look-up'],
    [E2, 1_800_000, 1_800_000, 'look-up'],
    [E2, -1, -1, 'look-up'],
    [E1, 0, 0, 'look-up-until'],
    [E1, 59_999, 59_999, 'look-up-until'],
    [E1, 60_000, 60_000, 'look-up'],
    [E1, 600_000, 59_999, 'look-up-until'],
    [E1, 600_000, 60_000, 'look-up'],
    [E1, -1, -1, 'look-up-until'],
    [E0, 0, 0, 'manual-review'],
    [E0, 9_000_000_000, 9_000_000_000, 'manual-review'],
  ] as const)('%j, %d ms after the first sending and %d ms after the last one: %s', (...given) => {
    const [promise, sinceFirstMs, sinceLastMs, what] = given;
    expect(decideAfterUnknown(promise, { sinceFirstMs, sinceLastMs })).toBe(what);
  });

  it.each([
    [E3, 0, true],
    [E2, 0, true],
    [E1, 59_999, false],
    [E1, 60_000, true],
    [E1, Infinity, true],
    [E0, Infinity, false],
  ] as const)('%j: a look-up shows what was done %d ms ago: %s', (promise, ageMs, isShown) => {
    expect(isLookUpConclusive(promise, ageMs)).toBe(isShown);
  });

  it.each([
    [E3, false],
    [E2, true],
    [E1, false],
    [E0, false],
  ] as const)('%j: something may stand under a key that was rejected: %s', (promise, may) => {
    expect(mayRejectedBePosted(promise)).toBe(may);
  });
});
