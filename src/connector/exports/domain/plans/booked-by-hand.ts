import { message } from '../../../../kernel/message.js';
import { reasonOf, type ItemFailure } from '../item-failure.js';
import type { KnownEntry } from './known-entry.js';
import { failedItem, type PlannedItem } from './plan-chunk.js';

const BOOKED_BY_HAND: ItemFailure = {
  failureType: 'validation_failure',
  ...reasonOf(message('reason.booked-by-hand')),
};

/**
 * Leaves out what a person has booked by hand, as they noted at its issue: posted as well, it would be in the books twice. What is
 * posted with this content, or may be, stays as it is planned.
 * @param known by accounting entry
 * @param bookedByHand accounting entries
 */
export function leaveBookedByHand(
  planned: readonly PlannedItem[],
  known: ReadonlyMap<string, KnownEntry>,
  bookedByHand: ReadonlySet<string>,
): readonly PlannedItem[] {
  return planned.map((item) => {
    const { accountingEntryId, action } = item;
    const { inDoubt, posting } = known.get(accountingEntryId) ?? {};
    if (!bookedByHand.has(accountingEntryId) || action === 'report-existing' || inDoubt !== undefined) {
      return item;
    }
    return { ...failedItem(accountingEntryId, BOOKED_BY_HAND, posting), isBookedByHand: true };
  });
}
