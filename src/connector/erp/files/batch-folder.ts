// A folder of the operator's in which other programs find the batches.
import { randomUUID } from 'node:crypto';
import { mkdir, open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { BatchPlace } from './place-batches.js';
import type { BatchFile } from './stored-books.js';

export class BatchFolder implements BatchPlace {
  readonly name = 'folder';
  private readonly path: string;

  /** @param connectionId the connection's own folder is named after it */
  constructor(root: string, connectionId: string) {
    this.path = join(root, connectionId);
  }

  /** A file appears under its name when it is complete. @throws Error of the file system */
  async put({ batch, content }: BatchFile): Promise<void> {
    await mkdir(this.path, { recursive: true });
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
