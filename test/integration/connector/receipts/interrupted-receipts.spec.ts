import { beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { StoreDocumentOutcome } from '../../../../src/connector/erp/erp-ledger.js';
import { NO_RESPONSE, postsWithoutResponse, UNREACHABLE } from '../../../support/fake-erp.js';
import { respondWith, file } from '../../../support/servers/file-host.js';
import { ReceiptsHarness, type AnnouncedFile } from './receipts-harness.js';
import { startedOnce } from '../../../support/started-once.js';

const receipts = startedOnce(() => ReceiptsHarness.start());

beforeEach(() => receipts.begin());

const erp = () => receipts.exports.erp;

/** Files of which each has its own content. */
function files(...names: readonly string[]): readonly AnnouncedFile[] {
  return names.map((name) => ({ url: receipts.host.put(`/${name}.pdf`, file(`%PDF ${name}`)) }));
}

const storedNames = () => erp().stored.map(({ name }) => name);

/** Answers for the document of this name. */
function respondFor(name: string, outcome: () => StoreDocumentOutcome | undefined): void {
  erp().onDocument = (document) => Promise.resolve(document.name === name ? outcome() : undefined);
}

async function remembered(accountingEntryId: string): Promise<number> {
  const { rowCount } = await receipts.exports.admin.query(
    'SELECT FROM receipt WHERE accounting_entry_id = $1 AND document_id IS NOT NULL',
    [accountingEntryId],
  );
  return rowCount ?? 0;
}

describe('a run that continues an interrupted one', () => {
  it.each([
    ['the ERP went away', () => ({ outcome: 'unavailable', failure: UNREACHABLE }) as const],
    [
      'the worker was stopped',
      () => {
        throw new Error('killed');
      },
    ],
  ])('because %s sends no receipt twice', async (_, end) => {
    let isFirst = true;
    respondFor('c.pdf', () => (isFirst ? end() : undefined));
    const item = receipts.item(files('a', 'b', 'c'));
    const job = await receipts.exportOf(item);
    expect(job.results.size).toBe(0);
    expect(erp().posts).toEqual([]);
    const before = storedNames();
    expect(await remembered(item.accountingEntryId)).toBe(before.length);

    isFirst = false;
    await receipts.exports.processQueueAgain(receipts.tenant);
    expect(storedNames().toSorted()).toEqual(['a.pdf', 'b.pdf', 'c.pdf']);
    expect(
      erp()
        .documentsOf(item.accountingEntryId)
        .map(({ fileName }) => fileName),
    ).toEqual(['a.pdf', 'b.pdf', 'c.pdf']);
    expect(job.events.at(-1)).toEqual({ event: 'completed' });
  });

  it('repeats the warnings about missing receipts of an entry', async () => {
    await receipts.begin('post-without');
    const [good] = files('good');
    const gone = { url: receipts.host.put('/gone.pdf', respondWith(404)) };
    erp().script.push(postsWithoutResponse);
    erp().lookUpFailure = NO_RESPONSE;
    const job = await receipts.exportOf(receipts.item([good ?? null, gone]));
    expect(job.results.size).toBe(0);
    erp().lookUpFailure = undefined;
    await receipts.exports.processQueueAgain(receipts.tenant);
    expect(await receipts.endsOf(job)).toEqual([
      ['successful', null, [expect.stringMatching(/^Posted without receipt 2 of 2 .* by hand\.$/)]],
    ]);
  });
});

describe('a later job with the same entry', () => {
  it('sends only what is missing, at its new address', async () => {
    const id = randomUUID();
    const [good] = files('good');
    const bad = { url: receipts.host.put('/bad.pdf', respondWith(403)) };
    await receipts.exportOf(receipts.item([good ?? null, bad], id));
    receipts.host.reset();
    const again = [
      { url: receipts.host.put('/new/good.pdf', file('%PDF good')) },
      { url: receipts.host.put('/new/bad.pdf', file('%PDF bad')) },
    ];
    await receipts.exportOf(receipts.item(again, id));
    expect(receipts.host.requests).toEqual(['/new/bad.pdf']);
    expect(storedNames()).toEqual(['good.pdf', 'bad.pdf']);
    expect(
      erp()
        .documentsOf(id)
        .map(({ fileName }) => fileName),
    ).toEqual(['good.pdf', 'bad.pdf']);
  });

  it.each([
    ['size', { size: '2085' }],
    ['type', { type: 'image/png' }],
  ])('sends a file of another %s at the same address', async (_, changed) => {
    const id = randomUUID();
    const [first] = files('a');
    const gone = { url: receipts.host.put('/gone.pdf', respondWith(404)) };
    await receipts.exportOf(receipts.item([first ?? null, gone], id));
    const other = { url: receipts.host.put('/other', file('other', 'application/octet-stream')), ...changed };
    await receipts.exportOf(receipts.item([other], id));
    expect(erp().stored).toHaveLength(2);
    expect(erp().documentsOf(id)).toHaveLength(1);
    expect(erp().documentsOf(id)[0]?.documentId).toBe(erp().stored[1]?.documentId);
  });

  it('resends what was stored so long ago that the ERP may have deleted it', async () => {
    const id = randomUUID();
    const gone = { url: receipts.host.put('/gone.pdf', respondWith(404)) };
    await receipts.exportOf(receipts.item([...files('a'), gone], id));
    await receipts.exports.admin.query(
      `UPDATE receipt SET stored_at = stored_at - interval '8 days' WHERE accounting_entry_id = $1`,
      [id],
    );
    await receipts.exportOf(receipts.item([...files('a'), gone], id));
    expect(storedNames()).toEqual(['a.pdf', 'a.pdf']);
  });

  it('that posts a changed entry with all of its receipts has no warning left', async () => {
    receipts.tenant = await receipts.exports.addTenant({
      policies: { receipts: 'post-without', conflicts: 'reverse-and-repost' },
    });
    const id = randomUUID();
    const gone = { url: receipts.host.put('/gone.pdf', respondWith(404)) };
    await receipts.exportOf(receipts.item([gone], id));
    const other = files('a').map((file) => ({ ...file, size: '4000' }));
    await receipts.exportOf(receipts.item(other, id, '6071'));
    const job = await receipts.exportOf(receipts.item(other, id, '6071'));
    expect(erp().revisionsOf(id)).toHaveLength(2);
    expect(await receipts.endsOf(job)).toEqual([['successful', null, []]]);
  });
});

describe('an entry that stands in the books with other content', () => {
  it('stays unchanged when a receipt of the new content fails, with that in the reason', async () => {
    receipts.tenant = await receipts.exports.addTenant({
      policies: { receipts: 'fail', conflicts: 'reverse-and-repost' },
    });
    const id = randomUUID();
    await receipts.exportOf(receipts.item([], id));
    const gone = { url: receipts.host.put('/gone.pdf', respondWith(404)) };
    const job = await receipts.exportOf(receipts.item([gone], id, '6071'));
    expect(await receipts.endsOf(job)).toEqual([['failed', 'receipt_download_failure', []]]);
    expect(await receipts.reasonOf(job)).toContain('Until then the books have it as it was exported before');
    expect(erp().reversals).toEqual([]);
  });
});

describe('an ERP', () => {
  it('that is unavailable fails no entry: the job is retried', async () => {
    respondFor('a.pdf', () => ({ outcome: 'unavailable', failure: UNREACHABLE }));
    const job = await receipts.exportOf(receipts.item(files('a')), receipts.item([]));
    expect(await receipts.exports.stateOf(job)).toBe('running');
    expect(job.results.size).toBe(0);
  });

  it('that accepts all documents but one refuses only that one', async () => {
    respondFor('bad.pdf', () => ({ outcome: 'unavailable', failure: NO_RESPONSE }));
    const job = await receipts.exportOf(receipts.item(files('bad')), receipts.item(files('good')));
    expect(await receipts.endsOf(job)).toEqual([
      ['failed', 'receipt_upload_failure', []],
      ['successful', null, []],
    ]);
    expect(receipts.host.requests.filter((path) => path === '/bad.pdf')).toHaveLength(3);
  });
});

it('shortly before the end of the hour nothing more is fetched or posted', async () => {
  respondFor('a.pdf', () => {
    receipts.exports.clock.passMinutes(51);
    return undefined;
  });
  const items = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => receipts.item(files(name)));
  const job = await receipts.exportOf(...items);
  expect(erp().posts).toEqual([]);
  expect(receipts.host.requests.length).toBeLessThanOrEqual(4);
  expect(await receipts.endsOf(job)).toEqual(items.map(() => ['failed', 'accounting_system_timeout', []]));
});
