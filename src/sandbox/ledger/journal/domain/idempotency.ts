/**
 * What a posting key guarantees (docs/rules/capability-levels.md): one effect permanently; one effect for some seconds,
 * without comparing the content; a unique reference whose reuse is refused without details; or nothing.
 */
export type Idempotency =
  | { readonly mode: 'forever' }
  | { readonly mode: 'short'; readonly seconds: number }
  | { readonly mode: 'reference-only' }
  | { readonly mode: 'none' };

/** The newest posting under a key. */
export interface EarlierPosting {
  readonly contentDigest: string;
  readonly revision: number;
  readonly ageSeconds: number;
  /** All its entries are cancelled. */
  readonly reversed: boolean;
}

export type KeyDecision =
  | { readonly kind: 'create'; readonly revision: number }
  | { readonly kind: 'existed' }
  | { readonly kind: 'conflict' }
  | { readonly kind: 'taken' }
  /** A later revision, while an entry of an earlier one is not cancelled. */
  | { readonly kind: 'not-reversed' };

/**
 * Decides what a request under a key does, given the newest posting under the same key. A revision that exists, or is
 * older, is a repetition; a later one replaces a cancelled one. Books that have lost revisions accept the next one too:
 * the only condition is that no entry of the key is in the books.
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
