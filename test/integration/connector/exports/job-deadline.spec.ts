import { beforeEach, describe, expect, it } from '@jest/globals';
import { NoResponse } from '../../../../src/foundation/http/client/http-client.js';
import { CHECK_EVERY_MS } from '../../../../src/connector/exports/run/watch-running-job.js';
import { InvalidPlatformResponse, PlatformRefusal } from '../../../../src/connector/platform/platform-error.js';
import { UNREACHABLE } from '../../../support/fake-erp.js';
import type { FakeJob } from '../../../support/platform/fake-platform.js';
import { ExportsHarness, purchases, type Tenant } from './exports-harness.js';
import { startedOnce } from '../../../support/started-once.js';

const exports = startedOnce(() => ExportsHarness.start());
let tenant: Tenant;

beforeEach(async () => {
  exports.platform.restore();
  exports.erp.restore();
  tenant = await exports.addTenant();
});

const minutesOf = (job: FakeJob) => (exports.clock.now().getTime() - job.createdAt.getTime()) / 60_000;

/**
 * Tries the job once a minute until it has ended.
 * @returns the minute of its life in which its last event was accepted
 */
async function minuteOfVerdict(job: FakeJob, eachMinute: (minute: number) => Promise<void>): Promise<number> {
  while (minutesOf(job) <= 130) {
    await eachMinute(minutesOf(job));
    await exports.processQueueAgain(tenant);
    if (job.events.at(-1)?.event !== 'started' && job.events.length > 0) {
      return minutesOf(job);
    }
    exports.clock.passMinutes(1);
  }
  throw new Error('the job has no verdict after more than two hours');
}

function platformIsAway(): void {
  exports.platform.before = () => {
    throw new NoResponse('connection refused', false);
  };
}

const nothing = () => Promise.resolve();
const UNREACHED = { event: 'failed', failureReasonType: 'accounting_system_unreachable' };

describe('a job whose ERP is unavailable for the whole hour', () => {
  it('fails with the reason, ten minutes before its end', async () => {
    const job = await exports.addJob(tenant, purchases(tenant.companyId, 3));
    exports.erp.failure = UNREACHABLE;
    expect(await minuteOfVerdict(job, nothing)).toBe(50);
    expect(job.events.at(-1)).toMatchObject({
      ...UNREACHED,
      failureReason: expect.stringContaining('Check that it runs'),
    });
    expect(await exports.stateOf(job)).toBe('failed');
  });

  it('fails in time even if its worker crashed during the run', async () => {
    const job = await exports.addJob(tenant, purchases(tenant.companyId, 3));
    exports.erp.failure = UNREACHABLE;
    const minute = await minuteOfVerdict(job, async (now) => {
      if (now === 49) {
        // A worker that claimed the company and was never heard of again; no other comes in until its lease is over.
        await exports.claimOrFail(tenant);
      }
      if (now === 51) {
        await exports.expireLease(tenant);
      }
    });
    expect(minute).toBe(51);
    expect(job.events).toEqual([{ event: 'started' }, expect.objectContaining(UNREACHED)]);
  });

  it('fails at once when the platform recovers six minutes before the end', async () => {
    const job = await exports.addJob(tenant, purchases(tenant.companyId, 3));
    exports.erp.failure = UNREACHABLE;
    platformIsAway();
    const minute = await minuteOfVerdict(job, (now) => {
      if (now === 54) {
        exports.platform.restore();
      }
      return Promise.resolve();
    });
    expect(minute).toBe(54);
    expect(job.events).toEqual([{ event: 'started' }, expect.objectContaining(UNREACHED)]);
  });

  it('that began late has the full hour that the platform confirms', async () => {
    const job = await exports.addJob(tenant, purchases(tenant.companyId, 3));
    exports.erp.failure = UNREACHABLE;
    platformIsAway();
    const minute = await minuteOfVerdict(job, (now) => {
      if (now === 54) {
        exports.platform.restore();
        exports.platform.prolongs = true;
      }
      if (now === 70) {
        exports.erp.restore();
      }
      return Promise.resolve();
    });
    expect(minute).toBe(70);
    expect(job.events).toEqual([{ event: 'started' }, { event: 'completed' }]);
  });
});

describe('a job whose entries the platform does not give for the whole hour', () => {
  const REFUSED = new PlatformRefusal(403, 'FORBIDDEN', 'the right to read entries is missing', undefined);

  it.each([
    ['refused the entries of this export: the right to read entries is missing for', REFUSED],
    ['refused the entries of this export with code 403', new PlatformRefusal(403, '', '', undefined)],
    ['refused the entries of this export: not now', new PlatformRefusal(422, 'INVALID_STATE', 'not now', undefined)],
    ['answered with something other than the entries', new InvalidPlatformResponse('not JSON')],
    ['did not answer when it was asked', new NoResponse('timeout', true)],
    ['The connector failed by an error of its own', new TypeError('a mistake of ours')],
  ])('fails in time: %s', async (reason, error) => {
    const job = await exports.addJob(tenant, purchases(tenant.companyId, 3));
    exports.platform.before = (call) => {
      if (call === 'item-data') {
        throw error;
      }
    };
    expect(await minuteOfVerdict(job, nothing)).toBe(50);
    expect(job.events.at(-1)).toMatchObject({
      event: 'failed',
      failureReasonType: 'validation_failure',
      failureReason: expect.stringContaining(reason),
    });
    expect(await exports.stateOf(job)).toBe('failed');
    expect(exports.erp.posts).toEqual([]);
  });

  it('keeps as exported what is posted, and the verdict says that the rest is missing', async () => {
    const job = await exports.addJob(tenant, purchases(tenant.companyId, 250));
    let pages = 0;
    exports.platform.before = (call) => {
      pages += call === 'item-data' ? 1 : 0;
      if (call === 'job-items' || (call === 'item-data' && pages > 1)) {
        throw REFUSED;
      }
    };
    expect(await minuteOfVerdict(job, nothing)).toBe(50);
    expect(job.events.at(-1)).toEqual({ event: 'completed_with_errors' });
    expect([...job.results.values()].map(({ status }) => status)).toEqual(Array(100).fill('successful'));
    expect(exports.erp.posts.flat()).toHaveLength(100);
  });
});

