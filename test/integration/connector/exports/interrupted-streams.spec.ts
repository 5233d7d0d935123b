// What becomes of the other stages of an export when one of them stops, fails or comes to the end of its time.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { PlatformRefusal } from '../../../../src/connector/platform/platform-error.js';
import { NoResponse } from '../../../../src/foundation/http/client/http-client.js';
import { isNotReached, UNREACHABLE } from '../../../support/fake-erp.js';
import type { FakeJob } from '../../../support/platform/fake-platform.js';
import { ExportsHarness, purchases, type Tenant } from './exports-harness.js';
import { beforeRecord, beforeReport, letOthersWork, PAGES_AHEAD, until } from './stage-gates.js';

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

const never = () => new Promise<never>(() => undefined);
const idsOf = (job: FakeJob) => [...job.statuses.keys()];
const calls = (kind: string) => exports.platform.calls.filter((call) => call === kind).length;
const resultsOf = (job: FakeJob) => [...job.statuses.values()];

describe('a run that has to stop', () => {
  /** Stops on request, and goes on in a second run: everything is posted once. */
  async function stopAndGoOn(job: FakeJob, hold: (stop: () => void) => void): Promise<void> {
    const stopping = new AbortController();
    hold(() => {
      stopping.abort();
    });
    await exports.processQueue(tenant, stopping.signal);
    expect(await exports.stateOf(job)).toBe('running');
    const before = exports.erp.posts.flat();
    await letOthersWork(exports);
    expect(exports.erp.posts.flat()).toEqual(before);
    jest.restoreAllMocks();
    exports.erp.onPost = () => Promise.resolve();
    await exports.processQueueAgain(tenant);
    expect(job.events).toEqual(COMPLETED);
    expect(exports.erp.posts.flat()).toEqual(idsOf(job));
  }

  it('stops while a page of the list of a resumed job is pending', async () => {
    const items = purchases(tenant.companyId, 300);
    const job = await exports.addJob(tenant, items, { status: 'in_progress', events: [{ event: 'started' }] });
    await stopAndGoOn(job, (stop) => {
      jest.spyOn(exports.platform, 'jobItemPages').mockImplementation(async function* () {
        yield idsOf(job)
          .slice(0, 100)
          .map((accountingEntryId) => ({ accountingEntryId, status: 'pending' }));
        stop();
        await never();
      });
    });
  });

  it('stops while a page of the data is pending', async () => {
    const items = purchases(tenant.companyId, 300);
    const job = await exports.addJob(tenant, items);
    await stopAndGoOn(job, (stop) => {
      jest.spyOn(exports.platform, 'exportItemPages').mockImplementation(async function* () {
        yield items.slice(0, 100);
        await until(() => job.updates.length > 0);
        stop();
        await never();
      });
    });
  });

  it('stops after the post in flight, with pages fetched', async () => {
    const job = await exports.addJob(tenant, purchases(tenant.companyId, 2_000));
    await stopAndGoOn(job, (stop) => {
      exports.erp.onPost = async () => {
        if (exports.erp.posts.length === 2) {
          await until(() => calls('item-data') >= 6 + PAGES_AHEAD);
          stop();
        }
      };
    });
  });

  it('stops while results are reported', async () => {
    const job = await exports.addJob(tenant, purchases(tenant.companyId, 2_000));
    await stopAndGoOn(job, (stop) => {
      beforeReport(exports, () => {
        stop();
        return Promise.resolve();
      });
    });
  });

  it('stops in every stage when the company is lost', async () => {
    const job = await exports.addJob(tenant, purchases(tenant.companyId, 2_000));
    exports.erp.onPost = async () => {
      if (exports.erp.posts.length === 2) {
        await exports.stealLease(tenant);
      }
    };
    await exports.processQueue(tenant);
    const [posts, updates] = [exports.erp.posts.length, job.updates.length];
    await letOthersWork(exports);
    expect(exports.erp.posts).toHaveLength(posts);
    expect(posts).toBe(2);
    expect(job.updates).toHaveLength(updates);
    exports.erp.restore();
    await exports.expireLease(tenant);
    await exports.processQueue(tenant);
    expect(job.events).toEqual(COMPLETED);
  });
});

