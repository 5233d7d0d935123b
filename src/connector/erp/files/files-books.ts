// The books of a file connection: groups are posted, reversed and looked up in its store. What the store does not confirm is
// unavailable, or unknown when it may have been committed.
import type { Clock } from '../../../kernel/clock.js';
import { Bug } from '../../../kernel/faults.js';
import type { LocalDate } from '../../../kernel/local-date.js';
import type { ErpCall } from '../erp-call.js';
import type { InspectedGroup, ListedGroups } from '../erp-books.js';
import {
  ErpUnavailable,
  type ErpFailure,
  type PostedGroup,
  type PostingGroup,
  type PostOutcome,
  type ReverseOutcome,
} from '../erp-ledger.js';
import type { ErpContext } from '../kit/define-erp.js';
import type { ErpStore, StoreChange, StoredValue } from '../kit/erp-store.js';
import { BooksDraft } from './books-draft.js';
import { decidePost, isStanding } from './decide-post.js';
import { fileFormats } from './formats/file-formats.js';
import { entryFromJson, type FileEntry } from './file-entry.js';
import type { FilesSettings } from './settings/files-settings.js';
import { findBatches } from './receipts/find-batches.js';
import { isReceiptId, looseKey, receiptKey } from './receipts/stored-receipts.js';
import { inspectedGroup, listedGroup, outcomeOf, postedGroup, type Decided } from './shown-books.js';
import {
  batchOf,
  DAY_PREFIX,
  dayIndexOf,
  entryKey,
  groupKey,
  groupOf,
  HEAD_KEY,
  headOf,
  type StoredBatch,
  type StoredGroup,
  type StoredRevision,
} from './stored-books.js';

/** So many groups fit into one commit of the store, with all their entries. */
const GROUPS_PER_COMMIT = 25;
/** In one commit, so that it has less than 1,000 changes with those of the entries: two each. */
const RECEIPTS_PER_COMMIT = 80;
/** Of the commits at one time one succeeds; more writers at the same time than these have to come again. */
const MAX_ATTEMPTS = 20;
const LIST_PAGE = 200;

const STORE_SILENT: ErpFailure = { kind: 'server-error', message: 'the store of the file connection did not respond' };
const TIME_OVER: ErpFailure = { kind: 'timeout', message: 'the time for this request is over' };
const BUSY: ErpFailure = { kind: 'server-error', message: 'the file connection is being changed by others' };

export class FilesBooks {
  /** @param settings throws ErpUnavailable when they are not usable */
  constructor(
    private readonly store: ErpStore,
    private readonly settings: () => FilesSettings,
    private readonly clock: Clock,
    private readonly log: ErpContext['log'],
  ) {}

  async post(call: ErpCall, groups: readonly PostingGroup[]): Promise<readonly PostOutcome[]> {
    const outcomes: PostOutcome[] = [];
    for (const some of chunks(groups, ({ documents }) => documents.length))
      outcomes.push(...(await this.postChunk(call, some)));
    return outcomes;
  }

  async reverse(call: ErpCall, keys: readonly string[]): Promise<readonly ReverseOutcome[]> {
    const outcomes: ReverseOutcome[] = [];
    for (const some of chunks(keys, () => 0)) outcomes.push(...(await this.reverseChunk(call, some)));
    return outcomes;
  }

  /** @throws ErpUnavailable */
  async find(call: ErpCall, keys: readonly string[]): Promise<ReadonlyMap<string, PostedGroup>> {
    const groups = await this.groups(call, keys);
    return new Map([...groups].map(([key, { revisions }]) => [key, postedGroup(key, newestOf(revisions))]));
  }

  /** @throws ErpUnavailable */
  async inspect(call: ErpCall, keys: readonly string[]): Promise<ReadonlyMap<string, readonly InspectedGroup[]>> {
    const groups = await this.groups(call, keys);
    const entries = await this.entries(
      call,
      [...groups.values()].flatMap(({ revisions }) => revisions),
    );
    return new Map(
      [...groups].map(([key, { revisions }]) => [
        key,
        revisions.map((revision) => inspectedGroup(key, revision, entries)),
      ]),
    );
  }

