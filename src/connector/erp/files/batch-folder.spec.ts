import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { BatchFolder, folderProblem } from './batch-folder.js';

const fileOf = (content: string) => ({
  batchNumber: 1,
  name: 'postings-000001.csv',
  mediaType: 'text/csv',
  sha256: '',
  content: Buffer.from(content),
});

describe('a folder for batches', () => {
  it('keeps nothing of a file that could not be put there, however often it is tried', async () => {
    const root = await mkdtemp(join(tmpdir(), 'batches-'));
    await mkdir(join(root, 'c-1', 'postings-000001.csv', 'of another program'), { recursive: true });
    const file = fileOf('1');
    for (let attempt = 0; attempt < 2; attempt += 1) {
      await expect(new BatchFolder(root, 'c-1').put(file)).rejects.toThrow();
    }
    expect(await readdir(join(root, 'c-1'))).toEqual(['postings-000001.csv']);
    await rm(root, { recursive: true });
  });

  it('is not made where it is missing: it may be a disk that is away', async () => {
    const root = await mkdtemp(join(tmpdir(), 'batches-'));
    await expect(new BatchFolder(join(root, 'disk'), 'c-1').put(fileOf('1'))).rejects.toThrow('ENOENT');
    expect(await readdir(root)).toEqual([]);
    await rm(root, { recursive: true });
  });

  it('has a problem that names it where nothing can be put into it', async () => {
    const root = await mkdtemp(join(tmpdir(), 'batches-'));
    const [file, absent] = [join(root, 'file'), join(root, 'absent')];
    await writeFile(file, '');
    const mend = 'needs a folder that is there, and that the user of this process may write to';
    expect(await Promise.all([root, file, absent].map(folderProblem))).toEqual([
      undefined,
      `"${file}" cannot be written to (ENOTDIR): ${mend}`,
      `"${absent}" cannot be written to (ENOENT): ${mend}`,
    ]);
    await rm(root, { recursive: true });
  });
});
