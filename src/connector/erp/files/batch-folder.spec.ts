import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { BatchFolder } from './batch-folder.js';

describe('a folder for batches', () => {
  it('keeps nothing of a file that could not be put there, however often it is tried', async () => {
    const root = await mkdtemp(join(tmpdir(), 'batches-'));
    await mkdir(join(root, 'c-1', 'postings-000001.csv', 'of another program'), { recursive: true });
    const file = {
      batchNumber: 1,
      name: 'postings-000001.csv',
      mediaType: 'text/csv',
      sha256: '',
      content: Buffer.from('1'),
    };
    for (let attempt = 0; attempt < 2; attempt += 1) {
      await expect(new BatchFolder(root, 'c-1').put(file)).rejects.toThrow();
    }
    expect(await readdir(join(root, 'c-1'))).toEqual(['postings-000001.csv']);
    await rm(root, { recursive: true });
  });
});