  /** @throws ErpUnavailable */
  async list(
    call: ErpCall,
    days: { readonly from: LocalDate; readonly to: LocalDate },
    after: string | undefined,
  ): Promise<ListedGroups> {
    const start = after ?? `${DAY_PREFIX}${days.from}`;
    const page = await this.reading(call, () => this.store.list(DAY_PREFIX, start, LIST_PAGE));
    const dated = page.filter(({ key }) => key.slice(DAY_PREFIX.length) < `${days.to}0`);
    const rows = dated
      .map(({ key, value }) => ({ day: key.slice(DAY_PREFIX.length, DAY_PREFIX.length + 10), ...dayIndexOf(value) }))
      // A group of several days is listed on the first of them in the period.
      .filter((row) => row.day === row.days.find((day) => day >= days.from));
    const groups = await this.groups(call, [...new Set(rows.map(({ key }) => key))]);
    return {
      groups: rows.flatMap(({ key, revision }) => {
        const found = groups.get(key)?.revisions.find((candidate) => candidate.revision === revision);
        return found === undefined ? [] : [listedGroup(key, found)];
      }),
      next: dated.length === LIST_PAGE ? dated.at(-1)?.key : undefined,
    };
  }

  private async postChunk(call: ErpCall, groups: readonly PostingGroup[]): Promise<readonly PostOutcome[]> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const prepared = await this.preparePost(call, groups).catch(failureOf);
      if ('kind' in prepared) return groups.map(() => ({ outcome: 'not-sent', failure: prepared }));
      const { draft, outcomes } = prepared;
      const committed = await this.commit(call, draft.changes());
      if (committed === 'committed') return outcomes;
      if (committed === 'in-doubt') {
        return groups.map(({ key }, index) =>
          draft.isChanged(key) ? { outcome: 'unknown', failure: STORE_SILENT } : at(outcomes, index),
        );
      }
    }
    return groups.map(() => ({ outcome: 'not-sent', failure: BUSY }));
  }

  private async preparePost(
    call: ErpCall,
    groups: readonly PostingGroup[],
  ): Promise<{ readonly draft: BooksDraft; readonly outcomes: readonly PostOutcome[] }> {
    const { stored, batches } = await this.readForPost(call, groups);
    const settings = this.settings();
    const draft = new BooksDraft(stored, settings);
    const format = fileFormats[settings.format];
    const hasReceipt = (id: string) => stored.has(receiptKey(id));
    const decided = groups.map((group): Decided => {
      const { key } = group;
      const decision = decidePost(group, draft.group(key), settings, format, hasReceipt);
      if (decision.kind === 'post') return { key, kind: 'created', revision: draft.post(group) };
      if (decision.kind === 'existed' && !draft.isChanged(key)) draft.attach(group, decision.revision, batches);
      return { key, ...decision };
    });
    const conflicts = decided.flatMap((decision) => (decision.kind === 'conflict' ? [decision.revision] : []));
    const entries = await this.entries(call, conflicts);
    const outcomes = decided.map((decision) => outcomeOf(decision, entries));
    return { draft, outcomes };
  }

  /** The head, the groups, their receipts; of groups that are there already the entries, too, and the batches that have them. */
  private async readForPost(
    call: ErpCall,
    groups: readonly PostingGroup[],
  ): Promise<{ readonly stored: ReadonlyMap<string, StoredValue>; readonly batches: readonly StoredBatch[] }> {
    const ids = groups.flatMap(({ documents }) => documents.map(({ documentId }) => documentId)).filter(isReceiptId);
    const stored = await this.read(call, [
      ...[HEAD_KEY, ...groups.map(({ key }) => groupKey(key))],
      ...[...ids.map(receiptKey), ...ids.map(looseKey)],
    ]);
    const existing = groups
      .filter(({ documents }) => documents.length > 0)
      .flatMap(({ key }) => groupOf(stored.get(groupKey(key))?.value)?.revisions.at(-1) ?? []);
    const entries = await this.read(call, existing.flatMap(entryKeysOf));
    const head = headOf(stored.get(HEAD_KEY));
    const batches = await this.reading(call, () => findBatches(this.store, head, existing));
    return {
      stored: new Map([...stored, ...entries, ...batches]),
      batches: [...batches.values()].map(({ value }) => batchOf(value)),
    };
  }

  private async reverseChunk(call: ErpCall, keys: readonly string[]): Promise<readonly ReverseOutcome[]> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const prepared = await this.prepareReversal(call, keys).catch(failureOf);
      if ('kind' in prepared) return keys.map(() => ({ outcome: 'unavailable', failure: prepared }));
      const committed = await this.commit(call, prepared.changes());
      if (committed === 'committed') {
        return keys.map((key) => ({ outcome: prepared.group(key) === undefined ? 'absent' : 'reversed' }));
      }
      if (committed === 'in-doubt') return keys.map(() => ({ outcome: 'unavailable', failure: STORE_SILENT }));
    }
    return keys.map(() => ({ outcome: 'unavailable', failure: BUSY }));
  }

  private async prepareReversal(call: ErpCall, keys: readonly string[]): Promise<BooksDraft> {
    const stored = await this.read(call, [HEAD_KEY, ...keys.map(groupKey)]);
    const standing = keys.flatMap((key) =>
      (groupOf(stored.get(groupKey(key))?.value)?.revisions ?? [])
        .filter(isStanding)
        .map((revision) => ({ key, revision })),
    );
    const entries = await this.read(
      call,
      standing.flatMap(({ revision }) => entryKeysOf(revision)),
    );
    const draft = new BooksDraft(new Map([...stored, ...entries]), this.settings());
    for (const key of new Set(standing.map(({ key }) => key))) draft.reverse(key);
    return draft;
  }

  private async groups(call: ErpCall, keys: readonly string[]): Promise<ReadonlyMap<string, StoredGroup>> {
    const stored = await this.read(call, keys.map(groupKey));
    return new Map(
      [...new Set(keys)].flatMap((key) => {
        const group = groupOf(stored.get(groupKey(key))?.value);
        return group === undefined ? [] : [[key, group] as const];
      }),
    );
  }

  /** By number. */
  private async entries(call: ErpCall, revisions: readonly StoredRevision[]): Promise<ReadonlyMap<number, FileEntry>> {
    const stored = await this.read(call, revisions.flatMap(entryKeysOf));
    return new Map([...stored.values()].map(({ value }) => entryFromJson(value)).map((entry) => [entry.number, entry]));
  }

  private async read(call: ErpCall, keys: readonly string[]): Promise<ReadonlyMap<string, StoredValue>> {
    const distinct = [...new Set(keys)];
    return distinct.length === 0 ? new Map() : this.reading(call, () => this.store.read(distinct));
  }

  /** @throws ErpUnavailable; the signal's reason */
  private async reading<T>(call: ErpCall, read: () => Promise<T>): Promise<T> {
    call.signal.throwIfAborted();
    if (this.clock.now() >= call.deadline) throw new ErpUnavailable(TIME_OVER);
    try {
      return await read();
    } catch (error) {
      this.logFailure(error);
      throw new ErpUnavailable(STORE_SILENT);
    }
  }

  private async commit(
    call: ErpCall,
    changes: readonly StoreChange[],
  ): Promise<'committed' | 'changed-by-others' | 'in-doubt'> {
    if (changes.length === 0) return 'committed';
    call.signal.throwIfAborted();
    call.assertOwner();
    try {
      return (await this.store.commit(changes)) ? 'committed' : 'changed-by-others';
    } catch (error) {
      this.logFailure(error);
      return 'in-doubt';
    }
  }

  private logFailure(error: unknown): void {
    const reason = error instanceof Error ? `${error.name}: ${error.message}`.slice(0, 200) : typeof error;
    this.log('error', 'files-store-failed', { reason });
  }
}

/** A group with more receipts than fit into a commit beside others has one of its own. */
function* chunks<T>(values: readonly T[], receiptsOf: (value: T) => number): Generator<readonly T[]> {
  let chunk: T[] = [];
  let receipts = 0;
  for (const value of values) {
    const more = receiptsOf(value);
    if (chunk.length === GROUPS_PER_COMMIT || (chunk.length > 0 && receipts + more > RECEIPTS_PER_COMMIT)) {
      yield chunk;
      [chunk, receipts] = [[], 0];
    }
    chunk.push(value);
    receipts += more;
  }
  if (chunk.length > 0) yield chunk;
}

/** @throws what is no failure to read */
function failureOf(error: unknown): ErpFailure {
  if (error instanceof ErpUnavailable) return error.failure;
  throw error;
}

function entryKeysOf({ entries }: StoredRevision): readonly string[] {
  return entries.map(({ year, number }) => entryKey(year, number));
}

function newestOf(revisions: readonly StoredRevision[]): StoredRevision {
  return at(revisions, revisions.length - 1);
}

function at<T>(values: readonly T[], index: number): T {
  const value = values[index];
  if (value === undefined) throw new Bug('a list is shorter than it was');
  return value;
}
