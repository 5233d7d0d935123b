// A folder of the operator's in which other programs find the batches.
import { randomUUID } from 'node:crypto';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { BatchTarget, PlacedFile } from './write-batches.js';

export class BatchFolder implements BatchTarget {
  readonly name = 'folder';
  private readonly path: string;

  /** @param connectionId the connection's own folder is named after it */
  constructor(root: string, connectionId: string) {
    this.path = join(root, connectionId);
  }

  /** A file appears under its name when it is complete. @throws Error of the file system */
  async put({ name, content }: PlacedFile): Promise<void> {
    const path = join(this.path, name);
    await mkdir(dirname(path), { recursive: true });
    const temporary = join(dirname(path), `.${basename(path)}.${randomUUID()}`);
    try {
      await writeDurably(temporary, content);
      await rename(temporary, path);
    } catch (error) {
      // A full disk would be filled by each attempt.
      await rm(temporary, { force: true });
      throw error;
    }
  }
}

async function writeDurably(path: string, content: Buffer): Promise<void> {
  const file = await open(path, 'wx');
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}
