// A folder of the operator's in which other programs find the batches.
import { randomUUID } from 'node:crypto';
import { access, constants, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { BatchTarget, PlacedFile } from './write-batches.js';

export class BatchFolder implements BatchTarget {
  readonly name = 'folder';
  private readonly path: string;

  /**
   * @param root exists: it is the operator's
   * @param connectionId the connection's own folder is named after it
   */
  constructor(
    private readonly root: string,
    connectionId: string,
  ) {
    this.path = join(root, connectionId);
  }

  /** A file appears under its name when it is complete. @throws Error of the file system */
  async put({ name, content }: PlacedFile): Promise<void> {
    // One that is made anew while the operator's disk is away would hide the batches from the program that waits for them.
    await stat(this.root);
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

/**
 * Writes nothing: programs that watch the folder would see it.
 * @returns why batches cannot be put into it, and what mends that; undefined when they can
 */
export async function folderProblem(root: string): Promise<string | undefined> {
  try {
    // With the point behind it a file is refused.
    await access(`${root}/.`, constants.W_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'no folder';
    return `"${root}" cannot be written to (${code}): needs a folder that is there, and that the user of this process may write to`;
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
