import { beforeEach, describe, expect, it } from '@jest/globals';
import { ExportInStages } from '../../../../src/connector/exports/items/export-in-stages.js';
import { ExportJobReader } from '../../../../src/connector/exports/stores/export-job.reader.js';
import { InvalidPlatformResponse, PlatformRefusal } from '../../../../src/connector/platform/platform-error.js';
import { Bug } from '../../../../src/kernel/faults.js';
import { toExportJobId } from '../../../../src/kernel/ids.js';
import { NoResponse } from '../../../../src/foundation/http/client/http-client.js';
import { NO_RESPONSE, postsWithoutResponse, UNREACHABLE } from '../../../support/fake-erp.js';
import type { FakeJob } from '../../../support/platform/fake-platform.js';
import { ExportsHarness, purchase, purchases, type Tenant } from './exports-harness.js';
import { startedOnce } from '../../../support/started-once.js';

const exports = startedOnce(() => ExportsHarness.start());
let tenant: Tenant;

beforeEach(async () => {
  exports.platform.restore();
  exports.erp.restore();
  tenant = await exports.addTenant();
});

/** A user's cancellation, or the platform's clock. */
function end(job: FakeJob, failureReasonType?: string): void {
  job.status = 'failed';
  if (failureReasonType !== undefined) {
    job.failureReasonType = failureReasonType;
  }
}

describe('a job the platform ends', () => {
  it('in the middle gets no further calls', async () => {
    const job = await exports.addJob(tenant, purchases(tenant.companyId, 150));
    exports.platform.before = (call) => {
      if (call === 'update-items') {
        job.status = 'cancelled';
      }
    };
    // How far posting is ahead of reporting would else be a matter of luck.
    const items = exports.get(ExportInStages);
    const { pace } = items;
    items.pace = { pagesAhead: 0, plansAhead: 0, postsAhead: 0, chunksAhead: 0 };
    await exports.processQueue(tenant);
    items.pace = pace;
    expect(job.events).toEqual([{ event: 'started' }]);
    expect(exports.erp.posts.map((keys) => keys.length)).toEqual([100]);
    expect(exports.platform.calls.slice(-2)).toEqual(['update-items', 'job']);
    expect(await exports.stateOf(job)).toBe('closed_by_platform');
    exports.platform.restore();
    await exports.processQueueAgain(tenant);
    expect(exports.platform.calls).toEqual([]);
  });

  it('before it begins is not started', async () => {
    const job = await exports.addJob(tenant, purchases(tenant.companyId, 1), { status: 'cancelled' });
    await exports.processQueue(tenant);
    expect(exports.platform.calls).toEqual(['job']);
    expect(exports.erp.calls).toEqual([]);
    expect(await exports.stateOf(job)).toBe('closed_by_platform');
  });

  it('and no longer knows is closed', async () => {
    const job = await exports.addJob(tenant, []);
    exports.platform.jobs.delete(job.id);
    await exports.processQueue(tenant);
    expect(await exports.stateOf(job)).toBe('closed_by_platform');
  });

  it.each([
    { name: 'before it begins', failing: 1, events: ['started', 'completed'] },
    { name: 'after a refusal', failing: 2, events: ['started', 'completed'] },
  ])('and does not know while it lists it stays open: $name', async ({ failing, events }) => {
    const job = await exports.addJob(tenant, purchases(tenant.companyId, 1));
    let reads = 0;
    exports.platform.before = (call) => {
      const isRefused = failing === 2 && call === 'update-items' && reads === 1;
      if (isRefused || (call === 'job' && (reads += 1) === failing)) {
        throw new PlatformRefusal(404, 'EXPORT_NOT_FOUND', 'Export job not found.', undefined);
      }
    };
    await exports.processQueue(tenant);
    expect(await exports.stateOf(job)).not.toBe('closed_by_platform');
    exports.platform.restore();
    await exports.processQueueAgain(tenant);
    expect(job.events.map(({ event }) => event)).toEqual(events);
    expect(await exports.stateOf(job)).toBe('completed');
  });

  it('because its hour is over is expired', async () => {
    const job = await exports.addJob(tenant, purchases(tenant.companyId, 1));
    exports.platform.before = (call) => {
      if (call === 'item-data') {
        end(job, 'job_expired');
      }
    };
    await exports.processQueue(tenant);
    expect(await exports.stateOf(job)).toBe('expired');
    expect(job.events).toEqual([{ event: 'started' }]);
  });
});

