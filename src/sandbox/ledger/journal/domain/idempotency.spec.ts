import { describe, expect, it } from '@jest/globals';
import { decideKey, type EarlierPosting, type Idempotency, type KeyDecision } from './idempotency.js';

const earlier = (contentDigest: string, ageSeconds: number): EarlierPosting => ({
  contentDigest,
  ageSeconds,
  revision: 2,
  reversed: false,
});
const request = (revision = 2) => ({ contentDigest: 'same', revision });

const FOREVER: Idempotency = { mode: 'forever' };
const SHORT: Idempotency = { mode: 'short', seconds: 60 };
const REFERENCE: Idempotency = { mode: 'reference-only' };
const NONE: Idempotency = { mode: 'none' };

describe('a reused key', () => {
  const CASES: readonly (readonly [Idempotency, digest: string, ageSeconds: number, KeyDecision])[] = [
    [FOREVER, 'same', 1, { kind: 'existed' }],
    [FOREVER, 'same', 1e9, { kind: 'existed' }],
    [FOREVER, 'other', 1, { kind: 'conflict' }],
    [SHORT, 'same', 59.9, { kind: 'existed' }],
    [SHORT, 'other', 59.9, { kind: 'existed' }],
    [SHORT, 'same', 60, { kind: 'create', revision: 3 }],
    [REFERENCE, 'same', 1, { kind: 'taken' }],
    [REFERENCE, 'other', 1e9, { kind: 'taken' }],
    [NONE, 'same', 1, { kind: 'create', revision: 3 }],
  ];

  it.each(CASES)('%j, %s content, %d s later', (idempotency, digest, age, expected) => {
    expect(decideKey(idempotency, earlier(digest, age), request())).toEqual(expected);
  });

  it.each([FOREVER, SHORT, REFERENCE, NONE])('%j: the first use creates', (idempotency) => {
    expect(decideKey(idempotency, undefined, request(1))).toEqual({ kind: 'create', revision: 1 });
  });

  it.each([FOREVER, SHORT, REFERENCE, NONE])(
    '%j: a later revision follows a cancelled one, and no sooner',
    (idempotency) => {
      const cancelled = { ...earlier('other', 1), reversed: true };
      expect(decideKey(idempotency, cancelled, request(3))).toEqual({ kind: 'create', revision: 3 });
      expect(decideKey(idempotency, earlier('other', 1), request(3))).toEqual({ kind: 'not-reversed' });
      expect(decideKey(idempotency, earlier('other', 1), request(4))).toEqual({ kind: 'not-reversed' });
    },
  );

  it.each([FOREVER, SHORT, REFERENCE, NONE])(
    '%j: books that have lost revisions accept the next one',
    (idempotency) => {
      const cancelled = { ...earlier('other', 1), reversed: true };
      expect(decideKey(idempotency, cancelled, request(4))).toEqual({ kind: 'create', revision: 4 });
      expect(decideKey(idempotency, undefined, request(2))).toEqual({ kind: 'create', revision: 2 });
    },
  );

  it('a cancelled revision is not created again', () => {
    expect(decideKey(FOREVER, { ...earlier('same', 1), reversed: true }, request())).toEqual({
      kind: 'existed',
    });
    expect(decideKey(FOREVER, earlier('same', 1), request(1))).toEqual({ kind: 'existed' });
  });
});
