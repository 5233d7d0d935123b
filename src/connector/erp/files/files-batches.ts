// Batches: what was posted since the one before, closed into a file that never changes again.
import { createHash } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { Clock } from '../../../kernel/clock.js';
import { Bug } from '../../../kernel/faults.js';
import { parseLocalDate } from '../../../kernel/local-date.js';
import type { ErpStore, StoreChange, StoredValue } from '../kit/erp-store.js';
import type { ErpBatchReceipts } from '../kit/erp-batches.js';
import { fileFormats } from './formats/file-formats.js';
import { entryFromJson, type FileEntry } from './file-entry.js';
import type { FilesSettings } from './settings/files-settings.js';
import { handedOut, receiptsOfBatch } from './receipts/batch-receipts.js';
import { ReceiptLeftovers } from './receipts/receipt-leftovers.js';
import type { WriteBatches } from './write-batches.js';
import { fiscalYearOf, type PostedBatch } from './formats/journal-file.js';
import {
  BATCH_PREFIX,
  batchKey,
  batchOf,
  entryKey,
  entryPrefix,
  fileKey,
  HEAD_KEY,
  headOf,
  pieceOf,
  type BatchFile,
  type BooksHead,
  type StoredBatch,
} from './stored-books.js';

export type CloseOutcome =
  /** Oldest first; none when nothing was waiting. */
  | { readonly outcome: 'closed'; readonly batches: readonly StoredBatch[] }
  /** An entry does not fit into the format that the settings say now. The batches before it are closed. */
  | { readonly outcome: 'refused'; readonly message: string; readonly batches: readonly StoredBatch[] };

const PAGE = 1_000;
const MAX_ENTRIES = 10_000;
/** DATEV takes 99,999 rows of a batch, and a line may get two. */
const MAX_LINES = 49_999;
/** Characters of a stored piece of a file. */
const PIECE = 96_000;
/** Of the changes at one time one succeeds. */
const MAX_DISTURBANCES = 20;

export class FilesBatches {
  /** @param places where each batch is put as well */
  constructor(
    private readonly store: ErpStore,
    private readonly settings: FilesSettings,
    private readonly clock: Clock,
    private readonly places?: WriteBatches,
  ) {}

  /**
   * Closes all entries that no batch has into the next ones: one for each fiscal year, of at most 10,000 entries and 49,999
   * lines. Of two calls at the same time one gets an entry.
   * @throws Error of the store or the folder, ErpUnavailable of the bucket; the batches that are closed stay closed, and the next call repeats the rest
   */
  async close(): Promise<CloseOutcome> {
    const batches: StoredBatch[] = [];
    for (let disturbances = 0; disturbances < MAX_DISTURBANCES;) {
      const step = await this.closeNext();
      switch (step.kind) {
        case 'closed':
          batches.push(step.batch);
          break;
        case 'passed':
          break;
        case 'disturbed':
          disturbances += 1;
          break;
        case 'refused':
          await this.places?.placeAll(this);
          return { outcome: 'refused', message: step.message, batches };
        case 'nothing-waits':
          await new ReceiptLeftovers(this.store, this.clock).remove();
          await this.places?.placeAll(this);
          return { outcome: 'closed', batches };
      }
    }
    throw new Error('the file connection is being changed by others: close the batch again');
  }

  /**
   * One page, oldest first.
   * @param after number of the last batch of the page before; 0 for the first page
   * @param limit at most 1,000
   */
  async list(after = 0, limit = 100): Promise<readonly StoredBatch[]> {
    const page = await this.store.list(BATCH_PREFIX, after === 0 ? undefined : batchKey(after), limit);
    return page.map(({ value }) => batchOf(value));
  }

  /** @returns the same bytes each time; undefined when there is no such batch */
  async read(number: number): Promise<BatchFile | undefined> {
    const batch = await this.find(number);
    if (batch === undefined) return undefined;
    const keys = Array.from({ length: batch.pieces }, (_, piece) => fileKey(number, piece));
    const pieces = await this.store.read(keys);
    const packed = keys.map((key) => pieceOf(pieces.get(key))).join('');
    const content = gunzipSync(Buffer.from(packed, 'base64'));
    if (digestOf(content) !== batch.sha256) throw new Bug(`batch ${number.toString()} is not the one that was closed`);
    return { batch, content };
  }

  /** @returns undefined when there is no such batch */
  async receipts(number: number): Promise<ErpBatchReceipts | undefined> {
    const batch = await this.find(number);
    return batch && handedOut(this.store, batch, await receiptsOfBatch(this.store, batch));
  }

  /** @returns undefined when there is no such batch */
  private async find(number: number): Promise<StoredBatch | undefined> {
    const stored = (await this.store.read([batchKey(number)])).get(batchKey(number));
    return stored && batchOf(stored.value);
  }

  private async closeNext(): Promise<CloseStep> {
    const head = headOf((await this.store.read([HEAD_KEY])).get(HEAD_KEY));
    const year = Object.keys(head.pending).toSorted()[0];
    if (year === undefined) return { kind: 'nothing-waits' };
    const { waiting, isAll } = await this.waiting(head, year);
    const entries = waiting.filter(({ discarded }) => !discarded);
    const message = this.problemOf(entries);
    if (message !== undefined) return { kind: 'refused', message };
    const [first, last] = [waiting.at(0)?.number ?? 0, waiting.at(-1)?.number ?? 0];
    const closed = entries.length === 0 ? undefined : this.encode(head.nextBatch, year, entries, { first, last });
    if (!(await this.commit(head, year, { waiting, isAll }, closed))) return { kind: 'disturbed' };
    return closed === undefined ? { kind: 'passed' } : { kind: 'closed', batch: closed.batch };
  }