describe('an accounting system that does not respond', () => {
  it('postpones the job while there is time, and the job continues where it was', async () => {
    const items = purchases(tenant.companyId, 2);
    const job = await exports.addJob(tenant, items);
    exports.erp.failure = UNREACHABLE;
    await exports.processQueue(tenant);
    expect(await exports.rows('export_job', job.id, 'state, attempts, next_run_at > now()')).toEqual([
      ['running', 1, true],
    ]);
    await exports.processQueue(tenant);
    expect(await exports.rows('export_job', job.id, 'attempts')).toEqual([[1]]);
    exports.erp.restore();
    await exports.processQueueAgain(tenant);
    expect(job.events).toEqual([{ event: 'started' }, { event: 'completed' }]);
  });

  it.each([
    [UNREACHABLE, 'accounting_system_unreachable'],
    [NO_RESPONSE, 'accounting_system_timeout'],
  ])('fails the job ten minutes before its end (%j)', async (failure, failureReasonType) => {
    const job = await exports.addJob(tenant, purchases(tenant.companyId, 1));
    exports.erp.failure = failure;
    await exports.processQueue(tenant);
    exports.clock.passMinutes(51);
    await exports.processQueueAgain(tenant);
    expect(job.events.at(-1)).toMatchObject({ event: 'failed', failureReasonType });
    expect(await exports.stateOf(job)).toBe('failed');
  });

  it('keeps what was posted before it stopped responding', async () => {
    const items = purchases(tenant.companyId, 150);
    const job = await exports.addJob(tenant, items);
    exports.erp.onPost = () => {
      exports.erp.failure = exports.erp.posts.length > 1 ? UNREACHABLE : undefined;
      return Promise.resolve();
    };
    await exports.processQueue(tenant);
    expect(job.updates).toEqual([100]);
    exports.erp.restore();
    await exports.processQueueAgain(tenant);
    expect(exports.erp.posts.flat()).toEqual(items.slice(100).map((item) => item.accountingEntryId));
    expect(job.updates).toEqual([100, 50]);
    expect(job.events.at(-1)).toEqual({ event: 'completed' });
  });

  it('and asks for a pause gets no second call, and the job pauses for that long', async () => {
    const job = await exports.addJob(tenant, purchases(tenant.companyId, 2));
    exports.erp.script.push(() => ({
      outcome: 'not-sent',
      failure: { kind: 'rate-limit', message: 'too many requests', retryAfterMs: 45_000 },
    }));
    await exports.processQueue(tenant);
    expect(exports.erp.calls.map(({ call }) => call)).toEqual(['post']);
    const pause = `next_run_at > now() + interval '40 s', next_run_at < now() + interval '46 s'`;
    expect(await exports.rows('export_job', job.id, pause)).toEqual([[true, true]]);
    await exports.processQueueAgain(tenant);
    expect(job.events).toEqual([{ event: 'started' }, { event: 'completed' }]);
  });

  it('is searched by key in the next run for what may have been posted', async () => {
    const item = purchase(tenant.companyId);
    const job = await exports.addJob(tenant, [item]);
    exports.erp.script.push(postsWithoutResponse);
    exports.erp.lookUpFailure = NO_RESPONSE;
    await exports.processQueue(tenant);
    exports.erp.restore();
    await exports.processQueueAgain(tenant);
    expect(exports.erp.calls).toEqual([{ call: 'find', keys: [item.accountingEntryId] }]);
    expect(job.results.get(item.accountingEntryId)?.status).toBe('successful');
    expect(await exports.rows('posting_intent', job.id, 'state')).toEqual([['posted']]);
  });
});