describe('an error in one stage', () => {
  const noAnswer = new NoResponse('connection refused', false);

  /** The run ends by it and the next one goes on: everything is posted once. */
  async function failAndGoOn(job: FakeJob, postedBefore: readonly number[]): Promise<void> {
    await exports.processQueue(tenant);
    expect(await exports.rows('export_job', job.id, 'state, next_run_at > now()')).toEqual([['running', true]]);
    expect(exports.erp.posts.map((keys) => keys.length)).toEqual(postedBefore);
    await letOthersWork(exports);
    expect(exports.erp.posts.map((keys) => keys.length)).toEqual(postedBefore);
    const created = new Set(idsOf(job).filter((id) => exports.erp.find(id) !== undefined));
    jest.restoreAllMocks();
    exports.platform.restore();
    exports.erp.restore();
    await exports.processQueueAgain(tenant);
    expect(job.events).toEqual(COMPLETED);
    expect(exports.erp.posts.flat().filter((id) => created.has(id))).toEqual([]);
    expect(idsOf(job).every((id) => exports.erp.revisionsOf(id).length === 1)).toBe(true);
  }

  it('in the list of a resumed job posts nothing that is not known to be on it', async () => {
    const items = purchases(tenant.companyId, 300);
    const job = await exports.addJob(tenant, items, { status: 'in_progress', events: [{ event: 'started' }] });
    exports.platform.before = (call) => {
      if (call === 'job-items') {
        throw noAnswer;
      }
    };
    await failAndGoOn(job, []);
  });

  it('in the data exports what came before the error', async () => {
    const job = await exports.addJob(tenant, purchases(tenant.companyId, 2_000));
    exports.platform.before = (call) => {
      if (call === 'item-data' && calls('item-data') === 5) {
        throw noAnswer;
      }
    };
    exports.erp.onPost = () => until(() => calls('item-data') === 5);
    await failAndGoOn(job, [100, 300]);
    expect(resultsOf(job).every((status) => status === 'successful')).toBe(true);
  });

  it('in the posting reports what was posted before', async () => {
    const job = await exports.addJob(tenant, purchases(tenant.companyId, 2_000));
    exports.erp.onPost = async () => {
      await until(() => calls('item-data') >= exports.erp.posts.flat().length / 100 + PAGES_AHEAD);
      if (exports.erp.posts.length === 2) {
        exports.erp.script.push(isNotReached, isNotReached, isNotReached);
        exports.erp.lookUpFailure = UNREACHABLE;
      }
    };
    await failAndGoOn(job, [100, 500]);
  });

  it('in the posting still records the chunk before it', async () => {
    const job = await exports.addJob(tenant, purchases(tenant.companyId, 600));
    let isBroken = false;
    beforeRecord(exports, async () => {
      await until(() => isBroken);
      await letOthersWork(exports);
    });
    exports.erp.onPost = async () => {
      await until(
        () => calls('item-data') >= exports.erp.posts.flat().length / 100 + PAGES_AHEAD || calls('item-data') === 6,
      );
      if (exports.erp.posts.length === 2) {
        isBroken = true;
        throw new Error('a fault of the adapter');
      }
    };
    await exports.processQueue(tenant);
    expect(exports.erp.posts.map((keys) => keys.length)).toEqual([100, 500]);
    const counts = `count(*) FILTER (WHERE state = 'posted')::int, count(*) FILTER (WHERE state = 'sent')::int`;
    expect(await exports.rows('posting_intent', job.id, counts)).toEqual([[100, 500]]);
  });

  it('in the reporting stops the posting after the chunk in flight', async () => {
    const job = await exports.addJob(tenant, purchases(tenant.companyId, 2_000));
    let failed = false;
    exports.erp.onPost = async () => {
      await until(() => calls('item-data') >= exports.erp.posts.flat().length / 100 + PAGES_AHEAD);
      await until(() => failed || exports.erp.posts.length === 1);
      await letOthersWork(exports);
    };
    beforeReport(exports, async () => {
      await until(() => exports.erp.posts.length === 2);
      failed = true;
      throw noAnswer;
    });
    await failAndGoOn(job, [100, 500]);
  });
});

