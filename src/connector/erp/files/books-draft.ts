// What is about to be changed in the books, on top of what was read; committed as a whole.
import { Bug } from '../../../kernel/faults.js';
import type { JsonValue } from '../../../kernel/json.js';
import type { LocalDate } from '../../../kernel/local-date.js';
import type { PostingGroup } from '../erp-ledger.js';
import type { StoreChange, StoredValue } from '../kit/erp-store.js';
import { reversalDate } from './decide-post.js';
import {
  entryFromJson,
  entryToJson,
  fileEntry,
  reversalEntry,
  type EntryReceipt,
  type FileEntry,
} from './file-entry.js';
import type { FilesSettings } from './settings/files-settings.js';
import { fiscalYearOf } from './formats/journal-file.js';
import { looseKey, receiptKey, receiptOf } from './receipts/stored-receipts.js';
import {
  batchKey,
  batchOf,
  dayKey,
  entryKey,
  groupKey,
  groupOf,
  hasEntry,
  HEAD_KEY,
  headOf,
  isGivenOut,
  withEntry,
  type BooksHead,
  type StoredBatch,
  type StoredGroup,
  type StoredRevision,
} from './stored-books.js';

export class BooksDraft {
  /** Undefined removes a key. */
  private readonly changed = new Map<string, JsonValue | undefined>();
  private head: BooksHead;

  /** @param stored the head, the groups and the entries that may be changed, as they were read */
  constructor(
    private readonly stored: ReadonlyMap<string, StoredValue>,
    private readonly settings: FilesSettings,
  ) {
    this.head = headOf(stored.get(HEAD_KEY));
  }

  group(key: string): StoredGroup | undefined {
    return groupOf(this.changed.get(groupKey(key)) ?? this.stored.get(groupKey(key))?.value);
  }

  isChanged(key: string): boolean {
    return this.changed.has(groupKey(key));
  }

  changes(): readonly StoreChange[] {
    if (this.changed.size === 0) return [];
    return [...this.changed, [HEAD_KEY, this.head] as const].map(([key, value]) => ({
      key,
      value,
      expectedVersion: this.stored.get(key)?.version ?? 0,
    }));
  }

  /** @param group that was decided to be posted */
  post(group: PostingGroup): StoredRevision {
    const { key, revision } = group;
    const withReceipts = receiptEntry(group.entries);
    this.keepReceipts(group);
    const entries = group.entries.map((planned) => {
      const receipts = planned === withReceipts ? distinct(group.documents) : [];
      const entry = fileEntry(group, this.head.nextNumber, planned, receipts);
      return { entry, role: planned.role, number: entry.number, year: this.add(entry), state: 'posted' as const };
    });
    const days = [...new Set(entries.map(({ entry }) => entry.postingDate))].toSorted();
    const lines = entries.flatMap(({ entry }) => entry.lines);
    const stored: StoredRevision = {
      revision,
      contentDigest: group.contentDigest,
      installationId: group.trail.installationId,
      days,
      currency: entries[0]?.entry.currency ?? this.settings.functionalCurrency,
      amountMinor: lines.reduce((sum, { amountMinor }) => (amountMinor > 0n ? sum + amountMinor : sum), 0n).toString(),
      entries: entries.map(({ role, number, year, state }) => ({ role, number, year, state })),
    };
    for (const day of days) this.changed.set(dayKey(day, key, revision), { key, revision, days });
    this.changed.set(groupKey(key), { revisions: [...(this.group(key)?.revisions ?? []), stored] });
    return stored;
  }

  /**
   * Adds the receipts that the standing entry of a posted group lacks.
   * @param batches those that have given out an entry of the group
   */
  attach(group: PostingGroup, revision: StoredRevision, batches: readonly StoredBatch[]): void {
    const posted = receiptEntry(revision.entries);
    if (group.documents.length === 0 || posted?.state !== 'posted') return;
    const { year, number } = posted;
    const entry = this.storedEntry(year, number);
    const receipts = distinct([
      ...entry.receipts,
      ...group.documents.filter(({ documentId }) => this.stored.has(receiptKey(documentId))),
    ]);
    const added = receipts.length - entry.receipts.length;
    if (added === 0) return;
    this.keepReceipts(group);
    this.changed.set(entryKey(year, number), entryToJson({ ...entry, receipts }));
    this.changed.set(groupKey(group.key), this.group(group.key));
    this.head = { ...this.head, rewrites: this.head.rewrites + 1 };
    const batch = batches.find((candidate) => hasEntry(candidate, year, number));
    if (batch !== undefined) {
      const key = batchKey(batch.number);
      const before = batchOf(this.changed.get(key) ?? batch);
      this.changed.set(key, { ...before, receipts: before.receipts + added });
    }
  }

  /** Discards the standing entries of a group that no batch has, and adds a reversal of each that one has. */
  reverse(key: string): void {
    const revisions = this.group(key)?.revisions ?? [];
    const reversed = revisions.map((revision) => ({
      ...revision,
      entries: revision.entries.map((posted) =>
        posted.state === 'posted' ? { ...posted, state: this.takeBack(posted) } : posted,
      ),
    }));
    this.changed.set(groupKey(key), { revisions: reversed });
  }

  private takeBack({ year, number }: StoredRevision['entries'][number]): 'reversed' | 'discarded' {
    const entry = this.storedEntry(year, number);
    if (isGivenOut(this.head, year, number)) {
      const day = reversalDate(entry.postingDate, this.settings.closedUntil);
      this.add(reversalEntry(entry, this.head.nextNumber, day));
      return 'reversed';
    }
    this.changed.set(entryKey(year, number), entryToJson({ ...entry, discarded: true }));
    this.head = { ...this.head, rewrites: this.head.rewrites + 1 };
    return 'discarded';
  }

  private storedEntry(year: string, number: number): FileEntry {
    const stored = this.stored.get(entryKey(year, number));
    if (stored === undefined) throw new Bug(`entry ${number.toString()} of a file connection is missing`);
    return entryFromJson(stored.value);
  }

  /** So that they are not removed as receipts that no entry has. */
  private keepReceipts({ documents }: PostingGroup): void {
    for (const { documentId } of documents) {
      const { looseSince, ...receipt } = receiptOf(this.stored.get(receiptKey(documentId))) ?? {};
      if (looseSince === undefined) continue;
      this.changed.set(receiptKey(documentId), receipt);
      this.changed.set(looseKey(documentId), undefined);
    }
  }

  private add(entry: FileEntry): LocalDate {
    const year = fiscalYearOf(entry.postingDate, this.settings).from;
    this.changed.set(entryKey(year, entry.number), entryToJson(entry));
    this.head = withEntry(this.head, year);
    return year;
  }
}

/** The one of a group that its receipts are behind. */
function receiptEntry<T extends { readonly role: string }>(entries: readonly T[]): T | undefined {
  return entries.find(({ role }) => ['entry', 'invoice', 'credit-note'].includes(role)) ?? entries[0];
}

/** Each document once. */
function distinct(documents: readonly EntryReceipt[]): readonly EntryReceipt[] {
  const receipts = documents.map(({ documentId, fileName }) => ({ documentId, fileName }));
  return receipts.filter(
    ({ documentId }, index) => receipts.findIndex((other) => other.documentId === documentId) === index,
  );
}
