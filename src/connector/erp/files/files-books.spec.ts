import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { SystemClock } from '../../../foundation/clock/system-clock.js';
import { postingGroup, plannedEntry, plannedLine } from '../../../erp-contract/posting-group.builder.js';
import { MemoryErpStore } from '../../../erp-contract/memory-erp-store.js';
import type { PlannedEntry } from '../../bookkeeping/item/posting-plan.js';
import type { ErpCall } from '../erp-call.js';
import type { StoreChange } from '../kit/erp-store.js';
import { BatchFolder } from './batch-folder.js';
import { WriteBatches } from './write-batches.js';
import { FilesBatches } from './files-batches.js';
import { FilesBooks } from './files-books.js';
import { FILES_COMPANY } from './files-company.js';
import { currency, day, filesSettings } from './files.fixtures.js';

const clock = new SystemClock();
const logged: string[] = [];

function open(more: Readonly<Record<string, string | number>> = {}, store = new MemoryErpStore()) {
  const settings = filesSettings(more);
  const books = new FilesBooks(
    store,
    () => settings,
    clock,
    (_, event) => logged.push(event),
  );
  const batches = new FilesBatches(store, settings, clock);
  const call: ErpCall = {
    company: FILES_COMPANY,
    signal: new AbortController().signal,
    deadline: new Date(Date.parse('9999-12-31')),
    assertOwner: () => undefined,
  };
  const post = async (key: string, more: Partial<PlannedEntry> = {}, revision = 1) => {
    const entries = [plannedEntry([plannedLine('5410', 10_000n), plannedLine('1935', -10_000n)], more)];
    const [outcome] = await books.post(call, [
      postingGroup(key, { entries, revision, contentDigest: `${key}${revision.toString()}` }),
    ]);
    return outcome;
  };
  const reverse = async (key: string) => (await books.reverse(call, [key]))[0];
  const statesOf = async (key: string) =>
    (await books.inspect(call, [key])).get(key)?.flatMap(({ entries }) => entries.map(({ state }) => state));
  /** Numbers, roles and days of the entries of each batch. */
  const given = async () => {
    const files = await Promise.all((await batches.list()).map(({ number }) => batches.read(number)));
    return files.map((file) =>
      (file?.content.toString() ?? '')
        .split('\r\n')
        .slice(1, -1)
        .map((line) => line.split(','))
        .filter((cells) => cells[12] === '1')
        .map((cells) => [cells[1], cells[3], cells[6]].join(' ')),
    );
  };
  return { store, books, batches, call, post, reverse, statesOf, given };
}

