// Puts batches where other programs find them, besides the downloads by people.
import type { ErpStore } from '../kit/erp-store.js';
import { placedKey, placedOf, type BatchFile, type StoredBatch } from './stored-books.js';

/** A place for batches outside of the connector. */
export interface BatchPlace {
  /** Tells the places of a connection apart: another one gets all batches. */
  readonly name: string;
  /** Puts the file there as a whole, under its name; again is the same. @throws when it could not */
  put(file: BatchFile): Promise<void>;
}

interface Batches {
  list(after: number, limit: number): Promise<readonly StoredBatch[]>;
  read(number: number): Promise<BatchFile | undefined>;
}

const PAGE = 100;

export class PlaceBatches {
  constructor(
    private readonly store: ErpStore,
    private readonly places: readonly BatchPlace[],
  ) {}

  /**
   * Puts each batch that is not there yet, oldest first; one that a person has removed does not come back.
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
      const page = await batches.list(placedOf(stored), PAGE);
      const last = page.at(-1);
      if (last === undefined) return;
      for (const { number } of page) {
        const file = await batches.read(number);
        if (file !== undefined) await place.put(file);
      }
      // Two calls at the same time put the same bytes under the same names; one of them notes it.
      await this.store.commit([{ key, value: last.number, expectedVersion: stored?.version ?? 0 }]);
    }
  }
}
