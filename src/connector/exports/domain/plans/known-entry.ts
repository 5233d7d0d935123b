// What is known of an accounting entry before it is planned: from our record, and from the ERP where the record is in doubt.
import type { LocalDate } from '../../../../kernel/local-date.js';
import type { PlannedEntry } from '../../../bookkeeping/item/posting-plan.js';

/** The part of a journal entry that is compared between two contents of one accounting entry. */
export interface EntryLines extends Pick<PlannedEntry, 'role' | 'postingDate' | 'currency'> {
  /** Minor units of `currency`, debit positive. */
  readonly lines: readonly { readonly accountCode: string; readonly amountMinor: bigint }[];
}

/** The entry that stands in the ERP under an accounting entry, posted by this job or an earlier one. */
export interface KnownPosting {
  readonly contentDigest: string;
  readonly externalId: string;
  readonly externalUrl: string;
  /** Empty when the lines are not known. */
  readonly content: readonly EntryLines[];
  /** To be stored with the item that reports it. */
  readonly warnings: readonly string[];
}

export interface KnownEntry {
  /** Undefined: nothing of the entry is in the books. */
  readonly posting: KnownPosting | undefined;
  /** `posting` has the content that the entry has in this job, which has sent it itself. */
  readonly ownContent: boolean;
  /** Found in the ERP just now: an earlier run posted it and could not record that. */
  readonly foundNow: boolean;
  /** The revision to post next, once nothing of the entry stands. */
  readonly nextRevision: number;
  /** Id in the ERP of the entry that the next one, or `posting`, replaces. */
  readonly replaced: string | undefined;
  readonly inDoubt: InDoubtReason | undefined;
  /** An earlier job posted it, and it was reversed in the ERP. */
  readonly reversal?: ReversalInErp | undefined;
  /** Id of an entry that an earlier job posted and that the ERP does not have any more. */
  readonly lost?: string | undefined;
  /** Number of the planned vendor, while no entry is known to stand. */
  readonly vendorCode?: string | undefined;
}

/** An entry that was reversed or discarded in the ERP, with the names that bookkeepers know. */
export interface ReversalInErp {
  readonly entry: string;
  /** Undefined where the ERP does not show it. */
  readonly by: string | undefined;
  readonly on: LocalDate | undefined;
}

/**
 * `post`: it may have been posted, and was not looked up · `reversal`: it may have been reversed, and was not looked up ·
 * `not-shown-yet`: it may have been posted, and the ERP may not show it yet (level `searchable-reference`) ·
 * `needs-manual-review`: it may have been posted, and the ERP cannot be searched (level `none`).
 */
export type InDoubtReason = 'post' | 'reversal' | 'not-shown-yet' | 'needs-manual-review';

/** Lines of planned entries, for comparison with standing ones. */
export function linesOf(entries: readonly PlannedEntry[]): readonly EntryLines[] {
  return entries.map(({ role, postingDate, currency, lines }) => ({
    role,
    postingDate,
    currency,
    lines: lines.map(({ account, amountMinor }) => ({ accountCode: account.code, amountMinor })),
  }));
}

/** How a group was reversed in the ERP. @param group as the ERP shows it */
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

/** The entry that a bookkeeper looks for: the entry or invoice, not its payment. */
export function mainEntryOf<Entry extends Pick<PlannedEntry, 'role'>>({
  entries,
}: {
  readonly entries: readonly Entry[];
}): Entry | undefined {
  return entries.find((entry) => entry.role !== 'payment' && entry.role !== 'receipt') ?? entries[0];
}