describe('a platform that does not respond', () => {
  it('receives the same verdict later, once', async () => {
    const job = await exports.addJob(tenant, purchases(tenant.companyId, 1));
    exports.platform.before = (call) => {
      if (call === 'completed') {
        throw new NoResponse('connection refused', false);
      }
    };
    await exports.processQueue(tenant);
    expect(await exports.stateOf(job)).toBe('verdict_decided');
    exports.platform.restore();
    exports.erp.restore();
    await exports.processQueueAgain(tenant);
    expect(job.events).toEqual([{ event: 'started' }, { event: 'completed' }]);
    expect(exports.erp.calls).toEqual([]);
    expect(await exports.stateOf(job)).toBe('completed');
  });

  it('until the hour is over leaves the job expired', async () => {
    const job = await exports.addJob(tenant, purchases(tenant.companyId, 1));
    exports.platform.before = () => {
      throw new NoResponse('connection refused', false);
    };
    await exports.processQueue(tenant);
    expect(await exports.stateOf(job)).toBe('detected');
    exports.clock.passMinutes(62);
    await exports.processQueueAgain(tenant);
    expect(await exports.stateOf(job)).toBe('expired');
  });
});

describe('a job that waits says for whom, until when', () => {
  it.each([
    ['platform', () => new NoResponse('connection refused', false)],
    ['platform', () => new PlatformRefusal(503, 'unavailable', 'Try later.', undefined)],
    ['platform', () => new InvalidPlatformResponse('no list')],
    ['connector', () => new Bug('a table is missing')],
  ])('the %s', async (waitingFor, fault) => {
    const job = await exports.addJob(tenant, purchases(tenant.companyId, 1));
    exports.platform.before = () => {
      throw fault();
    };
    await expectToWait(job, waitingFor);
  });

  it('the accounting system', async () => {
    const job = await exports.addJob(tenant, purchases(tenant.companyId, 1));
    exports.erp.failure = UNREACHABLE;
    await expectToWait(job, 'accounting-system');
  });

  async function expectToWait(job: FakeJob, waitingFor: string): Promise<void> {
    const read = () => exports.get(ExportJobReader).job(tenant.installationId, toExportJobId(job.id));
    expect(await read()).toMatchObject({ waitingFor: null, nextAttemptAt: null });
    await exports.processQueue(tenant);
    expect(await read()).toMatchObject({ waitingFor, nextAttemptAt: expect.any(Date) as unknown });
    exports.platform.restore();
    exports.erp.restore();
    await exports.processQueueAgain(tenant);
    expect(await read()).toMatchObject({ state: 'completed', waitingFor: null, nextAttemptAt: null });
  }
});

describe('a worker', () => {
  it('does not process a company that another worker owns', async () => {
    await exports.addJob(tenant, purchases(tenant.companyId, 1));
    await exports.claimOrFail(tenant);
    await exports.processQueue(tenant);
    expect(exports.platform.calls).toEqual([]);
  });

  it('that loses the company in the middle writes and reports nothing more', async () => {
    const job = await exports.addJob(tenant, purchases(tenant.companyId, 1));
    exports.erp.onPost = () => exports.stealLease(tenant);
    await exports.processQueue(tenant);
    expect(await exports.rows('export_item', job.id, 'state')).toEqual([]);
    expect(job.updates).toEqual([]);
    expect(await exports.rows('posting_intent', job.id, 'state')).toEqual([['sent']]);
    expect(await exports.claim(tenant)).toBeUndefined();
    exports.erp.restore();
    await exports.expireLease(tenant);
    await exports.processQueue(tenant);
    expect(exports.erp.posts).toEqual([]);
    expect(job.events).toEqual([{ event: 'started' }, { event: 'completed' }]);
  });

  it('that has to stop releases the company after the call in flight', async () => {
    const items = purchases(tenant.companyId, 150);
    const job = await exports.addJob(tenant, items);
    const stopping = new AbortController();
    exports.erp.onPost = () => {
      stopping.abort();
      return Promise.resolve();
    };
    await exports.processQueue(tenant, stopping.signal);
    expect(job.updates).toEqual([100]);
    expect(await exports.stateOf(job)).toBe('running');
    exports.erp.restore();
    await exports.processQueue(tenant);
    expect(exports.erp.posts.flat()).toHaveLength(50);
    expect(job.events).toEqual([{ event: 'started' }, { event: 'completed' }]);
  });
});
