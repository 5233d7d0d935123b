// What is about to be changed in the books, on top of what was read; committed as a whole.
import { Bug } from '../../../kernel/faults.js';
import type { JsonValue } from '../../../kernel/json.js';
import type { LocalDate } from '../../../kernel/local-date.js';
import type { PostingGroup } from '../erp-ledger.js';
import type { StoreChange, StoredValue } from '../kit/erp-store.js';
import { reversalDate } from './decide-post.js';
import { entryFromJson, entryToJson, fileEntry, reversalEntry, type FileEntry } from './file-entry.js';
import type { FilesSettings } from './files-settings.js';
import { fiscalYearOf } from './formats/journal-file.js';
import {
  dayKey,
  entryKey,
  groupKey,
  groupOf,
  HEAD_KEY,
  headOf,
  isGivenOut,
  withEntry,
  type BooksHead,
  type StoredGroup,
  type StoredRevision,
} from './stored-books.js';

export class BooksDraft {
  private readonly changed = new Map<string, JsonValue>();
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
    const entries = group.entries.map((planned) => {
      const entry = fileEntry(group, this.head.nextNumber, planned);
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
    const stored = this.stored.get(entryKey(year, number));
    if (stored === undefined) throw new Bug(`entry ${number.toString()} of a file connection is missing`);
    const entry = entryFromJson(stored.value);
    if (isGivenOut(this.head, year, number)) {
      const day = reversalDate(entry.postingDate, this.settings.closedUntil);
      this.add(reversalEntry(entry, this.head.nextNumber, day));
      return 'reversed';
    }
    this.changed.set(entryKey(year, number), entryToJson({ ...entry, discarded: true }));
    this.head = { ...this.head, discards: this.head.discards + 1 };
    return 'discarded';
  }

  private add(entry: FileEntry): LocalDate {
    const year = fiscalYearOf(entry.postingDate, this.settings).from;
    this.changed.set(entryKey(year, entry.number), entryToJson(entry));
    this.head = withEntry(this.head, year);
    return year;
  }
}