describe('batches', () => {
  it('contain what was posted since the previous one, by number', async () => {
    const { post, batches, given } = open();
    expect(await batches.close()).toEqual({ outcome: 'closed', batches: [] });
    await post('a');
    await post('b', { currency: currency('USD') });
    const { batches: first } = await batches.close();
    expect(first).toMatchObject([
      {
        number: 1,
        format: 'csv',
        fileName: 'postings-000001.csv',
        mediaType: 'text/csv; charset=utf-8',
        fiscalYear: { from: '2026-01-01', to: '2026-12-31' },
        entryCount: 2,
        debits: { EUR: '10000', USD: '10000' },
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    ]);
    expect(await batches.close()).toEqual({ outcome: 'closed', batches: [] });
    await post('c');
    expect(await batches.close()).toMatchObject({ batches: [{ number: 2, entryCount: 1 }] });
    expect(await given()).toEqual([['1 entry 2026-03-02', '2 entry 2026-03-02'], ['3 entry 2026-03-02']]);
    expect((await batches.list(1)).map(({ number }) => number)).toEqual([2]);
    expect(await batches.read(3)).toBeUndefined();
  });

  it('are one per fiscal year, the oldest first', async () => {
    const { post, batches, given } = open({ fiscalYearStart: '07-01', closedUntil: '' });
    await post('a', { postingDate: day('2026-07-01') });
    await post('b', { postingDate: day('2026-06-30') });
    await post('c', { postingDate: day('2027-06-30') });
    const { batches: closed } = await batches.close();
    expect(closed.map(({ fiscalYear, entryCount }) => [fiscalYear.from, fiscalYear.to, entryCount])).toEqual([
      ['2025-07-01', '2026-06-30', 1],
      ['2026-07-01', '2027-06-30', 2],
    ]);
    expect(await given()).toEqual([['2 entry 2026-06-30'], ['1 entry 2026-07-01', '3 entry 2027-06-30']]);
  });

  it('keep their bytes when the settings change', async () => {
    const { post, batches, store } = open();
    await post('a');
    await batches.close();
    const before = await batches.read(1);
    const other = open({ format: 'sie', companyName: 'Renamed AB', accounts: 'code;name\n1;Other' }, store);
    expect(await other.batches.read(1)).toEqual(before);
    expect(before?.content.length).toBe(before?.batch.sizeBytes);
  });

  it.each(['sie', 'datev', 'csv'])('have the same bytes for the same entries as %s', async (format) => {
    const { post, batches } = open({ format });
    await post('a');
    await batches.close();
    const [first, second] = [await batches.read(1), await batches.read(1)];
    expect(first?.batch.format).toBe(format);
    expect(first?.content.equals(second?.content ?? Buffer.alloc(0))).toBe(true);
  });

  it('contain each entry once when they are closed concurrently while entries are posted', async () => {
    const { post, batches, given } = open();
    for (let round = 0; round < 5; round += 1) {
      const keys = ['a', 'b', 'c'].map((key) => `${key}${round.toString()}`);
      await Promise.all([...keys.map((key) => post(key)), batches.close(), batches.close()]);
    }
    await batches.close();
    const numbers = (await given()).flat().map((entry) => Number(entry.split(' ')[0]));
    expect(numbers).toEqual(Array.from({ length: 15 }, (_, index) => index + 1));
    expect((await batches.list()).map(({ number }, index) => number - index)).toEqual((await given()).map(() => 1));
  });

  describe('while their entries are being read', () => {
    /** Something else happens once, between the reading of the entries and the commit. */
    class InterruptedStore extends MemoryErpStore {
      interruption: (() => Promise<unknown>) | undefined;

      override async list(prefix: string, after: string | undefined, limit: number) {
        const page = await super.list(prefix, after, limit);
        const { interruption } = this;
        this.interruption = undefined;
        if (prefix.startsWith('entry/')) await interruption?.();
        return page;
      }
    }

    it('exclude an entry that is reversed meanwhile', async () => {
      const store = new InterruptedStore();
      const { post, reverse, batches, given } = open({}, store);
      await post('a');
      await post('b');
      store.interruption = () => reverse('a');
      await batches.close();
      expect(await given()).toEqual([['2 entry 2026-03-02']]);
    });

    it('exclude an entry that is posted meanwhile, which the next batch has', async () => {
      const store = new InterruptedStore();
      const { post, batches, given } = open({}, store);
      await post('a');
      store.interruption = () => post('b');
      await batches.close();
      expect(await given()).toEqual([['1 entry 2026-03-02'], ['2 entry 2026-03-02']]);
    });

    it('exclude entries that another batch includes meanwhile', async () => {
      const store = new InterruptedStore();
      const { post, reverse, batches, given } = open({}, store);
      await post('a');
      await reverse('a');
      store.interruption = async () => {
        await post('b');
        await batches.close();
        await post('c');
      };
      await batches.close();
      expect(await given()).toEqual([['2 entry 2026-03-02'], ['3 entry 2026-03-02']]);
    });
  });

  it('contain ten thousand entries at most', async () => {
    const { books, call, batches } = open();
    const entries = Array.from({ length: 10 }, () => plannedEntry([plannedLine('5410', 1n), plannedLine('1935', -1n)]));
    const groups = Array.from({ length: 1_001 }, (_, index) => postingGroup(`k${index.toString()}`, { entries }));
    const outcomes = await books.post(call, groups);
    expect(outcomes.every(({ outcome }) => outcome === 'created')).toBe(true);
    const { batches: closed } = await batches.close();
    expect(closed.map(({ entryCount }) => entryCount)).toEqual([10_000, 10]);
  });

  it('are refused when an entry was posted under settings that the format cannot carry', async () => {
    const accounts = 'code;name\n5410;a\n1935;b\n54A;c';
    const { post, batches, store } = open({ accounts });
    await post('a', { lines: [plannedLine('54A', 1n), plannedLine('1935', -1n)] });
    const changed = open({ format: 'sie' }, store);
    expect(await changed.batches.close()).toEqual({
      outcome: 'refused',
      message: expect.stringMatching(/^Entry 1 was posted under other settings\. Account 54A is no number/),
      batches: [],
    });
    expect(await batches.close()).toMatchObject({ outcome: 'closed', batches: [{ number: 1 }] });
  });

  it('are written to the folder once each, under their names', async () => {
    const root = await mkdtemp(join(tmpdir(), 'files-'));
    try {
      const { store, post } = open();
      const batches = new FilesBatches(
        store,
        filesSettings(),
        clock,
        new WriteBatches(store, [new BatchFolder(root, 'connection-12')]),
      );
      const folder = join(root, 'connection-12');
      await post('a');
      await batches.close();
      await post('b');
      await batches.close();
      expect((await readdir(folder)).toSorted()).toEqual(['postings-000001.csv', 'postings-000002.csv']);
      expect(await readFile(join(folder, 'postings-000002.csv'))).toEqual((await batches.read(2))?.content);
      await rm(join(folder, 'postings-000001.csv'));
      await batches.close();
      expect(await readdir(folder)).toEqual(['postings-000002.csv']);
    } finally {
      await rm(root, { recursive: true });
    }
  });
});

describe('a reversal', () => {
  it('removes an entry that is in no batch yet', async () => {
    const { post, reverse, statesOf, batches, given } = open();
    await post('a');
    await post('b');
    expect(await reverse('a')).toEqual({ outcome: 'reversed' });
    expect(await statesOf('a')).toEqual(['discarded']);
    await batches.close();
    expect(await given()).toEqual([['2 entry 2026-03-02']]);
  });

  it('makes no batch when nothing else waits', async () => {
    const { post, reverse, batches } = open();
    await post('a');
    await reverse('a');
    expect(await batches.close()).toEqual({ outcome: 'closed', batches: [] });
  });

  it('is one entry of a later batch when the original is in a batch', async () => {
    const { post, reverse, statesOf, batches, given } = open();
    await post('a');
    await batches.close();
    expect([await reverse('a'), await reverse('a')]).toEqual([{ outcome: 'reversed' }, { outcome: 'reversed' }]);
    expect(await statesOf('a')).toEqual(['reversed']);
    await batches.close();
    expect(await given()).toEqual([['1 entry 2026-03-02'], ['2 reversal 2026-03-02']]);
    const lines = (await batches.read(2))?.content.toString().split('\r\n').slice(1, 3) ?? [];
    expect(lines.map((line) => line.split(',')[2])).toEqual(['1', '1']);
    expect(lines.join()).toMatch(
      /"Reversal of 1: Café Olé · Ada".*,5410,.*,-100\.00,EUR,-100\.00,.*,1935,.*,100\.00,EUR,100\.00,/,
    );
  });

  it('is dated on the first open day when the entry’s own day is closed by then', async () => {
    const { post, batches, store } = open();
    await post('a', { originalDate: day('2026-01-30') });
    await batches.close();
    const later = open({ closedUntil: '2026-03-02' }, store);
    await later.reverse('a');
    await later.batches.close();
    expect(await later.given()).toEqual([['1 entry 2026-03-02'], ['2 reversal 2026-03-03']]);
    const originalDays = [1, 2].map(
      async (number) => /(?<=,)[^,]*(?=,,\r\n$)/.exec((await batches.read(number))?.content.toString() ?? '')?.[0],
    );
    expect(await Promise.all(originalDays)).toEqual(['2026-01-30', '2026-03-02']);
  });

  it('and a concurrent close leave zero balances', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { post, reverse, batches, given, statesOf } = open();
      await post('a');
      await Promise.all([batches.close(), reverse('a')]);
      await batches.close();
      const [state] = (await statesOf('a')) ?? [];
      expect((await given()).flat()).toEqual(
        state === 'discarded' ? [] : ['1 entry 2026-03-02', '2 reversal 2026-03-02'],
      );
    }
  });
});

