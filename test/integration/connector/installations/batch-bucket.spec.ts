import { beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { FILES_COMPANY } from '../../../../src/connector/erp/files/files-company.js';
import { ENTERED } from '../../../../src/connector/erp/files/files.fixtures.js';
import { filesErp } from '../../../../src/connector/erp/files/files.erp.js';
import type { ErpBatches } from '../../../../src/connector/erp/kit/erp-batches.js';
import { openAdapter, type OpenAdapter } from '../../../../src/connector/erp/kit/open-adapter.js';
import { MemoryErpStore } from '../../../../src/erp-contract/memory-erp-store.js';
import {
  currency,
  day,
  plannedEntry,
  plannedLine,
  postingGroup,
} from '../../../../src/erp-contract/posting-group.builder.js';
import { SystemClock } from '../../../../src/foundation/clock/system-clock.js';
import { patientCaller } from '../../../support/one-erp.js';
import { BucketServer } from '../../../support/servers/bucket-server.js';
import { startedOnce } from '../../../support/started-once.js';

// Batches of a file connection in a bucket of the customer's, over HTTP with a store that verifies what it gets.

const bucket = startedOnce(() => BucketServer.start('books'));
let store: MemoryErpStore;
let accepted: boolean[];

beforeEach(() => {
  bucket.restore();
  store = new MemoryErpStore();
  accepted = [];
});

function connect(more: Readonly<Record<string, string>> = {}, publicHostsOnly = false): OpenAdapter {
  const { accessKeyId, secretAccessKey, region } = BucketServer.keys;
  const place = { bucketAddress: bucket.url, bucketName: 'books', bucketRegion: region };
  const keys = { bucketAccessKeyId: accessKeyId, bucketSecretAccessKey: secretAccessKey };
  return openAdapter(
    filesErp(),
    { ...ENTERED, ...place, ...keys, ...more },
    {
      connectionId: 'connection-12',
      clock: new SystemClock(),
      store,
      log: () => undefined,
      client: { publicHostsOnly },
      onCredentials: (isAccepted) => accepted.push(isAccepted),
    },
  );
}

function batchesOf(adapter: OpenAdapter): ErpBatches {
  const batches = adapter.batches();
  if (batches === undefined) throw new Error('no files');
  return batches;
}

async function postTo(adapter: OpenAdapter, receipt?: Buffer): Promise<void> {
  const entry = plannedEntry([plannedLine('5410', 100n), plannedLine('1935', -100n)], {
    postingDate: day('2026-03-02'),
    currency: currency('EUR'),
    functionalCurrency: currency('EUR'),
  });
  const erp = adapter.forCompany({ ...patientCaller(), company: FILES_COMPANY });
  const document = { name: 'Öl.pdf', mediaType: 'application/pdf', sizeBytes: undefined };
  const stored = receipt && (await erp.storeDocument({ ...document, content: Readable.from([receipt]) }));
  const documents = stored && 'documentId' in stored ? [{ ...stored, fileName: 'Öl 1.pdf' }] : [];
  expect(await erp.post([postingGroup(randomUUID(), { entries: [entry], documents })])).toMatchObject([
    { outcome: 'created' },
  ]);
}

/** Closes a batch. @returns why it could not be put into the bucket */
async function close(adapter: OpenAdapter): Promise<unknown> {
  await postTo(adapter);
  return batchesOf(adapter)
    .close()
    .then(
      () => 'put',
      (error: unknown) => (error as { failure: unknown }).failure,
    );
}

const inBucket = () => [...bucket.objects.keys()];

describe('a closed batch', () => {
  it('is in the bucket with the bytes of its download, and once', async () => {
    const adapter = connect({ bucketPrefix: 'books/2026/' });
    expect([await close(adapter), await close(adapter)]).toEqual(['put', 'put']);
    const folder = 'books/2026/connection-12';
    expect(inBucket()).toEqual([`${folder}/postings-000001.csv`, `${folder}/postings-000002.csv`]);
    const held = bucket.objects.get(`${folder}/postings-000002.csv`);
    const read = await batchesOf(adapter).read(2);
    expect(held?.content.equals(read?.content ?? Buffer.alloc(0))).toBe(true);
    expect(held?.mediaType).toBe(read?.batch.mediaType);
    expect(bucket.statuses).toEqual([200, 200]);
  });

  it('has its receipts and their list beside it, and continues with the next receipt after a failure', async () => {
    const adapter = connect();
    await postTo(adapter, Buffer.from('%PDF one'));
    await postTo(adapter, Buffer.from('%PDF two'));
    const first = 'postings-000001-receipts/1-1-Ol-1.pdf';
    const failures = Array.from({ length: 4 }, () => [500, 'InternalError'] as const);
    bucket.script.push(undefined, ...failures);
    await expect(batchesOf(adapter).close()).rejects.toThrow();
    expect([bucket.statuses, inBucket()]).toEqual([[200, 500, 500, 500, 500], [`connection-12/${first}`]]);
    await batchesOf(adapter).close();
    expect(bucket.statuses.slice(5)).toEqual([200, 200, 200]);
    const further = ['postings-000001-receipts/2-1-Ol-1.pdf', 'postings-000001-receipts.csv', 'postings-000001.csv'];
    const names = [first, ...further];
    expect(inBucket()).toEqual(names.map((name) => `connection-12/${name}`));
    const [receipt, , list] = names.map((name) => bucket.objects.get(`connection-12/${name}`));
    expect([receipt?.mediaType, receipt?.content.toString()]).toEqual(['application/pdf', '%PDF one']);
    expect(list?.content).toEqual((await batchesOf(adapter).receipts?.(1))?.list.content);
  });

  it('that a person has deleted is not written again, except to a bucket configured later', async () => {
    const adapter = connect();
    await close(adapter);
    bucket.objects.clear();
    await close(adapter);
    expect(inBucket()).toEqual(['connection-12/postings-000002.csv']);
    await batchesOf(connect({ bucketPrefix: 'new' })).close();
    expect(inBucket()).toHaveLength(3);
  });

  it('is written again after a failure of the store, in this call or in the next', async () => {
    const adapter = connect();
    bucket.script.push([503, 'SlowDown'], [500, 'InternalError']);
    expect(await close(adapter)).toBe('put');
    expect([bucket.statuses, inBucket()]).toEqual([[503, 500, 200], ['connection-12/postings-000001.csv']]);
    bucket.script.push(...Array.from({ length: 4 }, () => [500, 'InternalError'] as const));
    expect(await close(adapter)).toMatchObject({ kind: 'server-error' });
    await batchesOf(adapter).close();
    expect(inBucket()).toHaveLength(2);
  });
});

describe('a bucket', () => {
  it.each([
    ['whose key is refused', { bucketSecretAccessKey: 'another/secret' }, { kind: 'authentication' }, 403],
    ['of another region', { bucketRegion: 'eu-west-1' }, { kind: 'authentication' }, 403],
    [
      'that is not there',
      { bucketName: 'other-books' },
      { kind: 'server-error', message: expect.stringContaining('the bucket responded with 404 for batch 1: check') },
      404,
    ],
  ])('%s keeps the batch waiting, with the reason', async (_, settings, failure, status) => {
    const adapter = connect(settings);
    expect(await close(adapter)).toMatchObject(failure);
    expect([bucket.statuses, inBucket()]).toEqual([[status], []]);
    expect(await batchesOf(adapter).list(0, 10)).toHaveLength(1);
    expect(accepted.includes(false)).toBe(status === 403);
    await batchesOf(connect()).close();
    expect(inBucket()).toHaveLength(1);
  });

  it('with a redirect is not followed, and what to correct is said', async () => {
    const location = `${bucket.url}/elsewhere`;
    bucket.script.push(...Array.from({ length: 4 }, () => [307, 'TemporaryRedirect', { location }] as const));
    expect(await close(connect())).toMatchObject({
      kind: 'server-error',
      message: expect.stringMatching(
        /responded with 307, .* correct the address in the connection’s settings, and its region/,
      ),
    });
    expect([bucket.statuses, inBucket()]).toEqual([[307, 307, 307, 307], []]);
  });

  it.each([
    ['a page, as of a proxy', [200, 'SignIn', { 'content-type': 'text/html', etag: '"page"' }] as const],
    ['nothing that is of a store', [200, '', { 'content-type': 'text/html' }] as const],
  ])('that responds to an object with 200 and %s has not taken it', async (_, response) => {
    bucket.script.push(...Array.from({ length: 4 }, () => response));
    expect(await close(connect())).toMatchObject({
      kind: 'server-error',
      message: expect.stringMatching(/: the bucket responded with 200, but not as a store does .* check the address/),
    });
    expect([bucket.statuses, inBucket()]).toEqual([[200, 200, 200, 200], []]);
    expect(accepted).not.toContain(true);
    await batchesOf(connect()).close();
    expect(inBucket()).toHaveLength(1);
  });

  it('in a private network, or without TLS, gets no request where only public addresses are allowed', async () => {
    expect(await close(connect({}, true))).toMatchObject({ kind: 'unreachable' });
    const bucketAddress = bucket.url.replace('http:', 'https:');
    expect(await close(connect({ bucketAddress }, true))).toMatchObject({ kind: 'unreachable' });
    expect(bucket.statuses).toEqual([]);
  });
});
