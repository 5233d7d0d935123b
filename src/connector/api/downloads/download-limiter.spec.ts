import { Readable } from 'node:stream';
import { beforeEach, expect, it } from '@jest/globals';
import { Problem } from '../../../foundation/http/problem.js';
import { toInstallationId } from '../../../kernel/ids.js';
import { DownloadLimiter } from './download-limiter.js';

const installation = (n: number) => toInstallationId(`00000000-0000-4000-8000-00000000000${n.toString()}`);
const [mine, other] = [installation(0), installation(9)];

let reads: DownloadLimiter;

beforeEach(() => {
  reads = new DownloadLimiter();
});

const open = (of = mine) => reads.limitStream(of, () => Readable.from(['a', 'b']));
const refusalOf = (of = mine) => {
  try {
    open(of);
    return undefined;
  } catch (error) {
    const { status, type, headers } = (error as Problem).options;
    return [status, type, headers];
  }
};
const RETRY = { 'retry-after': '30' };
const UNDER_WAY = [409, 'already-under-way', RETRY];
const BUSY = [503, 'busy', RETRY];

it('allows one download per installation at a time, of any kind', async () => {
  const document = open();
  expect(refusalOf()).toEqual(UNDER_WAY);
  await expect(reads.withLimit(mine, () => Promise.resolve())).rejects.toBeInstanceOf(Problem);
  expect(await reads.withLimit(other, () => Promise.resolve('verified'))).toBe('verified');
  document.destroy();
});

it('allows five downloads at a time over all installations', () => {
  const documents = [1, 2, 3, 4, 5].map((n) => open(installation(n)));
  expect(refusalOf()).toEqual(BUSY);
  expect(refusalOf(installation(3))).toEqual(UNDER_WAY);
  for (const document of documents) document.destroy();
});

it.each([
  ['read to its end', (document: Readable) => document.resume()],
  ['left by its reader', (document: Readable) => document.destroy()],
  ['broken off', (document: Readable) => document.on('error', () => undefined).destroy(new Error('no database'))],
])('releases the slot of a document that was %s', async (_, end) => {
  const document = open();
  const closed = new Promise((resolve) => document.once('close', resolve));
  end(document);
  await closed;
  expect(refusalOf()).toBeUndefined();
});

it('releases the slot of a failed verification', async () => {
  await expect(reads.withLimit(mine, () => Promise.reject(new Error('no database')))).rejects.toThrow('no database');
  expect(refusalOf()).toBeUndefined();
});
