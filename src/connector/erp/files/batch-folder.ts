// A folder of the operator's in which other programs find the batches.
import { randomUUID } from 'node:crypto';
import { mkdir, open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { ErpStore } from '../kit/erp-store.js';
import { PLACED_KEY, placedOf, type BatchFile, type StoredBatch } from './stored-books.js';

interface Batches {
  list(after: number, limit: number): Promise<readonly StoredBatch[]>;
  read(number: number): Promise<BatchFile | undefined>;
}

const PAGE = 100;

export class BatchFolder {
  private readonly path: string;

  /** @param connectionId the connection's own folder is named after it */
  constructor(
    root: string,
    connectionId: string,
    private readonly store: ErpStore,
  ) {
    this.path = join(root, connectionId);
  }

  /**
   * Puts each batch that is not there yet, oldest first. A file appears under its name when it is complete; one that a
   * person has removed does not come back.
   * @throws Error of the file system; the next call goes on with the same batch
   */
  async place(batches: Batches): Promise<void> {
    for (;;) {
      const stored = (await this.store.read([PLACED_KEY])).get(PLACED_KEY);
      const page = await batches.list(placedOf(stored), PAGE);
      const last = page.at(-1);
      if (last === undefined) return;
      await mkdir(this.path, { recursive: true });
      for (const { number } of page) {
        const file = await batches.read(number);
        if (file !== undefined) await this.write(file);
      }
      // Two calls at the same time put the same bytes under the same names; one of them notes it.
      await this.store.commit([{ key: PLACED_KEY, value: last.number, expectedVersion: stored?.version ?? 0 }]);
    }
  }

  private async write({ batch, content }: BatchFile): Promise<void> {
    const temporary = join(this.path, `.${batch.fileName}.${randomUUID()}`);
    const file = await open(temporary, 'wx');
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, join(this.path, batch.fileName));
  }
}
