import { beforeEach, describe, expect, it } from '@jest/globals';
import { createHash, randomUUID } from 'node:crypto';
import type { StoreDocumentOutcome } from '../../../../src/connector/erp/erp-ledger.js';
import {
  respondWith,
  cut,
  file,
  generated,
  hangUp,
  stalled,
  type FileBehavior,
} from '../../../support/servers/file-host.js';
import { FAILURES_TO_OPEN, MEGABYTE, ReceiptsHarness, type AnnouncedFile } from './receipts-harness.js';
import { startedOnce } from '../../../support/started-once.js';

const receipts = startedOnce(() => ReceiptsHarness.start());

beforeEach(() => receipts.begin());

const digestOf = (text: string) => createHash('sha256').update(text).digest('hex');
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
const erp = () => receipts.exports.erp;

describe('receipts of an entry', () => {
  it('are attached to it in order, with their names, before it is reported', async () => {
    const names = numbers(10).map((number) => `Beleg ${(11 - number).toString()}.pdf`);
    const files = names.map((name) => ({
      url: receipts.host.put(`/24h/${encodeURIComponent(name)}`, file(`%PDF ${name}`)),
    }));
    const item = receipts.item(files);
    erp().onPost = () => {
      expect(erp().stored).toHaveLength(10);
      return Promise.resolve();
    };
    const job = await receipts.exportOf(item);
    expect(erp().documentsOf(item.accountingEntryId)).toEqual(
      names.map((fileName) => ({ documentId: digestOf(`%PDF ${fileName}`), fileName })),
    );
    expect(await receipts.endsOf(job)).toEqual([['successful', null, []]]);
  });

  it('are named by their position when their address has no name', async () => {
    const files = [
      { url: receipts.host.put('/b7f1', file('a', 'image/jpeg')), type: 'image/jpg' },
      { url: receipts.host.put('/x/receipt.exe', file('b')) },
    ];
    const item = receipts.item(files);
    await receipts.exportOf(item);
    expect(erp().documentsOf(item.accountingEntryId)).toMatchObject([
      { fileName: 'receipt-1.jpg' },
      { fileName: 'receipt-2.pdf' },
    ]);
    expect(
      erp()
        .stored.map(({ mediaType }) => mediaType)
        .sort(),
    ).toEqual(['application/pdf', 'image/jpeg']);
  });

  it('are fetched four at a time', async () => {
    const waiting: (() => void)[] = [];
    // No request gets a file before four wait for one.
    const inFours: FileBehavior = async (response, host) => {
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
        if (waiting.length === 4) {
          waiting.splice(0).forEach((go) => {
            go();
          });
        }
      });
      await file('a')(response, host);
    };
    const files = numbers(12).map((number) => ({
      url: receipts.host.put(`/${number.toString()}.pdf`, inFours),
    }));
    await receipts.exportOf(receipts.item(files.slice(0, 6)), receipts.item(files.slice(6)));
    expect(erp().stored).toHaveLength(12);
    expect(receipts.host.mostAtOnce).toBe(4);
  });

  it('are streamed: what the ERP has not taken is not fetched', async () => {
    let ahead = 0;
    let taken = 0;
    erp().onDocument = async ({ content }): Promise<StoreDocumentOutcome> => {
      for await (const piece of content) {
        taken += (piece as Buffer).length;
        ahead = Math.max(ahead, receipts.host.bytesSent - taken);
        await new Promise((resolve) => setImmediate(resolve));
      }
      return { outcome: 'stored', documentId: 'd' };
    };
    await receipts.exportOf(receipts.item([{ url: receipts.host.put('/a.pdf', generated(30 * MEGABYTE)) }]));
    expect(taken).toBe(30 * MEGABYTE);
    // Most of it waits in the buffers of the two sockets, which the connector does not fill.
    expect(ahead).toBeLessThan(15 * MEGABYTE);
  });

  it('of 30 MB are accepted, also when they are announced smaller', async () => {
    const item = receipts.item([{ url: receipts.host.put('/a.pdf', generated(30 * MEGABYTE)), size: '10' }]);
    await receipts.exportOf(item);
    expect(erp().stored).toMatchObject([{ bytes: 30 * MEGABYTE }]);
  });

  it('that are null or absent are ignored', async () => {
    const job = await receipts.exportOf(receipts.item([null]), receipts.item([]));
    expect(erp().stored).toEqual([]);
    expect(await receipts.endsOf(job)).toEqual([
      ['successful', null, []],
      ['successful', null, []],
    ]);
  });

  it('are not fetched when nothing will be posted', async () => {
    const url = receipts.host.put('/a.pdf', file('a'));
    const id = randomUUID();
    await receipts.exportOf(receipts.item([], id));
    await receipts.exportOf(receipts.item([{ url }], id), receipts.item([{ url }], undefined, '0000'));
    expect(receipts.host.requests).toEqual([]);
  });
});

