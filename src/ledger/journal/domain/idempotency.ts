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
}

export type KeyDecision =
  | { readonly kind: 'create'; readonly revision: number }
  | { readonly kind: 'existed' }
  | { readonly kind: 'conflict' }
  | { readonly kind: 'taken' };

/** Decides what a request under a key does, given the newest posting under the same key. */
export function decideKey(
  idempotency: Idempotency,
  earlier: EarlierPosting | undefined,
  contentDigest: string,
): KeyDecision {
  if (earlier === undefined) {
    return { kind: 'create', revision: 1 };
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
