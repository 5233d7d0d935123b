import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from '@jest/globals';
import { readZip } from '../../../../../test/support/zip/read-zip.js';
import { plannedEntry, plannedLine, postingGroup } from '../../../../erp-contract/posting-group.builder.js';
import { MemoryErpStore } from '../../../../erp-contract/memory-erp-store.js';
import { Clock } from '../../../../kernel/clock.js';
import type { ErpCall } from '../../erp-call.js';
import { BatchFolder } from '../batch-folder.js';
import { FilesBatches } from '../files-batches.js';
import { FilesBooks } from '../files-books.js';
import { FILES_COMPANY } from '../files-company.js';
import { day, filesSettings } from '../files.fixtures.js';
import { WriteBatches, type BatchTarget } from '../write-batches.js';
import { ReceiptFiles } from './receipt-files.js';

const LIMIT = 30 * 1024 * 1024;
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

class StoppedClock extends Clock {
  private at = new Date('2026-03-31T12:00:00Z');

  now(): Date {
    return this.at;
  }

  monotonicMs(): number {
    return this.at.getTime();
  }

  sleep(): Promise<void> {
    return Promise.resolve();
  }

  passDays(days: number): void {
    this.at = new Date(this.at.getTime() + days * 86_400_000);
  }
}

function open(format = 'csv', place?: string | BatchTarget['put']) {
  const store = new MemoryErpStore();
  const clock = new StoppedClock();
  const settings = filesSettings({ format });
  const log = () => undefined;
  const books = new FilesBooks(store, () => settings, clock, log);
  const files = new ReceiptFiles(store, clock, log);
  const target = typeof place === 'string' ? new BatchFolder(place, 'c-1') : place && { name: 'target', put: place };
  const places = target && new WriteBatches(store, [target]);
  const batches = new FilesBatches(store, settings, clock, places);
  const call: ErpCall = {
    company: FILES_COMPANY,
    signal: new AbortController().signal,
    deadline: new Date(Date.parse('9999-12-31')),
    assertOwner: () => undefined,
  };
  const keep = (content: Readable) =>
    files.keep(call, { name: 'a.pdf', mediaType: 'application/pdf', sizeBytes: undefined, content });
  const kept = async (bytes: Buffer) => {
    const outcome = await keep(Readable.from(bytes.length === 0 ? [] : [bytes]));
    return 'documentId' in outcome ? outcome.documentId : outcome.outcome;
  };
  const post = async (key: string, ...receipts: readonly (readonly [string, Buffer])[]) => {
    const documents = await Promise.all(
      receipts.map(async ([fileName, bytes]) => ({ fileName, documentId: await kept(bytes) })),
    );
    const entries = [plannedEntry([plannedLine('5410', 10_000n), plannedLine('1935', -10_000n)])];
    const [outcome] = await books.post(call, [postingGroup(key, { entries, documents, contentDigest: key })]);
    return outcome;
  };
  const archiveOf = async (number: number) =>
    readZip(await buffer((await batches.receipts(number))?.archive.open() ?? Readable.from([])));
  const listOf = async (number: number) =>
    (await batches.receipts(number))?.list.content.toString().split('\r\n').slice(1, -1);
  const keysOf = async (prefix: string) => (await store.list(prefix, undefined, 1_000)).map(({ key }) => key);
  return { store, clock, books, batches, call, keep, kept, post, archiveOf, listOf, keysOf };
}

const TAXI = Buffer.from('%PDF taxi');
const LUNCH = Buffer.from('%PDF lunch');

