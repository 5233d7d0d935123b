import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { CHECK_EVERY_MS } from '../../../../src/connector/exports/run/watch-running-job.js';
import type { FakeJob } from '../../../support/platform/fake-platform.js';
import { ExportsHarness, purchases, type Tenant } from './exports-harness.js';
import { WakeDueExports } from '../../../../src/connector/exports/run/wake-due-exports.js';
import { startedOnce } from '../../../support/started-once.js';

const exports = startedOnce(() => ExportsHarness.start());
let tenant: Tenant;

beforeEach(async () => {
  exports.platform.restore();
  exports.erp.restore();
  tenant = await exports.addTenant();
});
afterEach(async () => {
  // Nothing is left that the next test's companies would have to wait for.
  await exports.admin.query(
    `UPDATE export_job SET state = 'closed_by_platform', version = version + 1
     WHERE state IN ('detected', 'running', 'verdict_decided')`,
  );
  await exports.admin.query('DELETE FROM pgboss.job');
});

/** A job of one item, so many minutes old. */
async function addJob(age: number, owner = tenant, items = 1): Promise<FakeJob> {
  const createdAt = new Date(exports.clock.now().getTime() - age * 60_000);
  return exports.addJob(owner, purchases(owner.companyId, items), { createdAt });
}

async function pause(job: FakeJob, seconds: number): Promise<void> {
  await exports.admin.query(
    `UPDATE export_job SET next_run_at = clock_timestamp() + make_interval(secs => $2), version = version + 1 WHERE id = $1`,
    [job.id, seconds],
  );
}

async function endsIn(job: FakeJob, minutes: number): Promise<void> {
  job.lastUpdatedAt = new Date(exports.clock.now().getTime() + (minutes - 60) * 60_000);
  const end = new Date(exports.clock.now().getTime() + minutes * 60_000);
  await exports.admin.query(`UPDATE export_job SET expires_at = $2, version = version + 1 WHERE id = $1`, [
    job.id,
    end,
  ]);
}

/** Jobs in the order in which something of them was posted, in batches of whatever size. */
function order(...jobs: readonly FakeJob[]): readonly number[] {
  const all = exports.erp.posts.map(([key = '']) => jobs.findIndex((job) => job.statuses.has(key)));
  return all.filter((job, index) => job !== all[index - 1]);
}

interface WaitingTask {
  readonly companyId: string;
  readonly kind: string;
}

/** To run jobs. */
async function waitingTasks(): Promise<readonly WaitingTask[]> {
  const { rows } = await exports.admin.query<WaitingTask>(
    `SELECT data ->> 'companyId' AS "companyId", name AS kind FROM pgboss.job
     WHERE state = 'created' AND name LIKE 'run-%-export-jobs' ORDER BY created_on`,
  );
  return rows;
}

describe('the jobs of one company', () => {
  it('are processed oldest first', async () => {
    const young = await addJob(1);
    const old = await addJob(2);
    await exports.processQueue(tenant);
    expect(order(old, young)).toEqual([0, 1]);
  });

  it('do not wait for one that pauses for long', async () => {
    const old = await addJob(2);
    const young = await addJob(1);
    await pause(old, 30);
    await exports.processQueue(tenant);
    expect(order(old, young)).toEqual([1]);
    expect([await exports.stateOf(old), await exports.stateOf(young)]).toEqual(['detected', 'completed']);
  });

  it('wait for one that pauses briefly', async () => {
    const old = await addJob(2);
    const young = await addJob(1);
    await pause(old, 8);
    await exports.processQueue(tenant);
    expect(order(old, young)).toEqual([]);
    await pause(old, 0);
    await exports.processQueue(tenant);
    expect(order(old, young)).toEqual([0, 1]);
  });

  it('run after one that has started', async () => {
    const old = await addJob(2);
    const young = await addJob(1);
    await exports.admin.query(
      `UPDATE export_job SET state = 'running', mapping_version = 1, erp_company_id = $2, version = version + 1 WHERE id = $1`,
      [young.id, exports.erp.companyId],
    );
    young.status = 'in_progress';
    await exports.processQueue(tenant);
    expect(order(old, young)).toEqual([1, 0]);
  });

  it('run after one that is near its end, whichever has started', async () => {
    const old = await addJob(30);
    const near = await addJob(20);
    await endsIn(near, 19);
    await exports.processQueue(tenant);
    expect(order(old, near)).toEqual([1, 0]);
  });

  it('near their ends run in the order of these', async () => {
    const second = await addJob(30);
    const first = await addJob(20);
    await endsIn(second, 18);
    await endsIn(first, 15);
    await exports.processQueue(tenant);
    expect(order(first, second)).toEqual([0, 1]);
  });
});