describe('a job that ends early', () => {
  it('because the platform closed it gets no further post, even if pages are fetched', async () => {
    const items = purchases(tenant.companyId, 2_000);
    const job = await exports.addJob(tenant, items);
    jest.spyOn(exports.platform, 'exportItemPages').mockImplementation(async function* () {
      yield* [items.slice(0, 100), items.slice(100, 200), items.slice(200, 300)];
      await until(() => exports.erp.posts.length === 1);
      job.status = 'cancelled';
      throw new PlatformRefusal(422, 'INVALID_STATE', 'the job is cancelled', undefined);
    });
    exports.erp.onPost = async () => {
      await until(() => job.status === 'cancelled');
      await letOthersWork(exports);
    };
    await exports.processQueue(tenant);
    expect(exports.erp.posts.map((keys) => keys.length)).toEqual([100]);
    expect(await exports.stateOf(job)).toBe('closed_by_platform');
    expect(await exports.rows('posting_intent', job.id, 'DISTINCT state')).toEqual([['posted']]);
  });

  it('because the platform refuses more data exports what was fetched before', async () => {
    const job = await exports.addJob(tenant, purchases(tenant.companyId, 150));
    exports.platform.before = (call) => {
      if (call === 'item-data' && calls('item-data') === 2) {
        throw new PlatformRefusal(422, 'MISSING_CONTRA_ACCOUNTS', 'Wallet EUR has no account', undefined);
      }
    };
    await exports.processQueue(tenant);
    expect(resultsOf(job).filter((status) => status === 'successful')).toHaveLength(100);
    expect(job.results.get(idsOf(job)[149] ?? '')).toMatchObject({
      failureReasonType: 'missing_configuration',
      failureReason: 'Wallet EUR has no account',
    });
    expect(job.events.at(-1)).toEqual({ event: 'completed_with_errors' });
  });

  it('because its hour is over fails the pages that were fetched and not posted', async () => {
    const job = await exports.addJob(tenant, purchases(tenant.companyId, 2_000));
    exports.erp.onPost = async () => {
      await until(() => calls('item-data') >= 1 + PAGES_AHEAD);
      exports.clock.passMinutes(51);
    };
    await exports.processQueue(tenant);
    expect(exports.erp.posts.map((keys) => keys.length)).toEqual([100]);
    expect(await exports.rows('export_item', job.id, 'state, failure_type')).toEqual(
      idsOf(job).map((_, index) => (index < 100 ? ['successful', null] : ['failed', 'accounting_system_timeout'])),
    );
    expect(resultsOf(job)).not.toContain('pending');
    expect(job.events.at(-1)).toEqual({ event: 'completed_with_errors' });
  });

  it('because the ERP is unavailable at its end gives a result to every item, including those listed later', async () => {
    const job = await exports.addJob(tenant, purchases(tenant.companyId, 2_000));
    exports.erp.onPost = () => {
      exports.clock.passMinutes(51);
      exports.erp.failure = UNREACHABLE;
      return Promise.resolve();
    };
    await exports.processQueue(tenant);
    expect(await exports.rows('export_item', job.id, 'failure_type')).toEqual(
      idsOf(job).map(() => ['accounting_system_unreachable']),
    );
    expect(resultsOf(job).every((status) => status === 'failed')).toBe(true);
    expect(job.events.at(-1)).toMatchObject({ event: 'failed' });
  });
});