describe('a receipt', () => {
  it('in many chunks is returned byte for byte, and stored once when sent repeatedly', async () => {
    const { post, kept, batches, archiveOf, keysOf } = open();
    const bytes = randomBytes(1_700_000);
    await post('a', ['scan.jpg', bytes]);
    const pieces = await keysOf('receipt-piece/');
    expect(pieces).toHaveLength(4);
    expect(await kept(bytes)).toBe(sha256(bytes));
    expect([await keysOf('receipt-piece/'), await keysOf('receipt-upload/')]).toEqual([pieces, []]);
    await batches.close();
    const archived = (await archiveOf(1)).get('1-1-scan.jpg');
    expect(sha256(archived ?? Buffer.alloc(0))).toBe(sha256(bytes));
  });

  it('of 30 MB is accepted; a larger one is refused and leaves nothing stored', async () => {
    const { kept, keep, keysOf } = open();
    const part = Buffer.alloc(1024 * 1024);
    const ofParts = (count: number, rest: Buffer) => Readable.from([...Array<Buffer>(count).fill(part), rest]);
    expect(await keep(ofParts(30, Buffer.alloc(1)))).toEqual({ outcome: 'too-large', limitBytes: LIMIT });
    expect([await keysOf('receipt'), await kept(Buffer.alloc(0))]).toEqual([[], sha256(Buffer.alloc(0))]);
    expect(await keep(ofParts(30, Buffer.alloc(0)))).toMatchObject({ outcome: 'stored' });
  });

  it('with truncated content leaves nothing stored', async () => {
    const { keep, keysOf } = open();
    const broken = new Error('the file host hung up');
    const content = Readable.from(
      (function* () {
        yield Buffer.alloc(700_000);
        throw broken;
      })(),
    );
    await expect(keep(content)).rejects.toBe(broken);
    expect(await keysOf('receipt')).toEqual([]);
  });

  it('whose last commit was made while its response was lost keeps its pieces', async () => {
    const { store, kept, post, batches, archiveOf } = open();
    const bytes = randomBytes(700_000);
    const commit = store.commit.bind(store);
    store.commit = async (changes) => {
      await commit(changes);
      if (changes.some(({ key }) => key === `receipt/${sha256(bytes)}`)) throw new Error('the connection was lost');
      return true;
    };
    expect(await kept(bytes)).toBe('unavailable');
    store.commit = commit;
    await post('a', ['scan.jpg', bytes]);
    await batches.close();
    expect((await archiveOf(1)).get('1-1-scan.jpg')).toEqual(bytes);
  });

  it('without an entry is deleted after two weeks, unless it was sent again', async () => {
    const { clock, post, kept, batches, keysOf } = open();
    await post('a', ['taxi.pdf', TAXI]);
    await kept(LUNCH);
    await kept(Buffer.alloc(600_000));
    clock.passDays(8);
    await kept(LUNCH);
    clock.passDays(7);
    await batches.close();
    expect(await keysOf('receipt/')).toEqual([TAXI, LUNCH].map((bytes) => `receipt/${sha256(bytes)}`).toSorted());
    expect([await keysOf('receipt-piece/'), await keysOf('receipt-upload/')]).toMatchObject([{ length: 2 }, []]);
    clock.passDays(8);
    await batches.close();
    expect(await keysOf('receipt-loose/')).toEqual([]);
  });
});

