/**
 * What a posting key is worth (docs/rules/capability-levels.md): it names one effect for ever; only for some
 * seconds, and without comparing the content; it is a reference that may occur once but answers nothing; or nothing.
 */
export type Idempotency =
  | { readonly mode: 'forever' }
  | { readonly mode: 'short'; readonly seconds: number }
  | { readonly mode: 'reference-only' }
  | { readonly mode: 'none' };

/** What stands in the books under a key already. */
export interface EarlierPosting {
  readonly contentDigest: string;
  readonly revision: number;
  readonly ageSeconds: number;
  /** Everything of it is cancelled. */
  readonly reversed: boolean;
}

export type KeyDecision =
  | { readonly kind: 'create'; readonly revision: number }
  | { readonly kind: 'existed' }
  | { readonly kind: 'conflict' }
  | { readonly kind: 'taken' }
  /** A later revision, while something of an earlier one stands. */
  | { readonly kind: 'not-reversed' };

/**
 * Decides what a request under a key does, given the newest posting under the same key. A revision that is there already,
 * or older than that, is a repetition; a later one replaces what was cancelled. Books that have lost revisions take the one that
 * follows them all the same: what counts is that nothing of the key stands.
 */
export function decideKey(
  idempotency: Idempotency,
  earlier: EarlierPosting | undefined,
  request: { readonly contentDigest: string; readonly revision: number },
): KeyDecision {
  const { contentDigest, revision } = request;
  if (earlier === undefined || revision > earlier.revision) {
    return (earlier?.reversed ?? true) ? { kind: 'create', revision } : { kind: 'not-reversed' };
  }
  const next = { kind: 'create', revision: earlier.revision + 1 } as const;
  switch (idempotency.mode) {
    case 'forever':
      return { kind: earlier.contentDigest === contentDigest ? 'existed' : 'conflict' };
    case 'short':
      return earlier.ageSeconds < idempotency.seconds ? { kind: 'existed' } : next;
    case 'reference-only':
      return { kind: 'taken' };
    case 'none':
      return next;
  }
}