interface Failing {
  readonly failureType: string;
  readonly says: string;
  readonly behaviors?: readonly FileBehavior[];
  readonly announced?: AnnouncedFile;
  readonly outcome?: StoreDocumentOutcome;
  readonly requests?: number;
}

/** Three attempts in each: one run at once, and one when the job's end is near. */
const TWO_RUNS = 6;

const FAILING: Readonly<Record<string, Failing>> = {
  'whose address has expired': {
    behaviors: [respondWith(403)],
    failureType: 'receipt_download_failure',
    says: 'it is gone or its address has expired (403)',
    requests: TWO_RUNS,
  },
  'that is gone': {
    behaviors: [respondWith(404)],
    failureType: 'receipt_download_failure',
    says: 'it is gone or its address has expired (404)',
    requests: 1,
  },
  'that is cut each time': {
    behaviors: [cut],
    failureType: 'receipt_download_failure',
    says: 'the connection to its host failed',
    requests: TWO_RUNS,
  },
  'that stops coming': {
    behaviors: [stalled],
    failureType: 'receipt_download_failure',
    says: 'its host did not send it in time',
    requests: TWO_RUNS,
  },
  'whose host fails': {
    behaviors: [respondWith(500)],
    failureType: 'receipt_download_failure',
    says: 'its host answered 500',
    requests: TWO_RUNS,
  },
  'that is somewhere else': {
    behaviors: [respondWith(302, { location: '/elsewhere' })],
    failureType: 'receipt_download_failure',
    says: 'its host answered 302',
    requests: TWO_RUNS,
  },
  'that is a page': {
    behaviors: [file('<html>', 'text/html')],
    failureType: 'receipt_download_failure',
    says: 'what came is of type text/html',
    requests: TWO_RUNS,
  },
  'without an address': {
    announced: { url: '' },
    failureType: 'receipt_download_failure',
    says: 'the platform gives no address of it',
    requests: 0,
  },
  'of a byte more than 30 MB, announced smaller': {
    behaviors: [generated(30 * MEGABYTE + 1)],
    failureType: 'receipt_file_size_limit_exceeded',
    says: 'is larger than the 30 MB',
    requests: 1,
  },
  'larger than the ERP takes': {
    outcome: { outcome: 'too-large', limitBytes: 3.5 * MEGABYTE },
    failureType: 'receipt_file_size_limit_exceeded',
    says: 'is larger than the 3.5 MB',
  },
  'of a type the ERP does not take': {
    outcome: { outcome: 'unsupported-type' },
    failureType: 'receipt_conversion_failure',
    says: 'is of a type that the accounting system does not take',
  },
  'of no type': {
    announced: { type: 'PDF' },
    failureType: 'receipt_conversion_failure',
    says: 'is of a type that the accounting system does not take',
    requests: 0,
  },
  'that the ERP refuses': {
    outcome: { outcome: 'refused', message: 'The file contains a virus.' },
    failureType: 'receipt_upload_failure',
    says: 'which says: The file contains a virus',
    requests: 1,
  },
};

describe.each(Object.entries(FAILING))('a receipt %s', (_, failing) => {
  function oneGoodOneBad() {
    const { behaviors = [file('b')], announced, outcome } = failing;
    erp().onDocument = ({ name }) => Promise.resolve(name === 'bad.pdf' ? outcome : undefined);
    const good = { url: receipts.host.put('/good.pdf', file('good')) };
    const bad = { url: receipts.host.put('/bad.pdf', ...behaviors), ...announced };
    return receipts.item([good, bad]);
  }

  const requested = () => receipts.host.requests.filter((path) => path === '/bad.pdf').length;

  it('fails its entry, which is not posted', async () => {
    const job = await receipts.exportOf(oneGoodOneBad());
    expect(await receipts.endsOf(job)).toEqual([['failed', failing.failureType, []]]);
    const reason = await receipts.reasonOf(job);
    expect(reason).toContain('receipt 2 of 2 (');
    expect(reason).toContain(failing.says);
    expect(reason.length).toBeLessThanOrEqual(1_000);
    expect(job.results.values().next().value).toMatchObject({ failureReasonType: failing.failureType });
    expect(erp().posts).toEqual([]);
    expect(requested()).toBe(failing.requests ?? 1);
  });

  it('is omitted with a warning where the policy says so', async () => {
    receipts.tenant = await receipts.exports.addTenant({ policies: { receipts: 'post-without' } });
    const item = oneGoodOneBad();
    const job = await receipts.exportOf(item);
    expect(await receipts.endsOf(job)).toEqual([['successful', null, [expect.stringContaining(failing.says)]]]);
    expect(erp().documentsOf(item.accountingEntryId)).toMatchObject([{ fileName: 'good.pdf' }]);
  });
});

