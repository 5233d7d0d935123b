// What may follow a post whose outcome is unknown, by the ERP's guarantee (docs/rules/capability-levels.md).
import type { PostingGuarantee } from '../../erp/domain/posting-guarantee.js';

/** How long ago a group was sent, in milliseconds of the database's clock, which all workers share (I31). */
export interface SendingAge {
  readonly sinceFirstMs: number;
  readonly sinceLastMs: number;
}

/**
 * `resend`: the ERP's key makes a second sending harmless, so what a look-up does not find may be sent again · `look-up`: a
 * look-up is conclusive · `look-up-until`: a look-up that finds nothing is not conclusive yet · `manual-review`: only a person
 * can find out.
 */
export type UnknownOutcomeAction = 'resend' | 'look-up' | 'look-up-until' | 'manual-review';

/** @param age read before the look-up, so that what it misses was sent at least that long ago */
export function decideAfterUnknown(guarantee: PostingGuarantee, age: SendingAge): UnknownOutcomeAction {
  switch (guarantee.level) {
    case 'permanent-key':
      return 'resend';
    case 'expiring-key':
      // A clock that ran backwards says nothing of the key's age.
      return age.sinceFirstMs >= 0 && age.sinceFirstMs < guarantee.keyLifeMs ? 'resend' : 'look-up';
    case 'searchable-reference':
      return isLookUpConclusive(guarantee, age.sinceLastMs) ? 'look-up' : 'look-up-until';
    case 'none':
      return 'manual-review';
  }
}

/**
 * @param ageMs since the request that may have changed something
 * @returns whether a look-up certainly shows its effect by now, if it had one
 */
export function isLookUpConclusive(guarantee: PostingGuarantee, ageMs: number): boolean {
  switch (guarantee.level) {
    case 'permanent-key':
    case 'expiring-key':
      return true;
    case 'searchable-reference':
      return ageMs >= guarantee.searchLagMs;
    case 'none':
      return false;
  }
}

/**
 * Whether an entry may stand although its intent is `rejected`. An expired key lets a second entry pass; and at the levels with a
 * key an intent is rejected as soon as a look-up finds nothing, while the first sending may still arrive.
 * @param isLast it will not be sent again, so the key protects nothing any more
 */
export function mayRejectedBePosted({ level }: PostingGuarantee, isLast: boolean): boolean {
  return level === 'expiring-key' || (level === 'permanent-key' && isLast);
}

/**
 * Whether the last sending may still be under way, so that a look-up which finds nothing proves nothing. With a key it may be
 * sent again nevertheless, but must not be reported as absent from the books.
 */
export function mayBeUnderWay(guarantee: PostingGuarantee, { sinceLastMs }: SendingAge): boolean {
  switch (guarantee.level) {
    case 'permanent-key':
    case 'expiring-key':
      return sinceLastMs < (guarantee.underWayMs ?? 0);
    case 'searchable-reference':
    case 'none':
      return false;
  }
}
