// What an ERP shows of the entries that an adapter writes in several requests: drafts, which count for nothing, and records
// that count.
import type { EntryRole } from '../../bookkeeping/item/posting-plan.js';
import type { InspectedEntry, InspectedGroup, ListedGroup } from '../erp-books.js';
import type { PostedGroup } from '../erp-ledger.js';

export interface StepRecord {
  /** As the ERP names it. */
  readonly id: string;
  /** Grows with each record that the ERP creates. */
  readonly order: number;
  readonly key: string;
  /** From 1. */
  readonly revision: number;
  readonly contentDigest: string;
  readonly role: EntryRole;
  /** Among the entries of its group, from 1. */
  readonly position: number;
  /** As the trail of its group says it, where the ERP has kept that. */
  readonly installationId: string | undefined;
  /** It is in the books. Otherwise it is a draft: left over, or part of an attempt that is under way. */
  readonly counts: boolean;
  /** Id of the record that this one reverses; of drafts, too. */
  readonly reverses: string | undefined;
  /** A record that counts reverses it. */
  readonly reversed: boolean;
  /** As shown to bookkeepers. */
  readonly number: string | undefined;
  /** For people to click. */
  readonly url: string;
}

/** The records of one revision. */
export interface RecordGroup<Found extends StepRecord = StepRecord> {
  readonly key: string;
  readonly revision: number;
  readonly contentDigest: string;
  /** Those that count, in the order in which they were planned; without reversals. */
  readonly records: readonly Found[];
}

/** @returns every revision that is in the books by key, oldest first */
export function groupsOf<Found extends StepRecord>(
  records: readonly Found[],
): ReadonlyMap<string, readonly RecordGroup<Found>[]> {
  const entries = records.filter(({ counts, reverses }) => counts && reverses === undefined);
  const byRevision = Map.groupBy(entries, ({ revision, key }) => `${revision.toString()} ${key}`);
  const groups = [...byRevision.values()].flatMap((some) =>
    some.slice(0, 1).map(({ key, revision, contentDigest }) => ({
      key,
      revision,
      contentDigest,
      records: some.toSorted((a, b) => a.position - b.position || a.order - b.order),
    })),
  );
  return Map.groupBy(
    groups.toSorted((a, b) => a.revision - b.revision),
    ({ key }) => key,
  );
}

/** Whether one of its entries is in the balances. */
export function isStanding({ records }: RecordGroup): boolean {
  return records.some(({ reversed }) => !reversed);
}

export function postedOf(group: RecordGroup): PostedGroup {
  const { key, revision, contentDigest, records } = group;
  return {
    key,
    revision,
    contentDigest,
    reversed: !isStanding(group),
    entries: records.map(({ role, id, number, url }) => ({ role, id, number, url })),
    warnings: [],
  };
}

/** What an entry shows besides its record. */
export type ShownEntry = Pick<InspectedEntry, 'postingDate' | 'currency' | 'lines'>;

/**
 * Which part of a divided entry each of these is, as `InspectedEntry` says it.
 * @param entries of one revision, in the order in which they were planned
 */
export function withParts<Entry extends { readonly role: EntryRole }>(
  entries: readonly Entry[],
): readonly (Entry & { readonly part?: number })[] {
  return entries.map((entry, index) => {
    const part = entries.slice(0, index + 1).filter(({ role }) => role === entry.role).length;
    return part > 1 ? { ...entry, part } : entry;
  });
}

/** As `ErpLedger.inspect` shows a group. */
export function inspectedOf<Found extends StepRecord>(
  { records, ...group }: RecordGroup<Found>,
  show: (record: Found) => ShownEntry,
): InspectedGroup {
  const stateOf = ({ reversed }: Found) => (reversed ? 'reversed' : 'posted');
  return {
    ...group,
    entries: withParts(
      records.map((record) => ({ id: record.id, role: record.role, state: stateOf(record), ...show(record) })),
    ),
  };
}

/** As `ErpLedger.listGroups` lists a group. @param shown its entries, at least one */
export function listedOf(group: RecordGroup, shown: readonly [ShownEntry, ...ShownEntry[]]): ListedGroup {
  const debits = shown.flatMap(({ lines }) => lines).filter(({ amountMinor }) => amountMinor > 0n);
  return {
    key: group.key,
    revision: group.revision,
    standing: isStanding(group),
    accountingEntryId: group.key,
    installationId: group.records[0]?.installationId,
    postingDate: shown.map(({ postingDate }) => postingDate).reduce((a, b) => (a < b ? a : b)),
    amountMinor: debits.reduce((sum, { amountMinor }) => sum + amountMinor, 0n),
    currency: shown[0].currency,
  };
}
