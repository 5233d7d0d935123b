// Writes batches to a folder or bucket where other programs find them, in addition to downloads by members.
import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import type { ErpStore } from '../kit/erp-store.js';
import { handedOut, readReceipt, receiptsOfBatch } from './receipts/batch-receipts.js';
import { placedKey, placedOf, placingKey, placingOf, type BatchFile, type StoredBatch } from './stored-books.js';

/** A file that is put beside others: a batch, a receipt of it, or the list of these. */
export interface PlacedFile {
  readonly batchNumber: number;
  /** Of plain characters; a receipt with the folder of its batch before it. */
  readonly name: string;
  readonly mediaType: string;
  /** In hex. */
  readonly sha256: string;
  readonly content: Buffer;
}

/** A destination for batches outside of the connector. */
export interface BatchTarget {
  /** Identifies a target of a connection: a new target gets all batches. */
  readonly name: string;
  /** Puts the file there as a whole, under its name; again is the same. @throws when it could not */
  put(file: PlacedFile): Promise<void>;
}

interface Batches {
  list(after: number, limit: number): Promise<readonly StoredBatch[]>;
  read(number: number): Promise<BatchFile | undefined>;
}

export class WriteBatches {
  constructor(
    private readonly store: ErpStore,
    private readonly places: readonly BatchTarget[],
  ) {}

  /**
   * Puts each batch that is not there yet, oldest first, after its receipts and their list; one that a person has removed does not come back.
   * @throws what the first place throws that cannot take one; the next call goes on with the same batch
   */
  async placeAll(batches: Batches): Promise<void> {
    for (const place of this.places) {
      await this.placeIn(place, batches);
    }
  }

  private async placeIn(place: BatchTarget, batches: Batches): Promise<void> {
    const key = placedKey(place.name);
    for (;;) {
      const stored = (await this.store.read([key])).get(key);
      const [next] = await batches.list(placedOf(stored), 1);
      if (next === undefined) return;
      await this.placeReceipts(place, next);
      const file = await batches.read(next.number);
      if (file !== undefined) await place.put(placedBatch(file));
      // Two calls at the same time put the same bytes under the same names; one of them notes it.
      await this.store.commit([{ key, value: next.number, expectedVersion: stored?.version ?? 0 }]);
    }
  }

  /** Each is noted, so that the next call goes on after the last that was put: there may be thousands. */
  private async placeReceipts(place: BatchTarget, batch: StoredBatch): Promise<void> {
    const receipts = await receiptsOfBatch(this.store, batch);
    if (receipts.length === 0) return;
    const { list } = handedOut(this.store, batch, receipts);
    const folder = list.fileName.replace(/\.csv$/, '');
    const batchNumber = batch.number;
    const key = placingKey(place.name);
    const before = await this.placedReceipts(key, batch);
    for (const [index, { name, sha256, stored: receipt }] of receipts.slice(before).entries()) {
      const content = await buffer(readReceipt(this.store, receipt));
      await place.put({ batchNumber, name: `${folder}/${name}`, mediaType: receipt.mediaType, sha256, content });
      await this.noteReceipts(key, batch, before + index + 1);
    }
    const sha256 = createHash('sha256').update(list.content).digest('hex');
    await place.put({ batchNumber, name: list.fileName, mediaType: list.mediaType, sha256, content: list.content });
  }

  private async placedReceipts(key: string, batch: StoredBatch): Promise<number> {
    return placingOf((await this.store.read([key])).get(key), batch);
  }

  /** @param placed how many of the first receipts are there: a closing beside this one has put the same ones, not others */
  private async noteReceipts(key: string, batch: StoredBatch, placed: number): Promise<void> {
    const stored = (await this.store.read([key])).get(key);
    const value = {
      batch: batch.number,
      receipts: batch.receipts,
      placed: Math.max(placingOf(stored, batch), placed),
    };
    await this.store.commit([{ key, value, expectedVersion: stored?.version ?? 0 }]);
  }
}

function placedBatch({ batch, content }: BatchFile): PlacedFile {
  const { number: batchNumber, fileName: name, mediaType, sha256 } = batch;
  return { batchNumber, name, mediaType, sha256, content };
}
