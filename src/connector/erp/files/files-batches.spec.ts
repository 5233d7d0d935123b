import { expect, it } from '@jest/globals';
import { SystemClock } from '../../../foundation/clock/system-clock.js';
import { MemoryErpStore } from '../../../erp-contract/memory-erp-store.js';
import { entryToJson } from './file-entry.js';
import { FilesBatches } from './files-batches.js';
import { fileLine, filesSettings, someEntry } from './files.fixtures.js';
import { entryKey, HEAD_KEY } from './stored-books.js';

const YEAR = '2026-01-01';

/** Entries that wait, each of so many lines. */
async function batchesOf(lineCounts: readonly number[]): Promise<FilesBatches> {
  const store = new MemoryErpStore();
  const entries = lineCounts.map((lines, index) =>
    someEntry(
      index + 1,
      Array.from({ length: lines }, (_, line) => fileLine(line % 2 === 0 ? '5410' : '1935', line % 2 === 0 ? 1n : -1n)),
    ),
  );
  const head = { nextNumber: entries.length + 1, nextBatch: 1, rewrites: 0, pending: { [YEAR]: 1 } };
  await store.commit([
    { key: HEAD_KEY, value: head, expectedVersion: 0 },
    ...entries.map((entry) => ({
      key: entryKey(YEAR, entry.number),
      value: entryToJson(entry),
      expectedVersion: 0,
    })),
  ]);
  return new FilesBatches(store, filesSettings({ format: 'datev' }), new SystemClock());
}

it('a batch has no more rows than DATEV takes of one, whatever its entries have', async () => {
  const batches = await batchesOf([...Array.from({ length: 99 }, () => 500), 498, 2, 2, 500]);
  const { batches: closed } = await batches.close();
  expect(closed.map(({ numbers, entryCount }) => [numbers.first, numbers.last, entryCount])).toEqual([
    [1, 100, 100],
    [101, 103, 3],
  ]);
  expect(await batches.close()).toEqual({ outcome: 'closed', batches: [] });
});
