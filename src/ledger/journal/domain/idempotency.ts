/**
 * What a posting key is worth (spec: reliability §b3, levels E3 to E0): it names one effect for ever; only for some
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
  /** The revision asked for is not the next one, or the one before it still stands. */
  | { readonly kind: 'not-reversed' };

/**
 * Decides what a request under a key does, given the newest posting under the same key. A revision that is there already
 * is a repetition; the next one replaces what was cancelled.
 */
export function decideKey(
  idempotency: Idempotency,
  earlier: EarlierPosting | undefined,
  request: { readonly contentDigest: string; readonly revision: number },
): KeyDecision {
  const newest = earlier?.revision ?? 0;
  const next = { kind: 'create', revision: newest + 1 } as const;
  if (earlier === undefined || request.revision > newest) {
    const mayFollow = request.revision === newest + 1 && (earlier?.reversed ?? true);
    return mayFollow ? next : { kind: 'not-reversed' };
  }
  const { contentDigest } = request;
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
