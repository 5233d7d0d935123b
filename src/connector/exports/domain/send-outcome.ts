// Outcomes of sending a posting group to the ERP.
import type { EntryLines } from './plans/known-entry.js';

/** @typeParam P what the ERP has under the key */
export type DefiniteOutcome<P> =
  | { readonly outcome: 'created' | 'existed'; readonly posted: P }
  | { readonly outcome: 'refused'; readonly message: string }
  /** The ERP has failed on it each time, alone too, and took others meanwhile; a look-up shows that it is not in the books. */
  | { readonly outcome: 'fails-alone'; readonly message: string }
  /** Posted before and reversed in the ERP, and the policy is not to post it again. */
  | { readonly outcome: 'reversed-in-erp'; readonly existing: P }
  | {
      readonly outcome: 'conflict';
      readonly existing: P;
      readonly existingContent: readonly EntryLines[];
    };

/** May be in the books, and the ERP cannot be searched (level `none`). */
export interface NeedsManualReview {
  readonly outcome: 'needs-manual-review';
}

export type SendOutcome<P, F> = DefiniteOutcome<P> | { readonly outcome: 'unknown' | 'not-sent'; readonly failure: F };

/** @returns what the ERP has under the key by this outcome, if anything */
export function existingOf<P>(outcome: DefiniteOutcome<P>): P | undefined {
  switch (outcome.outcome) {
    case 'created':
    case 'existed':
      return outcome.posted;
    case 'conflict':
    case 'reversed-in-erp':
      return outcome.existing;
    case 'refused':
    case 'fails-alone':
      return undefined;
  }
}