describe('the receipts of a batch', () => {
  it('are those of its entries, listed with their checksums, in an archive that is always the same', async () => {
    const { post, batches, archiveOf, listOf } = open();
    await post('a', ['Taxi Malmö.pdf', TAXI], ['lunch.pdf', LUNCH]);
    await post('b');
    await batches.close();
    await post('c', ['taxi.pdf', TAXI]);
    await batches.close();
    expect((await batches.list()).map(({ receipts }) => receipts)).toEqual([2, 1]);
    expect([...(await archiveOf(1)).keys(), ...(await archiveOf(2)).keys()]).toEqual([
      ...['1-1-Taxi-Malmo.pdf', '1-2-lunch.pdf', '3-1-taxi.pdf'],
    ]);
    expect(await listOf(1)).toEqual([
      `1,1,,a,1-1-Taxi-Malmo.pdf,"Taxi Malmö.pdf",application/pdf,9,${sha256(TAXI)}`,
      `1,1,,a,1-2-lunch.pdf,lunch.pdf,application/pdf,10,${sha256(LUNCH)}`,
    ]);
    const once = await batches.receipts(1);
    const bytes = async () => buffer((await batches.receipts(1))?.archive.open() ?? Readable.from([]));
    expect(await bytes()).toEqual(await bytes());
    expect([once?.list.fileName, once?.archive.fileName]).toEqual([
      'postings-000001-receipts.csv',
      'postings-000001-receipts.zip',
    ]);
    expect(await batches.receipts(3)).toBeUndefined();
  });

  it('may arrive later without a change of the batch, and are not added twice by a repeated post', async () => {
    const { post, batches, listOf } = open();
    await post('a', ['taxi.pdf', TAXI]);
    await post('b');
    await batches.close();
    const before = await batches.read(1);
    expect(before?.content.toString()).toContain('1-1-taxi.pdf');
    expect(await post('a', ['taxi.pdf', TAXI], ['lunch.pdf', LUNCH])).toMatchObject({ outcome: 'existed' });
    expect(await post('a', ['taxi.pdf', TAXI], ['lunch.pdf', LUNCH])).toMatchObject({ outcome: 'existed' });
    expect(await post('b', ['lunch.pdf', LUNCH])).toMatchObject({ outcome: 'existed' });
    const after = await batches.read(1);
    expect([after?.content, after?.batch.sha256]).toEqual([before?.content, before?.batch.sha256]);
    expect(after?.batch.receipts).toBe(3);
    expect((await listOf(1))?.map((line) => line.split(',')[4])).toEqual([
      '1-1-taxi.pdf',
      '1-2-lunch.pdf',
      '2-1-lunch.pdf',
    ]);
  });

  it('exclude those of entries that were reversed before, and of reversals', async () => {
    const { books, call, post, batches, listOf } = open();
    await post('a', ['taxi.pdf', TAXI]);
    await post('b', ['lunch.pdf', LUNCH]);
    await books.reverse(call, ['a']);
    await batches.close();
    await books.reverse(call, ['b']);
    await batches.close();
    expect((await batches.list()).map(({ receipts }) => receipts)).toEqual([1, 0]);
    expect((await listOf(1))?.map((line) => line.split(',')[1])).toEqual(['2']);
  });

  it('are, for DATEV, a package that maps each booking’s link to its files', async () => {
    const { post, batches, archiveOf } = open('datev');
    await post('a', ['taxi.pdf', TAXI], ['lunch.pdf', LUNCH]);
    await post('b', ['taxi.pdf', TAXI]);
    await batches.close();
    const xml = (await archiveOf(1)).get('document.xml')?.toString() ?? '';
    const file = (await batches.read(1))?.content.toString('latin1') ?? '';
    const links = [...file.matchAll(/"BEDI ""([0-9A-F-]{36})"""/g)].map(([, guid]) => guid);
    expect([...xml.matchAll(/guid="([^"]*)"|name="([^"]*)"/g)].map(([, guid, name]) => guid ?? name)).toEqual([
      ...[links[0], '1-1-taxi.pdf', '1-2-lunch.pdf'],
      ...[links[1], '2-1-taxi.pdf'],
    ]);
  });

  it('are dated with the closing by the clocks of the company, also after it has entered another time zone', async () => {
    const { store, clock, post, batches, archiveOf } = open('datev');
    await post('a', ['taxi.pdf', TAXI]);
    await batches.close();
    expect((await archiveOf(1)).get('document.xml')?.toString()).toContain('<date>2026-03-31T14:00:00</date>');
    const moved = new FilesBatches(store, filesSettings({ format: 'datev', timeZone: 'Asia/Tokyo' }), clock);
    const bytesOf = async (from: FilesBatches) => buffer((await from.receipts(1))?.archive.open() ?? Readable.from([]));
    const archive = await bytesOf(batches);
    expect(await bytesOf(moved)).toEqual(archive);
    // Hours, minutes and pairs of seconds of the first file in the archive.
    expect(archive.readUInt16LE(10)).toBe(14 << 11);
  });

  it('are written to the folder of the batches, with their list, before the batch itself', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'receipts-'));
    const { post, batches } = open('sie', folder);
    await post('a', ['taxi.pdf', TAXI]);
    await batches.close();
    const list = (await batches.receipts(1))?.list;
    const placed = await readdir(join(folder, 'c-1'), { recursive: true });
    expect(placed.toSorted()).toEqual([
      ...['vouchers-000001-receipts', 'vouchers-000001-receipts.csv', 'vouchers-000001-receipts/1-1-taxi.pdf'],
      'vouchers-000001.si',
    ]);
    expect(await readFile(join(folder, 'c-1', 'vouchers-000001-receipts/1-1-taxi.pdf'))).toEqual(TAXI);
    expect(await readFile(join(folder, 'c-1', 'vouchers-000001-receipts.csv'))).toEqual(list?.content);
    await rm(folder, { recursive: true });
  });

  it('are all put beside a batch, also after two closings that a place has failed at the same moment', async () => {
    const placed = new Set<string>();
    let isAway = true;
    let tries = 0;
    const otherHasFailed = Promise.withResolvers<undefined>();
    const { post, batches } = open('sie', async ({ name }) => {
      if (isAway && name.endsWith('1-1-taxi.pdf')) {
        tries += 1;
        if (tries === 2) await otherHasFailed.promise;
      } else if (isAway) {
        otherHasFailed.resolve(undefined);
        throw new Error('the place is away');
      }
      placed.add(name);
    });
    await post('a', ['taxi.pdf', TAXI], ['lunch.pdf', LUNCH]);
    await Promise.allSettled([batches.close(), batches.close()]);
    isAway = false;
    await batches.close();
    expect([...placed].toSorted()).toEqual([
      'vouchers-000001-receipts.csv',
      'vouchers-000001-receipts/1-1-taxi.pdf',
      'vouchers-000001-receipts/1-2-lunch.pdf',
      'vouchers-000001.si',
    ]);
  });

  it('are put beside the batches that were closed before an entry was refused', async () => {
    const placed: string[] = [];
    const put = ({ name }: { readonly name: string }) => Promise.resolve(void placed.push(name));
    const { store, clock, books, call, post } = open('sie', put);
    await post('a', ['taxi.pdf', TAXI]);
    const cost = { dimension: 'CC', value: '100', decision: { by: 'code' } } as const;
    const line = { ...plannedLine('5410', 1n), dimensions: [cost] };
    const next = plannedEntry([line, plannedLine('1935', -1n)], { postingDate: day('2027-03-02') });
    await books.post(call, [postingGroup('b', { entries: [next], contentDigest: 'b' })]);
    const places = new WriteBatches(store, [{ name: 'target', put }]);
    const settings = filesSettings({ format: 'sie', dimensions: '' });
    expect(await new FilesBatches(store, settings, clock, places).close()).toMatchObject({
      outcome: 'refused',
      batches: [{ number: 1 }],
    });
    expect(placed).toEqual([
      'vouchers-000001-receipts/1-1-taxi.pdf',
      'vouchers-000001-receipts.csv',
      'vouchers-000001.si',
    ]);
  });
});
