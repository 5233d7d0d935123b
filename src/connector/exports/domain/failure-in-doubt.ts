import { failureInDoubt, failureInReversal, failureNotShownYet, leftToAPerson } from './conflict-text.js';
import type { Cause } from '../../bookkeeping/item/causes.js';
import type { KnownEntry } from './plans/known-entry.js';

/** How an item fails, in the words the platform and the bookkeeper get. */
export interface ItemFailure {
  readonly failureType: string;
  readonly failureReason: string;
  /** What has to be mended; absent: the failure type says all there is. */
  readonly causes?: readonly Cause[] | undefined;
}

/** "Not confirmed in time", whatever else is wrong (spec: reliability §c6, A7×P2). */
export const NOT_CONFIRMED = 'accounting_system_timeout';

/** One row for all of them: the ERP has to answer, or a person has to look. */
export const UNCONFIRMED: Cause = { kind: 'not-confirmed', thing: 'posting' };

/**
 * The failure of an item, without a word too much about what is in the books.
 * @param known with a doubt
 * @param failure why the item fails besides
 */
export function withDoubt(
  accountingEntryId: string,
  { doubt, posting }: KnownEntry,
  { failureType, failureReason, causes }: ItemFailure,
): ItemFailure {
  switch (doubt) {
    case 'not-shown-yet':
      return {
        failureType: NOT_CONFIRMED,
        failureReason: failureNotShownYet(failureReason),
        causes: [UNCONFIRMED],
      };
    case 'left-to-a-person':
      return {
        failureType: NOT_CONFIRMED,
        failureReason: leftToAPerson(accountingEntryId),
        causes: [UNCONFIRMED],
      };
    case 'reversal':
      return {
        failureType,
        failureReason:
          posting === undefined ? failureInDoubt(failureReason) : failureInReversal(posting, failureReason),
        causes,
      };
    case 'post':
      return { failureType, failureReason: failureInDoubt(failureReason), causes };
    case undefined:
      return { failureType, failureReason, causes };
  }
}
