import { whileInDoubt, manualReview, notShownYet, reversalInDoubt } from './conflict-text.js';
import type { Issue } from '../../bookkeeping/item/issues.js';
import type { ItemFailure } from './item-failure.js';
import type { KnownEntry } from './plans/known-entry.js';

/** Failure type of an unconfirmed posting, whatever else is wrong (H7). */
export const NOT_CONFIRMED = 'accounting_system_timeout';

/** One issue for all such entries: the ERP has to respond, or manual review is needed. */
export const UNCONFIRMED: Issue = { kind: 'not-confirmed', reference: 'posting' };

/**
 * The failure of an item whose entry is in doubt, without claiming anything about the books that is not certain.
 * @param failure why the item fails otherwise
 */
export function describeInDoubt(
  accountingEntryId: string,
  { inDoubt, posting }: KnownEntry,
  failure: ItemFailure,
): ItemFailure {
  switch (inDoubt) {
    case 'not-shown-yet':
      return { failureType: NOT_CONFIRMED, ...notShownYet(failure), issues: [UNCONFIRMED] };
    case 'needs-manual-review':
      return { failureType: NOT_CONFIRMED, ...manualReview(accountingEntryId), issues: [UNCONFIRMED] };
    case 'reversal':
      return {
        failureType: failure.failureType,
        ...(posting === undefined ? whileInDoubt(failure) : reversalInDoubt(posting, failure)),
        issues: failure.issues,
      };
    case 'post':
      return { failureType: failure.failureType, ...whileInDoubt(failure), issues: failure.issues };
    case undefined:
      return failure;
  }
}