describe('a receipt that is unavailable for a while', () => {
  it.each<[string, FileBehavior]>([
    ['302', respondWith(302, { location: '/elsewhere' })],
    ['401', respondWith(401)],
    ['403', respondWith(403)],
    ['a page', file('<html>', 'text/html')],
    ['a cut file', cut],
    ['503', respondWith(503)],
  ])(
    '(%s) is fetched at the address that the platform gives next; no other entry waits for it',
    async (_, behavior) => {
      await receipts.begin('post-without');
      const old = receipts.item([{ url: receipts.host.put('/old.pdf', behavior) }]);
      const other = receipts.item([{ url: receipts.host.put('/good.pdf', file('good')) }]);
      const job = await receipts.exports.addJob(receipts.tenant, [old, other]);
      await receipts.exports.processQueue(receipts.tenant);
      expect(erp().posts).toEqual([[other.accountingEntryId]]);
      expect(job.results.get(old.accountingEntryId)).toBeUndefined();
      job.data[0] = receipts.item([{ url: receipts.host.put('/new.pdf', file('a')) }], old.accountingEntryId);
      await receipts.exports.processQueueAgain(receipts.tenant);
      expect(await receipts.endsOf(job)).toEqual([
        ['successful', null, []],
        ['successful', null, []],
      ]);
      expect(erp().documentsOf(old.accountingEntryId)).toMatchObject([{ documentId: digestOf('a') }]);
      expect(job.events.at(-1)).toEqual({ event: 'completed' });
    },
  );
});

describe('an entry with a failing receipt', () => {
  it('reports how many others fail, and blocks no other entry', async () => {
    const gone = { url: receipts.host.put('/gone.pdf', respondWith(404)) };
    const good = receipts.item([{ url: receipts.host.put('/good.pdf', file('good')) }]);
    const job = await receipts.exportOf(receipts.item([gone, gone, gone]), good);
    expect(await receipts.reasonOf(job)).toContain('2 more of its receipts failed too.');
    expect(erp().posts).toEqual([[good.accountingEntryId]]);
  });

  it('has a hundred receipts at most', async () => {
    const url = receipts.host.put('/a.pdf', file('a'));
    const job = await receipts.exportOf(receipts.item(numbers(101).map(() => ({ url }))));
    expect(await receipts.endsOf(job)).toEqual([['failed', 'receipt_upload_failure', []]]);
    expect(await receipts.reasonOf(job)).toContain('receipt 101 of 101 (application/pdf, 2084 bytes)');
  });
});

describe('a file host', () => {
  it('that fails once or twice is called again', async () => {
    const item = receipts.item([{ url: receipts.host.put('/a.pdf', respondWith(503), cut, file('a')) }]);
    const job = await receipts.exportOf(item);
    expect(await receipts.endsOf(job)).toEqual([['successful', null, []]]);
    expect(erp().stored).toMatchObject([{ documentId: digestOf('a') }]);
  });

  it('that does not respond does not delay a job', async () => {
    await receipts.begin('post-without');
    const url = receipts.host.put('/a.pdf', hangUp);
    const items = numbers(300).map(() => receipts.item([{ url }]));
    const job = await receipts.exportOf(...items);
    expect(receipts.host.requests.length).toBeLessThanOrEqual(FAILURES_TO_OPEN + 3);
    expect(job.events.at(-1)).toEqual({ event: 'completed' });
    const ends = await receipts.endsOf(job);
    expect(ends.filter(([state]) => state === 'successful')).toHaveLength(300);
    expect(ends.at(-1)?.[2]).toEqual([expect.stringContaining('has failed for a while')]);
  });
});
