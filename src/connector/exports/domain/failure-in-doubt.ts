import { inDoubtText, reversalInDoubtText, notShownYetText, manualReviewText } from './conflict-text.js';
import type { Issue } from '../../bookkeeping/item/issues.js';
import type { KnownEntry } from './plans/known-entry.js';

/** How an item fails, as the platform and the bookkeeper read it. */
export interface ItemFailure {
  readonly failureType: string;
  readonly failureReason: string;
  /** What has to be resolved; absent: the failure type is the issue. */
  readonly issues?: readonly Issue[] | undefined;
}

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
  { failureType, failureReason, issues }: ItemFailure,
): ItemFailure {
  switch (inDoubt) {
    case 'not-shown-yet':
      return {
        failureType: NOT_CONFIRMED,
        failureReason: notShownYetText(failureReason),
        issues: [UNCONFIRMED],
      };
    case 'needs-manual-review':
      return {
        failureType: NOT_CONFIRMED,
        failureReason: manualReviewText(accountingEntryId),
        issues: [UNCONFIRMED],
      };
    case 'reversal':
      return {
        failureType,
        failureReason: posting === undefined ? inDoubtText(failureReason) : reversalInDoubtText(posting, failureReason),
        issues,
      };
    case 'post':
      return { failureType, failureReason: inDoubtText(failureReason), issues };
    case undefined:
      return { failureType, failureReason, issues };
  }
}
