import type { ErpStore, StoredValue } from '../../kit/erp-store.js';
import { BATCH_PREFIX, batchOf, hasEntry, isGivenOut, type BooksHead, type StoredRevision } from '../stored-books.js';

const PAGE = 1_000;

/** @returns by key, the batches that have given out an entry of these revisions */
export async function findBatches(
  store: ErpStore,
  head: BooksHead,
  revisions: readonly StoredRevision[],
): Promise<ReadonlyMap<string, StoredValue>> {
  const entries = revisions
    .flatMap((revision) => revision.entries)
    .filter(({ year, number }) => isGivenOut(head, year, number));
  const found = new Map<string, StoredValue>();
  for (let after: string | undefined; entries.length > 0;) {
    const page = await store.list(BATCH_PREFIX, after, PAGE);
    for (const { key, ...stored } of page) {
      const batch = batchOf(stored.value);
      if (entries.some(({ year, number }) => hasEntry(batch, year, number))) found.set(key, stored);
    }
    after = page.at(-1)?.key;
    if (page.length < PAGE) break;
  }
  return found;
}
