import { whileInDoubt, manualReview, notShownYet, reversalInDoubt } from './conflict-text.js';
import type { Issue } from '../../bookkeeping/item/issues.js';
import type { ItemFailure } from './item-failure.js';
import type { KnownEntry } from './plans/known-entry.js';

/** "Not confirmed in time", whatever else is wrong (H7). */
export const NOT_CONFIRMED = 'accounting_system_timeout';

/** One row for all of them: the ERP has to respond, or manual review is needed. */
export const UNCONFIRMED: Issue = { kind: 'not-confirmed', reference: 'posting' };

/**
 * The failure of an item, without a word too much about what is in the books.
 * @param known in doubt
 * @param failure why the item fails besides
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
