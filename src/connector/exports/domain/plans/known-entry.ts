// What is known of an accounting entry before it is planned: from our record, and from the ERP where the record is unsure.
import type { LocalDate } from '../../../../kernel/local-date.js';
import type { PlannedEntry } from '../../../bookkeeping/item/posting-plan.js';

/** A journal entry as far as two contents of one accounting entry are compared. */
export interface EntryLines extends Pick<PlannedEntry, 'role' | 'postingDate' | 'currency'> {
  /** Minor units of `currency`, debit positive. */
  readonly lines: readonly { readonly accountCode: string; readonly amountMinor: bigint }[];
}

/** What stands in the ERP's books under an accounting entry, from this job or an earlier one. */
export interface KnownPosting {
  readonly contentDigest: string;
  readonly externalId: string;
  readonly externalUrl: string;
  /** Empty when the lines are not known. */
  readonly content: readonly EntryLines[];
  /** To be kept with the item that reports it. */
  readonly warnings: readonly string[];
}

export interface KnownEntry {
  /** Undefined: nothing of the entry is in the books. */
  readonly posting: KnownPosting | undefined;
  /** `posting` has the content that the entry has in this job: this job itself meant to post it, and still does. */
  readonly ownContent: boolean;
  /** Found in the ERP just now: an earlier run posted it and did not get as far as to say so. */
  readonly foundNow: boolean;
  /** The revision to be posted next, once nothing of the entry is in the books. */
  readonly nextRevision: number;
  /** Id in the ERP of the entry that the next one, or `posting`, replaces. */
  readonly replaced: string | undefined;
  readonly inDoubt: InDoubtReason | undefined;
  /** An earlier job posted it, and it was taken out of the books in the ERP. */
  readonly reversal?: ReversalInErp | undefined;
  /** An earlier job posted it, and the ERP does not know it any more; names it. */
  readonly lost?: string | undefined;
  /** Number of the vendor that it was planned with, while nothing of it is known to be in the books. */
  readonly vendorCode?: string | undefined;
}

/** An entry that was reversed or discarded in the ERP, with the names that bookkeepers know. */
export interface ReversalInErp {
  readonly entry: string;
  /** Undefined where the ERP does not tell. */
  readonly by: string | undefined;
  readonly on: LocalDate | undefined;
}

/**
 * What is not known. `post`: whether it was posted, and it has not been looked up · `reversal`: whether it was reversed,
 * likewise · `not-shown-yet`: whether it was posted; the ERP does not show it and might not show it yet (level `searchable-reference`) ·
 * `needs-manual-review`: whether it was posted, and the ERP cannot be searched (level `none`).
 */
export type InDoubtReason = 'post' | 'reversal' | 'not-shown-yet' | 'needs-manual-review';

/** Lines of planned entries, to be compared with what is in the books. */
export function linesOf(entries: readonly PlannedEntry[]): readonly EntryLines[] {
  return entries.map(({ role, postingDate, currency, lines }) => ({
    role,
    postingDate,
    currency,
    lines: lines.map(({ account, amountMinor }) => ({ accountCode: account.code, amountMinor })),
  }));
}

/** How a reversed group was taken out of the books. @param group as the ERP shows it */
export function reversalIn(group: { readonly key: string; readonly entries: readonly ShownEntry[] }): ReversalInErp {
  const main = mainEntryOf(group);
  const { reversedBy } = main ?? {};
  return {
    entry: main?.number ?? main?.id ?? group.key,
    by: reversedBy?.number ?? reversedBy?.id,
    on: reversedBy?.on,
  };
}

interface ShownEntry extends Pick<PlannedEntry, 'role'> {
  readonly id: string;
  readonly number: string | undefined;
  readonly reversedBy?: { readonly id: string; readonly number: string | undefined; readonly on: LocalDate };
}

/** What a bookkeeper looks for: the entry or invoice, not its payment. */
export function mainEntryOf<Entry extends Pick<PlannedEntry, 'role'>>({
  entries,
}: {
  readonly entries: readonly Entry[];
}): Entry | undefined {
  return entries.find((entry) => entry.role !== 'payment' && entry.role !== 'receipt') ?? entries[0];
}
