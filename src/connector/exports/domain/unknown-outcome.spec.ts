import { describe, expect, it } from '@jest/globals';
import {
  decideAfterUnknown,
  mayBeUnderWay,
  mayRejectedBePosted,
  isLookUpConclusive,
  type PostingGuarantee,
} from './unknown-outcome.js';

const PERMANENT_KEY: PostingGuarantee = { level: 'permanent-key' };
const EXPIRING_KEY: PostingGuarantee = { level: 'expiring-key', keyLifeMs: 1_800_000 };
const SEARCHABLE_REFERENCE: PostingGuarantee = { level: 'searchable-reference', searchLagMs: 60_000 };
const NONE: PostingGuarantee = { level: 'none' };

describe('what may follow a post whose outcome is unknown', () => {
  it.each([
    // level, ms since the first sending, ms since the last one, what may follow
    [PERMANENT_KEY, 0, 0, 'resend'],
    [PERMANENT_KEY, 9_000_000_000, 9_000_000_000, 'resend'],
    [EXPIRING_KEY, 0, 0, 'resend'],
    [EXPIRING_KEY, 1_799_999, 0, 'resend'],
    [EXPIRING_KEY, 1_800_000, 0, 'look-up'],
    [EXPIRING_KEY, 1_800_000, 1_800_000, 'look-up'],
    [EXPIRING_KEY, -1, -1, 'look-up'],
    [SEARCHABLE_REFERENCE, 0, 0, 'look-up-until'],
    [SEARCHABLE_REFERENCE, 59_999, 59_999, 'look-up-until'],
    [SEARCHABLE_REFERENCE, 60_000, 60_000, 'look-up'],
    [SEARCHABLE_REFERENCE, 600_000, 59_999, 'look-up-until'],
    [SEARCHABLE_REFERENCE, 600_000, 60_000, 'look-up'],
    [SEARCHABLE_REFERENCE, -1, -1, 'look-up-until'],
    [NONE, 0, 0, 'manual-review'],
    [NONE, 9_000_000_000, 9_000_000_000, 'manual-review'],
  ] as const)('%j, %d ms after the first sending and %d ms after the last one: %s', (...given) => {
    const [promise, sinceFirstMs, sinceLastMs, what] = given;
    expect(decideAfterUnknown(promise, { sinceFirstMs, sinceLastMs })).toBe(what);
  });

  it.each([
    [PERMANENT_KEY, 0, true],
    [EXPIRING_KEY, 0, true],
    [SEARCHABLE_REFERENCE, 59_999, false],
    [SEARCHABLE_REFERENCE, 60_000, true],
    [SEARCHABLE_REFERENCE, Infinity, true],
    [NONE, Infinity, false],
  ] as const)('%j: a look-up shows what was done %d ms ago: %s', (promise, ageMs, isShown) => {
    expect(isLookUpConclusive(promise, ageMs)).toBe(isShown);
  });

  it.each([
    // level, while it may be sent again, once it will not be
    [PERMANENT_KEY, false, true],
    [EXPIRING_KEY, true, true],
    [SEARCHABLE_REFERENCE, false, false],
    [NONE, false, false],
  ] as const)('%j: something may stand under a key that was rejected: %s, at last: %s', (promise, may, mayAtLast) => {
    expect(mayRejectedBePosted(promise, false)).toBe(may);
    expect(mayRejectedBePosted(promise, true)).toBe(mayAtLast);
  });

  it.each([
    [{ ...PERMANENT_KEY, underWayMs: 30_000 }, 29_999, true],
    [{ ...PERMANENT_KEY, underWayMs: 30_000 }, 30_000, false],
    [{ ...EXPIRING_KEY, underWayMs: 30_000 }, 29_999, true],
    [PERMANENT_KEY, 0, false],
    [SEARCHABLE_REFERENCE, 0, false],
    [NONE, 0, false],
  ] as const)('%j: what was sent %d ms ago may still be under way: %s', (promise, sinceLastMs, may) => {
    expect(mayBeUnderWay(promise, { sinceFirstMs: 1_800_000, sinceLastMs })).toBe(may);
  });
});