  /** The oldest entries of a year that no batch has, discarded ones included. */
  private async waiting({ pending, nextNumber }: BooksHead, year: string): Promise<WaitingEntries> {
    const waiting: FileEntry[] = [];
    let lines = 0;
    for (let after = entryKey(year, (pending[year] ?? nextNumber) - 1); ;) {
      const page = await this.store.list(entryPrefix(year), after, PAGE);
      for (const { key, value } of page) {
        const entry = entryFromJson(value);
        lines += entry.lines.length;
        if (waiting.length === MAX_ENTRIES || lines > MAX_LINES) return { waiting, isAll: false };
        waiting.push(entry);
        after = key;
      }
      if (page.length < PAGE) return { waiting, isAll: true };
    }
  }

  private problemOf(entries: readonly FileEntry[]): string | undefined {
    const { format } = this.settings;
    for (const entry of entries) {
      const problem = fileFormats[format].problemOf(entry, this.settings);
      if (problem !== undefined) return `Entry ${entry.number.toString()} was posted under other settings. ${problem}`;
    }
    return undefined;
  }

  private encode(
    number: number,
    year: string,
    entries: readonly FileEntry[],
    numbers: StoredBatch['numbers'],
  ): ClosedBatch {
    const format = fileFormats[this.settings.format];
    const closedAt = this.clock.now();
    const fiscalYear = this.fiscalYear(year, entries);
    const content = format.encode({ number, closedAt, fiscalYear, entries, settings: this.settings });
    const packed = gzipSync(content).toString('base64');
    const pieces = Array.from({ length: Math.ceil(packed.length / PIECE) }, (_, index) =>
      packed.slice(index * PIECE, (index + 1) * PIECE),
    );
    return {
      pieces,
      batch: {
        number,
        format: this.settings.format,
        fileName: format.fileName(number),
        mediaType: format.mediaType,
        fiscalYear,
        closedAt: closedAt.toISOString(),
        timeZone: this.settings.timeZone,
        numbers,
        entryCount: entries.length,
        receipts: entries.reduce((sum, { receipts }) => sum + receipts.length, 0),
        debits: debitsOf(entries),
        sha256: digestOf(content),
        sizeBytes: content.length,
        pieces: pieces.length,
      },
    };
  }

  /** As the entries were posted in it, also when the settings say another start by now. */
  private fiscalYear(year: string, entries: readonly FileEntry[]): PostedBatch['fiscalYear'] {
    const from = parseLocalDate(year);
    const last = entries
      .map(({ postingDate }) => postingDate)
      .toSorted()
      .at(-1);
    if (from === undefined || last === undefined) throw new Bug(`no fiscal year of a file connection: ${year}`);
    return { from, to: fiscalYearOf(from, { fiscalYearStart: year.slice(5) }).to };
  }

  /**
   * Also when entries were posted since `seen` was read, whether they are among these or wait for the next batch; not when a
   * batch was closed, an entry was discarded or got a receipt since.
   */
  private async commit(
    seen: BooksHead,
    year: string,
    { waiting, isAll }: WaitingEntries,
    closed: ClosedBatch | undefined,
  ): Promise<boolean> {
    const stored = (await this.store.read([HEAD_KEY])).get(HEAD_KEY);
    const head = headOf(stored);
    if (head.nextBatch !== seen.nextBatch || head.rewrites !== seen.rewrites) return false;
    const { [year]: first, ...otherYears } = head.pending;
    const isDrained = head.nextNumber === seen.nextNumber && isAll;
    const next = (waiting.at(-1)?.number ?? (first ?? seen.nextNumber) - 1) + 1;
    const after: BooksHead = {
      ...head,
      nextBatch: closed === undefined ? head.nextBatch : head.nextBatch + 1,
      pending: isDrained ? otherYears : { ...otherYears, [year]: next },
    };
    return this.store.commit([changeOf(HEAD_KEY, after, stored), ...(closed === undefined ? [] : changesOf(closed))]);
  }
}

type CloseStep =
  | { readonly kind: 'closed'; readonly batch: StoredBatch }
  /** All that waited in a fiscal year was discarded. */
  | { readonly kind: 'passed' }
  /** A batch was closed, or an entry was discarded or got a receipt meanwhile. */
  | { readonly kind: 'disturbed' }
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'nothing-waits' };

interface WaitingEntries {
  readonly waiting: readonly FileEntry[];
  /** Whether the year has no more. */
  readonly isAll: boolean;
}

interface ClosedBatch {
  readonly batch: StoredBatch;
  /** Base64 of the compressed file. */
  readonly pieces: readonly string[];
}

function changesOf({ batch, pieces }: ClosedBatch): readonly StoreChange[] {
  return [
    changeOf(batchKey(batch.number), batch, undefined),
    ...pieces.map((piece, index) => changeOf(fileKey(batch.number, index), piece, undefined)),
  ];
}

function changeOf(key: string, value: StoreChange['value'], stored: StoredValue | undefined): StoreChange {
  return { key, value, expectedVersion: stored?.version ?? 0 };
}

function debitsOf(entries: readonly FileEntry[]): StoredBatch['debits'] {
  const sums = new Map<string, bigint>();
  for (const { currency, lines } of entries) {
    const debits = lines.reduce((sum, { amountMinor }) => (amountMinor > 0n ? sum + amountMinor : sum), 0n);
    sums.set(currency, (sums.get(currency) ?? 0n) + debits);
  }
  return Object.fromEntries([...sums].toSorted().map(([currency, minor]) => [currency, minor.toString()]));
}

function digestOf(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
