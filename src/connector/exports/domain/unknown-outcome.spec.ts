import { describe, expect, it } from '@jest/globals';
import type { PostingGuarantee } from '../../erp/domain/posting-guarantee.js';
import { findingOf, isInDoubt, isCertainlyShown, type PostingToLookUp } from './look-up-finding.js';
import { decideAfterUnknown, mayBeUnderWay, mayRejectedBePosted, isLookUpConclusive } from './unknown-outcome.js';

const PERMANENT_KEY: PostingGuarantee = { level: 'permanent-key' };
const EXPIRING_KEY: PostingGuarantee = { level: 'expiring-key', keyLifeMs: 1_800_000 };
const SEARCHABLE_REFERENCE: PostingGuarantee = { level: 'searchable-reference', searchLagMs: 60_000 };
const NONE: PostingGuarantee = { level: 'none' };

describe('the next step after a post whose outcome is unknown', () => {
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
  ] as const)('%j: a look-up shows what was posted %d ms ago: %s', (promise, ageMs, isShown) => {
    expect(isLookUpConclusive(promise, ageMs)).toBe(isShown);
  });

  it.each([
    // level, while it may be sent again, once it will not be
    [PERMANENT_KEY, false, true],
    [EXPIRING_KEY, true, true],
    [SEARCHABLE_REFERENCE, false, false],
    [NONE, false, false],
  ] as const)('%j: a rejected key may still have an entry: %s, at the end: %s', (promise, may, mayAtLast) => {
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
  ] as const)('%j: what was sent %d ms ago may still be in flight: %s', (promise, sinceLastMs, may) => {
    expect(mayBeUnderWay(promise, { sinceFirstMs: 1_800_000, sinceLastMs })).toBe(may);
  });
});

// What a look-up says then.

const LAG_MS = 60_000;
const LIFE_MS = 1_800_000;
const UNDER_WAY_MS = 30_000;
const PERMANENT: PostingGuarantee = { level: 'permanent-key', underWayMs: UNDER_WAY_MS };
const EXPIRING: PostingGuarantee = { level: 'expiring-key', keyLifeMs: LIFE_MS, underWayMs: UNDER_WAY_MS };
const SEARCHABLE: PostingGuarantee = { level: 'searchable-reference', searchLagMs: LAG_MS };

const sentAgo = (ms: number) => ({ sinceFirstMs: ms, sinceLastMs: ms });

function recorded(change: Partial<PostingToLookUp> = {}): PostingToLookUp {
  const age = sentAgo(0);
  return { state: 'sent', revision: 2, age, sinceReversalMs: undefined, missingInErp: false, ...change };
}

describe('an outcome that only the ERP knows', () => {
  it.each<[string, Partial<PostingToLookUp>, PostingGuarantee, boolean, boolean]>([
    ['what was sent', { state: 'sent' }, PERMANENT, false, true],
    ['what was looked up in vain', { state: 'uncertain' }, PERMANENT, false, true],
    ['what was posted', { state: 'posted' }, PERMANENT, false, false],
    ['what was posted and may be reversed', { state: 'posted', sinceReversalMs: 0 }, PERMANENT, false, true],
    ['what was rejected', { state: 'rejected' }, PERMANENT, false, false],
    ['what was rejected for good', { state: 'rejected' }, PERMANENT, true, true],
    ['what was rejected under a key that dies', { state: 'rejected' }, EXPIRING, false, true],
    ['what was rejected and a search would show', { state: 'rejected' }, SEARCHABLE, true, false],
    ['what was reversed', { state: 'reversed' }, PERMANENT, false, false],
    ['what the ERP has lost', { state: 'reversed', missingInErp: true }, PERMANENT, false, true],
  ])('%s %j (%j, last: %s): %s', (_, change, guarantee, isLast, doubt) => {
    expect(isInDoubt(recorded(change), guarantee, isLast)).toBe(doubt);
  });
});

it.each<[Partial<PostingToLookUp>, boolean]>([
  [{ state: 'posted', age: sentAgo(LAG_MS) }, true],
  [{ state: 'posted', age: sentAgo(LAG_MS - 1) }, false],
  [{ state: 'posted', age: sentAgo(LAG_MS), sinceReversalMs: LAG_MS }, false],
  [{ state: 'uncertain', age: sentAgo(LAG_MS) }, false],
])('a search is certain to show %j: %s', (change, isShown) => {
  expect(isCertainlyShown(recorded(change), SEARCHABLE)).toBe(isShown);
});

const NEWS = { isEarlier: false, isRefused: false, isLast: false };
const STANDING = { revision: 2, reversed: false };
const REVERSED = { revision: 2, reversed: true };
const OLDER = { revision: 1, reversed: false };

describe('a look-up that finds nothing', () => {
  it.each<[string, Partial<PostingToLookUp>, Partial<typeof NEWS>, PostingGuarantee, string]>([
    ['an earlier job has posted it', { state: 'posted' }, { isEarlier: true }, PERMANENT, 'lost'],
    ['a key keeps it single', {}, {}, PERMANENT, 'absent'],
    ['it may be under way at the end', {}, { isLast: true }, PERMANENT, 'not-shown-yet'],
    ['it is under way no more', { age: sentAgo(UNDER_WAY_MS) }, { isLast: true }, PERMANENT, 'absent'],
    ['the key has died', { age: sentAgo(LIFE_MS) }, {}, EXPIRING, 'absent'],
    ['the search lags', { age: sentAgo(LAG_MS - 1) }, {}, SEARCHABLE, 'not-shown-yet'],
    ['the search lags, and the ERP has refused it', {}, { isRefused: true }, SEARCHABLE, 'absent'],
    ['the search lags no more', { age: sentAgo(LAG_MS) }, {}, SEARCHABLE, 'absent'],
    ['it was posted once and shown since', { state: 'posted' }, {}, SEARCHABLE, 'absent'],
    ['the ERP has lost it', { state: 'reversed', missingInErp: true }, {}, SEARCHABLE, 'absent'],
  ])('where %s: %j %j %j is %s', (_, change, news, guarantee, finding) => {
    for (const shown of [undefined, OLDER]) {
      expect(findingOf(recorded(change), shown, { ...NEWS, ...news }, guarantee)).toBe(finding);
    }
  });
});

describe('a look-up that finds the entry', () => {
  it.each<[string, Partial<PostingToLookUp>, { readonly revision: number; readonly reversed: boolean }, string]>([
    ['stands', {}, STANDING, 'standing'],
    ['stands, as a later revision', {}, { revision: 3, reversed: false }, 'standing'],
    ['is reversed', {}, REVERSED, 'reversed'],
    ['stands, our reversal may show later', { sinceReversalMs: LAG_MS - 1 }, STANDING, 'reversal-not-shown-yet'],
    ['stands, our reversal would show', { sinceReversalMs: LAG_MS }, STANDING, 'standing'],
    ['is reversed by us', { sinceReversalMs: 0 }, REVERSED, 'reversed'],
  ])('%s', (_, change, shown, finding) => {
    for (const news of [NEWS, { isEarlier: true, isRefused: true, isLast: true }]) {
      expect(findingOf(recorded(change), shown, news, SEARCHABLE)).toBe(finding);
    }
  });
});