describe('the pauses of a job that cannot continue', () => {
  async function pauseAfter(message: string): Promise<number> {
    exports.erp.failure = { kind: 'server-error', message };
    await exports.processQueueAgain(tenant);
    const { rows } = await exports.admin.query<{ readonly seconds: number }>(
      `SELECT extract(epoch FROM next_run_at - clock_timestamp())::float8 AS seconds FROM export_job
       WHERE installation_id = $1`,
      [tenant.installationId],
    );
    return Math.ceil(rows[0]?.seconds ?? 0);
  }

  it('grow with the failures, not with the attempts', async () => {
    await exports.addJob(tenant, purchases(tenant.companyId, 1));
    const pauses: number[] = [];
    for (const call of ['companies', 'accounts', 'vendors', 'vendors', 'vendors', 'rates', 'entries', 'entries']) {
      pauses.push(await pauseAfter(`GET /${call}: 500`));
    }
    expect(pauses).toEqual([2, 2, 2, 4, 8, 2, 2, 4]);
  });

  it('start again after progress, and never exceed a minute', async () => {
    const job = await exports.addJob(tenant, purchases(tenant.companyId, 1));
    const pauses: number[] = [];
    for (let run = 0; run < 7; run += 1) {
      pauses.push(await pauseAfter('down'));
    }
    expect(pauses).toEqual([2, 4, 8, 16, 32, 60, 60]);
    await exports.admin.query(
      `INSERT INTO outbox (installation_id, export_job_id, seq, kind, body, created_at, delivered_at)
       VALUES ($1, $2, 99, 'items', '[]', now(), now())`,
      [tenant.installationId, job.id],
    );
    expect(await pauseAfter('down')).toBe(2);
  });
});

describe('a run that lasts longer than the hour', () => {
  const ITEMS = 1_600;
  const ITEMS_A_MINUTE = 20;
  const STEP_MINUTES = 5;

  /** Eighty minutes in all, in batches of whatever size. */
  async function runSlowly(job: FakeJob): Promise<void> {
    exports.erp.onPost = async (groups) => {
      // However slow the machine is: what was posted before is reported within these minutes.
      const earlier = exports.erp.posts.slice(0, -1).flat().length;
      while (job.results.size < earlier) {
        await new Promise((resolve) => setImmediate(resolve));
      }
      for (let left = groups.length / ITEMS_A_MINUTE; left > 0; left -= STEP_MINUTES) {
        exports.clock.passMinutes(Math.min(left, STEP_MINUTES));
        await exports.clock.untilRepeated(CHECK_EVERY_MS);
      }
    };
    await exports.processQueue(tenant);
    expect(job.events).toHaveLength(2);
  }

  it('continues to the end when the platform has moved the end of the job', async () => {
    exports.platform.prolongs = true;
    const job = await exports.addJob(tenant, purchases(tenant.companyId, ITEMS));
    await runSlowly(job);
    expect(job.events.at(-1)).toEqual({ event: 'completed' });
    expect(exports.erp.posts.flat()).toHaveLength(ITEMS);
  });

  it('stops in time when the platform has not moved the end', async () => {
    const job = await exports.addJob(tenant, purchases(tenant.companyId, ITEMS));
    await runSlowly(job);
    expect(job.events.at(-1)).toEqual({ event: 'completed_with_errors' });
    // What was begun before the fiftieth minute is ended, nothing is begun after it.
    expect(exports.erp.posts.flat().length).toBeGreaterThanOrEqual(50 * ITEMS_A_MINUTE);
    expect(exports.erp.posts.flat().length).toBeLessThan(ITEMS);
    expect(exports.erp.posts.slice(0, -1).flat().length).toBeLessThan(50 * ITEMS_A_MINUTE);
  });
});

describe('a job whose hour is over by the last response of the platform', () => {
  it('does not expire while something accepted later may have moved its end', async () => {
    const job = await exports.addJob(tenant, purchases(tenant.companyId, 1));
    exports.platform.prolongs = true;
    exports.erp.onPost = () => {
      exports.clock.passMinutes(30);
      return Promise.resolve();
    };
    // The result was accepted after half an hour, then the platform went away.
    exports.platform.after = (call) => {
      if (call === 'update-items') {
        platformIsAway();
      }
    };
    await exports.processQueue(tenant);
    expect(await exports.stateOf(job)).toBe('verdict_decided');
    exports.clock.passMinutes(40);
    await exports.processQueueAgain(tenant);
    expect(await exports.stateOf(job)).toBe('verdict_decided');
    exports.clock.passMinutes(22);
    await exports.processQueueAgain(tenant);
    expect(await exports.stateOf(job)).toBe('expired');
  });
});
