// The stages of an export work at the same time. These tests hold one of them at a gate and look at what the others do.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { setImmediate as turn } from 'node:timers/promises';
import type { FakeJob } from '../../../support/platform/fake-platform.js';
import { ExportsHarness, purchase, purchases, type Tenant } from './exports-harness.js';
import { beforeReport, CHUNKS_AHEAD, letOthersWork, PAGES_AHEAD, until } from './stage-gates.js';

const COMPLETED = [{ event: 'started' }, { event: 'completed' }];

let exports: ExportsHarness;
let tenant: Tenant;
const unhandled: unknown[] = [];
const recordUnhandled = (error: unknown) => unhandled.push(error);

beforeAll(async () => {
  process.on('unhandledRejection', recordUnhandled);
  exports = await ExportsHarness.start();
});
beforeEach(async () => {
  exports.platform.restore();
  exports.erp.restore();
  tenant = await exports.addTenant();
});
afterEach(() => {
  jest.restoreAllMocks();
  expect(unhandled.splice(0)).toEqual([]);
});
afterAll(async () => {
  await exports.close();
  process.off('unhandledRejection', recordUnhandled);
});

const idsOf = (job: FakeJob) => [...job.statuses.keys()];
const calls = (kind: string) => exports.platform.calls.filter((call) => call === kind).length;

describe('the order of effects', () => {
  it('is intent, post, record, report for every entry', async () => {
    const job = await exports.addJob(tenant, purchases(tenant.companyId, 1_200));
    const states = async (table: 'posting_intent' | 'export_item', ids: readonly string[]) => {
      const { rows } = await exports.admin.query<{ state: string; count: string }>(
        `SELECT state, count(*) FROM ${table} WHERE export_job_id = $1 AND accounting_entry_id = ANY($2::uuid[]) GROUP BY state`,
        [job.id, ids],
      );
      return rows.map(({ state, count }) => [state, Number(count)]);
    };
    exports.erp.onPost = async (groups) => {
      const keys = groups.map(({ key }) => key);
      expect(await states('posting_intent', keys)).toEqual([['sent', keys.length]]);
      expect(await states('export_item', keys)).toEqual([]);
    };
    beforeReport(exports, async (ids) => {
      expect(await states('posting_intent', ids)).toEqual([['posted', ids.length]]);
      expect(await states('export_item', ids)).toEqual([['successful', ids.length]]);
    });
    await exports.processQueue(tenant);
    expect(job.events).toEqual(COMPLETED);
    expect(exports.erp.posts.flat()).toEqual(idsOf(job));
  });
});

describe('the distance between stages', () => {
  it('for pages is bounded: waiting pages are posted together, and one such chunk is planned ahead', async () => {
    const job = await exports.addJob(tenant, purchases(tenant.companyId, 2_000));
    let largest = 0;
    exports.erp.onPost = async () => {
      const taken = exports.erp.posts.flat().length / 100;
      await until(() => calls('item-data') >= Math.min(taken + PAGES_AHEAD, 20));
      await letOthersWork(exports);
      largest = Math.max(largest, calls('item-data') - taken);
    };
    await exports.processQueue(tenant);
    expect(largest).toBeGreaterThan(PAGES_AHEAD);
    expect(largest).toBeLessThanOrEqual(2 * PAGES_AHEAD);
    expect(Math.max(...exports.erp.posts.map((keys) => keys.length))).toBe(500);
    expect(exports.erp.posts.flat()).toEqual(idsOf(job));
    expect(job.events).toEqual(COMPLETED);
  });

  it('lets results be reported while later ones are posted', async () => {
    const job = await exports.addJob(tenant, purchases(tenant.companyId, 150));
    exports.erp.onPost = (groups) =>
      until(() => job.updates.length > 0 || groups.some(({ key }) => key === idsOf(job)[0]));
    await exports.processQueue(tenant);
    expect(job.events).toEqual(COMPLETED);
  });

  it('for results is bounded: posting stops while nothing can be reported', async () => {
    const job = await exports.addJob(tenant, purchases(tenant.companyId, 3_000));
    let posted = 0;
    beforeReport(exports, async () => {
      if (posted === 0) {
        await until(() => exports.erp.posts.length > CHUNKS_AHEAD);
        await letOthersWork(exports);
        posted = exports.erp.posts.length;
      }
    });
    await exports.processQueue(tenant);
    expect(posted).toBe(1 + CHUNKS_AHEAD);
    expect(job.events).toEqual(COMPLETED);
  });
});

describe('list and data of a job', () => {
  it('may have different orders', async () => {
    const items = purchases(tenant.companyId, 1_500);
    const job = await exports.addJob(tenant, items, { data: items.toReversed() });
    await exports.processQueue(tenant);
    expect(job.events).toEqual(COMPLETED);
    expect(new Set(exports.erp.posts.flat())).toEqual(new Set(idsOf(job)));
  });

  it('give items in a first run the positions of their data, whatever their outcome', async () => {
    const { companyId } = tenant;
    const bad = purchase(companyId, { account: '0000' });
    const items = [...purchases(companyId, 2), bad, ...purchases(companyId, 2)];
    const job = await exports.addJob(tenant, items);
    await exports.processQueue(tenant);
    expect(await exports.rows('export_item', job.id, 'position, accounting_entry_id, state')).toEqual(
      idsOf(job).map((id, index) => [index + 1, id, id === bad.accountingEntryId ? 'failed' : 'successful']),
    );
  });

  it('may name an entry on two pages: it is posted once', async () => {
    const items = purchases(tenant.companyId, 1_000);
    const job = await exports.addJob(tenant, items, { data: [...items, ...items.slice(0, 300)] });
    await exports.processQueue(tenant);
    expect(job.events).toEqual(COMPLETED);
    expect(exports.erp.posts.flat()).toEqual(idsOf(job));
  });

  it('may differ: what is not on the list of a resumed job is not posted', async () => {
    const items = purchases(tenant.companyId, 250);
    const stray = purchase(tenant.companyId);
    const job = await exports.addJob(tenant, items, { data: [stray, ...items], status: 'in_progress' });
    await exports.processQueue(tenant);
    expect(job.events).toEqual([{ event: 'completed' }]);
    expect(exports.erp.posts.flat()).toEqual(idsOf(job));
  });

  it('are sufficient when every item has a result, even if the data never ends', async () => {
    const items = purchases(tenant.companyId, 300);
    const job = await exports.addJob(tenant, items);
    const pages = jest.spyOn(exports.platform, 'exportItemPages').mockImplementation(async function* () {
      for (;;) {
        await turn();
        yield* [items.slice(0, 100), items.slice(100, 200), items.slice(200)];
      }
    });
    await exports.processQueue(tenant);
    // As many as were announced, so that pages are requested ahead.
    expect(pages.mock.calls).toEqual([[expect.anything(), job.id, 300]]);
    expect(job.events).toEqual(COMPLETED);
    expect(exports.erp.posts.flat()).toEqual(idsOf(job));
  });
});