describe('a store that does not respond', () => {
  class FailingStore extends MemoryErpStore {
    failing: 'nothing' | 'reads' | 'commits' | 'answers of commits' = 'nothing';

    override read(keys: readonly string[]) {
      return this.failing === 'reads' ? Promise.reject(new Error('cut off')) : super.read(keys);
    }

    override async commit(changes: readonly StoreChange[]) {
      if (this.failing === 'commits') throw new Error('cut off');
      const result = await super.commit(changes);
      if (this.failing === 'answers of commits') throw new Error('cut off');
      return result;
    }
  }

  it.each([
    ['reads', 'not-sent', 'unavailable'],
    ['commits', 'unknown', 'unavailable'],
    ['answers of commits', 'unknown', 'unavailable'],
  ] as const)('gives no effect or an unknown one: %s', async (failing, posted, reversed) => {
    const store = new FailingStore();
    const { post, reverse, statesOf } = open({}, store);
    await post('old');
    store.failing = failing;
    expect([await post('new'), await reverse('old')]).toMatchObject([{ outcome: posted }, { outcome: reversed }]);
    store.failing = 'nothing';
    expect(logged.splice(0)).toEqual(['files-store-failed', 'files-store-failed']);
    const isCommitted = failing === 'answers of commits';
    expect(await statesOf('new')).toEqual(isCommitted ? ['posted'] : undefined);
    expect(await statesOf('old')).toEqual([isCommitted ? 'discarded' : 'posted']);
    expect(await post('new')).toMatchObject({ outcome: isCommitted ? 'existed' : 'created' });
  });

  it('a caller that has lost its lease changes nothing', async () => {
    const { books, call, statesOf } = open();
    const lost = new Error('lease lost');
    const assertOwner = () => {
      throw lost;
    };
    await expect(books.post({ ...call, assertOwner }, [postingGroup('a')])).rejects.toBe(lost);
    const stopped = AbortSignal.abort(lost);
    await expect(books.post({ ...call, signal: stopped }, [postingGroup('a')])).rejects.toBe(lost);
    const late = await books.post({ ...call, deadline: new Date(0) }, [postingGroup('a')]);
    expect(late).toMatchObject([{ outcome: 'not-sent', failure: { kind: 'timeout' } }]);
    expect(await statesOf('a')).toBeUndefined();
  });
});

