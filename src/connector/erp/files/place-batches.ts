// Puts batches where other programs find them, besides the downloads by people.
import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import type { ErpStore } from '../kit/erp-store.js';
import { handedOut, readReceipt, receiptsOfBatch } from './receipts/batch-receipts.js';
import { placedKey, placedOf, type BatchFile, type StoredBatch } from './stored-books.js';

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

/** A place for batches outside of the connector. */
export interface BatchPlace {
  /** Tells the places of a connection apart: another one gets all batches. */
  readonly name: string;
  /** Puts the file there as a whole, under its name; again is the same. @throws when it could not */
  put(file: PlacedFile): Promise<void>;
}

interface Batches {
  list(after: number, limit: number): Promise<readonly StoredBatch[]>;
  read(number: number): Promise<BatchFile | undefined>;
}

export class PlaceBatches {
  constructor(
    private readonly store: ErpStore,
    private readonly places: readonly BatchPlace[],
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

  private async placeIn(place: BatchPlace, batches: Batches): Promise<void> {
    const key = placedKey(place.name);
    for (;;) {
      const stored = (await this.store.read([key])).get(key);
      const [next] = await batches.list(placedOf(stored), 1);
      if (next === undefined) return;
      for await (const file of this.filesOf(next, batches)) await place.put(file);
      // Two calls at the same time put the same bytes under the same names; one of them notes it.
      await this.store.commit([{ key, value: next.number, expectedVersion: stored?.version ?? 0 }]);
    }
  }

  private async *filesOf(batch: StoredBatch, batches: Batches): AsyncGenerator<PlacedFile> {
    const receipts = await receiptsOfBatch(this.store, batch);
    const batchNumber = batch.number;
    if (receipts.length > 0) {
      const { list } = handedOut(this.store, batch, receipts);
      const folder = list.fileName.replace(/\.csv$/, '');
      for (const { name, sha256, stored } of receipts) {
        const content = await buffer(readReceipt(this.store, stored));
        yield { batchNumber, name: `${folder}/${name}`, mediaType: stored.mediaType, sha256, content };
      }
      const sha256 = createHash('sha256').update(list.content).digest('hex');
      yield { batchNumber, name: list.fileName, mediaType: list.mediaType, sha256, content: list.content };
    }
    const file = await batches.read(batchNumber);
    if (file === undefined) return;
    const { fileName: name, mediaType, sha256 } = file.batch;
    yield { batchNumber, name, mediaType, sha256, content: file.content };
  }
}
