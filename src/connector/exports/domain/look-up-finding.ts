// Pure: whether our record of a posting is unsure, and what a look-up in the ERP says of it (I18).
import type { IntentState } from './intent-states.js';
import { decideAfterUnknown, isLookUpConclusive, mayBeUnderWay, mayRejectedBePosted } from './unknown-outcome.js';
import type { PostingGuarantee, SendingAge } from './unknown-outcome.js';

/** Our record of the newest revision of an accounting entry, as far as a look-up is concerned. */
export interface RecordedPosting {
  readonly state: IntentState;
  readonly revision: number;
  readonly age: SendingAge;
  /** Milliseconds since we may have reversed it; undefined: we have not. */
  readonly sinceReversalMs: number | undefined;
  /** It is reversed by our record because the ERP has lost it, as a person has noted. */
  readonly missingInErp: boolean;
}

/**
 * `lost`: posted by an earlier job, and the ERP does not know it · `absent`: surely not there · `not-shown-yet`: it may be there all
 * the same · `reversal-not-shown-yet`: it stands, and our reversal of it may have happened · `standing`, `reversed`: as shown.
 */
export type LookUpFinding = 'lost' | 'absent' | 'not-shown-yet' | 'reversal-not-shown-yet' | 'standing' | 'reversed';

/**
 * @param isLast it will not be sent again: what is said of it now stays said
 * @returns whether only the ERP knows what happened to it
 */
export function isInDoubt(
  { state, sinceReversalMs, missingInErp }: RecordedPosting,
  guarantee: PostingGuarantee,
  isLast: boolean,
): boolean {
  switch (state) {
    case 'sent':
    case 'uncertain':
      return true;
    case 'posted':
      return sinceReversalMs !== undefined;
    case 'rejected':
      return mayRejectedBePosted(guarantee, isLast);
    case 'reversed':
      return missingInErp;
  }
}

interface Circumstances {
  readonly isEarlier: boolean;
  readonly isRefused: boolean;
  readonly isLast: boolean;
}

/** @returns whether it was posted, surely and long enough ago for a search to show it if it still stands */
export function isSurelyShown({ state, sinceReversalMs, age }: RecordedPosting, guarantee: PostingGuarantee): boolean {
  return state === 'posted' && sinceReversalMs === undefined && isLookUpConclusive(guarantee, age.sinceLastMs);
}

/**
 * @param record from before the look-up
 * @param shown what the ERP has under the key, if anything
 * @param isEarlier an earlier job has posted it, and a search would show it by now
 * @param isRefused the ERP has said itself that it did not take it
 * @param isLast it will not be sent again: what is said of it now stays said
 */
export function findingOf(
  record: RecordedPosting,
  shown: { readonly revision: number; readonly reversed: boolean } | undefined,
  { isEarlier, isRefused, isLast }: Circumstances,
  guarantee: PostingGuarantee,
): LookUpFinding {
  // An older revision is out of the books, or ours would not have been sent.
  if (shown === undefined || shown.revision < record.revision) {
    if (isEarlier) {
      return 'lost';
    }
    const isAbsent = isDefinitelyAbsent(record, guarantee) && !(isLast && mayBeUnderWay(guarantee, record.age));
    return isRefused || isAbsent ? 'absent' : 'not-shown-yet';
  }
  const { sinceReversalMs } = record;
  if (!shown.reversed && sinceReversalMs !== undefined && !isLookUpConclusive(guarantee, sinceReversalMs)) {
    return 'reversal-not-shown-yet';
  }
  return shown.reversed ? 'reversed' : 'standing';
}

/** Of a revision that a look-up has not shown; what was posted once has been shown long since. */
function isDefinitelyAbsent({ age, state, missingInErp }: RecordedPosting, guarantee: PostingGuarantee): boolean {
  return decideAfterUnknown(guarantee, age) !== 'look-up-until' || state === 'posted' || missingInErp;
}
