// Pure: whether a recorded posting is in doubt, and what a look-up in the ERP says about it (I18).
import type { PostingGuarantee } from '../../erp/domain/posting-guarantee.js';
import type { IntentState } from './intent-states.js';
import { decideAfterUnknown, isLookUpConclusive, mayBeUnderWay, mayRejectedBePosted } from './unknown-outcome.js';
import type { SendingAge } from './unknown-outcome.js';

/** Our record of the newest revision of an accounting entry, as far as a look-up is concerned. */
export interface PostingToLookUp {
  readonly state: IntentState;
  readonly revision: number;
  readonly age: SendingAge;
  /** Milliseconds since we may have reversed it; undefined: we have not. */
  readonly sinceReversalMs: number | undefined;
  /** It is reversed by our record because the ERP has lost it, as a person has noted. */
  readonly missingInErp: boolean;
}

/**
 * `lost`: posted by an earlier job and not in the ERP any more · `absent`: certainly not there · `not-shown-yet`: the search may
 * not show it yet · `reversal-not-shown-yet`: it stands, and the search may not show our reversal yet · `standing`, `reversed`: as
 * shown.
 */
export type LookUpFinding = 'lost' | 'absent' | 'not-shown-yet' | 'reversal-not-shown-yet' | 'standing' | 'reversed';

/**
 * @param isLast it will not be sent again, so this finding is final
 * @returns whether only the ERP knows what happened to it
 */
export function isInDoubt(
  { state, sinceReversalMs, missingInErp }: PostingToLookUp,
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

/** @returns whether it was certainly posted, long enough ago for a search to show it if it still stands */
export function isCertainlyShown(
  { state, sinceReversalMs, age }: PostingToLookUp,
  guarantee: PostingGuarantee,
): boolean {
  return state === 'posted' && sinceReversalMs === undefined && isLookUpConclusive(guarantee, age.sinceLastMs);
}

/**
 * @param record as read before the look-up
 * @param shown what the ERP has under the key, if anything
 * @param isEarlier an earlier job has posted it, and a search would show it by now
 * @param isRefused the ERP has refused it after it had accepted it
 * @param isLast it will not be sent again, so this finding is final
 */
export function findingOf(
  record: PostingToLookUp,
  shown: { readonly revision: number; readonly reversed: boolean } | undefined,
  { isEarlier, isRefused, isLast }: Circumstances,
  guarantee: PostingGuarantee,
): LookUpFinding {
  // An older revision is reversed: otherwise ours would not have been sent.
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

/** Of a revision that a look-up does not show; one that was posted would have been shown for long. */
function isDefinitelyAbsent({ age, state, missingInErp }: PostingToLookUp, guarantee: PostingGuarantee): boolean {
  return decideAfterUnknown(guarantee, age) !== 'look-up-until' || state === 'posted' || missingInErp;
}