describe('the lane of a company', () => {
  it('for short jobs is left before a long job, which gets the long lane', async () => {
    const short = await addJob(2);
    const long = await addJob(1, tenant, 1_001);
    await exports.processQueue(tenant, undefined, 'short');
    expect(order(short, long)).toEqual([0]);
    expect(await waitingTasks()).toEqual([{ companyId: tenant.companyId, kind: 'run-long-export-jobs' }]);
    expect(await exports.rows('export_job', long.id, 'attempts')).toEqual([[0]]);
    await exports.processQueue(tenant, undefined, 'long');
    expect(await exports.stateOf(long)).toBe('completed');
  });

  it('for urgent jobs is left before a job that has time', async () => {
    const near = await addJob(30);
    const later = await addJob(20);
    await endsIn(near, 19);
    await exports.processQueue(tenant, undefined, 'urgent');
    expect(order(near, later)).toEqual([0]);
    expect(await waitingTasks()).toEqual([{ companyId: tenant.companyId, kind: 'run-short-export-jobs' }]);
  });
});

describe('a long run', () => {
  it('is preempted by a job that is near its end, and resumes after it', async () => {
    const long = await addJob(1, tenant, 1_500);
    let near: FakeJob | undefined;
    exports.erp.onPost = async () => {
      if (near === undefined) {
        near = await addJob(42);
        await untilNoticed(near);
      }
    };
    await exports.processQueue(tenant);
    expect(near).toBeDefined();
    expect(order(long, ...(near === undefined ? [] : [near]))).toEqual([0, 1, 0]);
    expect(long.events).toEqual([{ event: 'started' }, { event: 'completed' }]);
    expect(near?.events).toEqual([{ event: 'started' }, { event: 'completed' }]);
    expect(await exports.rows('export_job', long.id, 'attempts')).toEqual([[2]]);
  });

  it('is not preempted by one that has time', async () => {
    const long = await addJob(1, tenant, 1_500);
    let other: FakeJob | undefined;
    exports.erp.onPost = async () => {
      if (other === undefined) {
        other = await addJob(38);
        await untilNoticed(other);
      }
    };
    await exports.processQueue(tenant);
    expect(order(long, ...(other === undefined ? [] : [other]))).toEqual([0, 1]);
  });
});

describe('many companies', () => {
  it('are woken in the order of their nearest end, on the urgent lane when it is near', async () => {
    const [first, second, third] = [tenant, await exports.addTenant(), await exports.addTenant()];
    await addJob(1, first);
    await addJob(45, second);
    await addJob(5, third);
    await exports.get(WakeDueExports).wakeIdleCompanies();
    expect(await waitingTasks()).toEqual([
      { companyId: second.companyId, kind: 'run-urgent-export-jobs' },
      { companyId: third.companyId, kind: 'run-short-export-jobs' },
      { companyId: first.companyId, kind: 'run-short-export-jobs' },
    ]);
  });

  it('have their long jobs on a lane that short jobs do not use', async () => {
    const other = await exports.addTenant();
    await addJob(5, tenant, 1_000);
    await addJob(1, other, 1_001);
    await exports.get(WakeDueExports).wakeIdleCompanies();
    expect(await waitingTasks()).toEqual([
      { companyId: tenant.companyId, kind: 'run-short-export-jobs' },
      { companyId: other.companyId, kind: 'run-long-export-jobs' },
    ]);
  });

  it('with one job each do not wait for all jobs of another one', async () => {
    const other = await exports.addTenant();
    const many = [await addJob(9), await addJob(8), await addJob(7)];
    const single = await addJob(1, other);
    await exports.processQueue(tenant);
    expect(order(...many, single)).toEqual([0]);
    expect(await waitingTasks()).toEqual([{ companyId: tenant.companyId, kind: 'run-short-export-jobs' }]);
    await exports.processQueue(other);
    await exports.processQueue(tenant);
    expect(order(...many, single)).toEqual([0, 3, 1, 2]);
  });
});

/** The run has looked for nearer jobs since this one was announced; FakeClock lets it do so without waiting. */
async function untilNoticed(job: FakeJob): Promise<void> {
  await exports.clock.untilRepeated(CHECK_EVERY_MS);
  expect(await exports.stateOf(job)).toBe('detected');
}
