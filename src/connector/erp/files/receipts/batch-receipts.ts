// The receipts behind the entries of a batch: listed, and as one archive. They never change the batch itself.
import { Bug } from '../../../../kernel/faults.js';
import { localTimeIn } from '../../../../kernel/local-date.js';
import { writeCsv, type CsvCell } from '../../../../foundation/csv/csv-writer.js';
import { zipArchive, type ZipFile } from '../../../../foundation/zip/zip-archive.js';
import type { ErpBatchReceipts } from '../../kit/erp-batches.js';
import type { ErpStore } from '../../kit/erp-store.js';
import { entryFromJson, type FileEntry } from '../file-entry.js';
import { entryKey, entryPrefix, type StoredBatch } from '../stored-books.js';
import { documentsXml } from './documents-xml.js';
import { receiptName } from './receipt-name.js';
import { bytesOf, pieceKey, receiptKey, receiptOf, type StoredReceipt } from './stored-receipts.js';

export interface BatchReceipt {
  readonly entry: FileEntry;
  /** Beside the batch; no other receipt of the connection has it. */
  readonly name: string;
  /** As the sender named it. */
  readonly fileName: string;
  readonly sha256: string;
  readonly stored: StoredReceipt;
}

const PAGE = 1_000;
const COLUMNS = ['batch', 'entry', 'document_number', 'key', 'receipt', 'file_name', 'type', 'bytes', 'sha256'];

/** By number of their entry. @throws Error of the store */
export async function receiptsOfBatch(store: ErpStore, batch: StoredBatch): Promise<readonly BatchReceipt[]> {
  if (batch.receipts === 0) return [];
  const { first, last } = batch.numbers;
  const receipts: BatchReceipt[] = [];
  for (let after = first - 1; after < last;) {
    const limit = Math.min(PAGE, last - after);
    const page = await store.list(entryPrefix(batch.fiscalYear.from), entryKey(batch.fiscalYear.from, after), limit);
    const entries = page.map(({ value }) => entryFromJson(value)).filter(({ number }) => number <= last);
    receipts.push(...(await receiptsOfEntries(store, entries)));
    after = entries.length < limit ? last : (entries.at(-1)?.number ?? last);
  }
  return receipts;
}

/** Piece by piece. */
export async function* readReceipt(store: ErpStore, { upload, pieces }: StoredReceipt): AsyncGenerator<Buffer> {
  for (let piece = 0; piece < pieces; piece += 1) {
    const key = pieceKey(upload, piece);
    yield bytesOf((await store.read([key])).get(key));
  }
}

export function handedOut(store: ErpStore, batch: StoredBatch, receipts: readonly BatchReceipt[]): ErpBatchReceipts {
  const base = batch.fileName.replace(/\.[^.]*$/, '');
  return {
    count: receipts.length,
    list: {
      fileName: `${base}-receipts.csv`,
      mediaType: 'text/csv; charset=utf-8',
      content: Buffer.from(receiptList(batch, receipts), 'utf8'),
    },
    archive: {
      fileName: `${base}-receipts.zip`,
      mediaType: 'application/zip',
      open: () => zipArchive(archived(store, batch, receipts), new Date(`${closingTime(batch)}Z`)),
    },
  };
}

function receiptList({ number }: StoredBatch, receipts: readonly BatchReceipt[]): string {
  const figure = (value: number): CsvCell => ({ figure: value.toString() });
  return writeCsv([
    COLUMNS,
    ...receipts.map(({ entry, name, fileName, sha256, stored }): readonly CsvCell[] => [
      ...[figure(number), figure(entry.number), entry.documentNumber ?? '', entry.key, name, fileName],
      ...[stored.mediaType, figure(stored.sizeBytes), sha256],
    ]),
  ]);
}

/** As archives write times: by the clocks of the company, without an offset. The archive is the same each time. */
function closingTime({ closedAt, timeZone }: StoredBatch): string {
  return localTimeIn(new Date(closedAt), timeZone).slice(0, 19);
}

async function* archived(
  store: ErpStore,
  batch: StoredBatch,
  receipts: readonly BatchReceipt[],
): AsyncGenerator<ZipFile> {
  if (batch.format === 'datev' && receipts.length > 0) yield documentsXml(closingTime(batch), receipts);
  for (const { name, stored } of receipts) {
    const { sizeBytes, crc32 } = stored;
    yield await Promise.resolve({ name, sizeBytes, crc32, open: () => readReceipt(store, stored) });
  }
}

async function receiptsOfEntries(store: ErpStore, entries: readonly FileEntry[]): Promise<readonly BatchReceipt[]> {
  const given = entries.filter(({ discarded, receipts }) => !discarded && receipts.length > 0);
  const ids = new Set(given.flatMap(({ receipts }) => receipts.map(({ documentId }) => documentId)));
  const stored = ids.size === 0 ? new Map<string, never>() : await store.read([...ids].map(receiptKey));
  return given.flatMap((entry) =>
    entry.receipts.map(({ documentId: sha256, fileName }, index) => {
      const receipt = receiptOf(stored.get(receiptKey(sha256)));
      if (receipt === undefined) throw new Bug(`a receipt of entry ${entry.number.toString()} is missing`);
      return { entry, name: receiptName(entry, index), fileName, sha256, stored: receipt };
    }),
  );
}