describe('the groups of a period', () => {
  it('are listed under the first of their days in it, page by page', async () => {
    const { books, call, post } = open();
    const pair = [
      plannedEntry([plannedLine('5410', 500n), plannedLine('2440', -500n)], {
        role: 'invoice',
        postingDate: day('2026-03-01'),
      }),
      plannedEntry([plannedLine('2440', 500n), plannedLine('1935', -500n)], {
        role: 'payment',
        postingDate: day('2026-03-03'),
      }),
    ];
    await books.post(call, [postingGroup('pair', { entries: pair })]);
    for (let index = 0; index < 450; index += 1) await post(`k${index.toString().padStart(3, '0')}`);
    const list = async (from: string, to: string) => {
      const keys: string[] = [];
      let after: string | undefined;
      do {
        const page = await books.list(call, { from: day(from), to: day(to) }, after);
        keys.push(...page.groups.map(({ key }) => key));
        after = page.next;
      } while (after !== undefined);
      return keys;
    };
    expect(await list('2026-02-01', '2026-02-28')).toEqual([]);
    expect(await list('2026-03-01', '2026-03-01')).toEqual(['pair']);
    expect(await list('2026-03-03', '2026-03-03')).toEqual(['pair']);
    const all = await list('2026-03-01', '2026-03-03');
    expect([all.length, new Set(all).size, all.filter((key) => key === 'pair').length]).toEqual([451, 451, 1]);
  });
});
