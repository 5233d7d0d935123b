import type { Issue } from '../../bookkeeping/item/issues.js';
import {
  afterReversal,
  manualReview,
  notShownYet,
  reversalInDoubt,
  whileEntryStands,
  whileInDoubt,
} from './conflict-text.js';
import type { ItemFailure, Reason } from './item-failure.js';
import type { KnownEntry } from './plans/known-entry.js';

/** Failure type of an unconfirmed posting, whatever else is wrong (H7). */
export const NOT_CONFIRMED = 'accounting_system_timeout';

/** One issue for all such entries: the ERP has to respond, or manual review is needed. */
export const UNCONFIRMED: Issue = { kind: 'not-confirmed', reference: 'posting' };

/**
 * The failure of an item, with what the books have or may have of its entry. Nothing is claimed about them that is not certain.
 * @param failure why the item fails otherwise
 */
export function describeFailure(
  accountingEntryId: string,
  { inDoubt, posting, replaced }: Partial<Pick<KnownEntry, 'inDoubt' | 'posting' | 'replaced'>>,
  failure: ItemFailure,
): ItemFailure {
  const { failureType, issues } = failure;
  const because = (reason: Reason): ItemFailure => ({ failureType, ...reason, issues });
  switch (inDoubt) {
    case 'not-shown-yet':
      return { failureType: NOT_CONFIRMED, ...notShownYet(failure), issues: [UNCONFIRMED] };
    case 'needs-manual-review':
      return { failureType: NOT_CONFIRMED, ...manualReview(accountingEntryId), issues: [UNCONFIRMED] };
    case 'reversal':
      return because(posting === undefined ? whileInDoubt(failure) : reversalInDoubt(posting, failure));
    case 'post':
      return because(whileInDoubt(failure));
    case undefined:
      if (posting !== undefined) {
        return because(whileEntryStands(posting, failure));
      }
      return replaced === undefined ? failure : because(afterReversal(replaced, failure));
  }
}
