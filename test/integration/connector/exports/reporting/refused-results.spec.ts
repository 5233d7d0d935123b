// A platform that keeps the job open and refuses requests with results: the job gets its verdict before it expires.
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { PlatformRefusal } from '../../../../../src/connector/platform/platform-error.js';
import type { FakeJob } from '../../../../support/platform/fake-platform.js';
import { startedOnce } from '../../../../support/started-once.js';
import { ExportsHarness, purchases, type Tenant } from '../exports-harness.js';

const exports = startedOnce(() => ExportsHarness.start());
let tenant: Tenant;

beforeEach(async () => {
  exports.platform.restore();
  exports.erp.restore();
  tenant = await exports.addTenant();
});

afterEach(() => {
  jest.restoreAllMocks();
});

/** The platform refuses each request that has a result of these entries. */
function refuseResultsOf(entries: (job: FakeJob) => readonly string[], status: number): void {
  const { platform } = exports;
  const update = platform.updateJobItems.bind(platform);
  jest.spyOn(platform, 'updateJobItems').mockImplementation(async (auth, jobId, results) => {
    const job = platform.jobs.get(jobId);
    const refused = job === undefined ? [] : entries(job);
    if (results.some(({ accountingEntryId }) => refused.includes(accountingEntryId))) {
      throw new PlatformRefusal(status, 'NOT_TAKEN', 'not taken', undefined);
    }
    return update(auth, jobId, results);
  });
}

async function untilMinute(last: number): Promise<void> {
  await exports.processQueue(tenant);
  for (let minute = 0; minute < last; minute += 5) {
    exports.clock.passMinutes(5);
    await exports.processQueueAgain(tenant);
  }
}

const idsOf = (job: FakeJob) => [...job.statuses.keys()];

describe('a platform that refuses all results of an open job', () => {
  it.each([400, 404, 409, 410, 422])('with %s has the verdict when the time for posting is over', async (status) => {
    const job = await exports.addJob(tenant, purchases(tenant.companyId, 3));
    refuseResultsOf(idsOf, status);
    await untilMinute(45);
    expect([job.status, await exports.stateOf(job)]).toEqual(['in_progress', 'running']);
    exports.clock.passMinutes(6);
    await exports.processQueueAgain(tenant);
    expect(job.events).toEqual([{ event: 'started' }, { event: 'completed' }]);
    expect(await exports.stateOf(job)).toBe('completed');
    expect(await exports.rows('export_item', job.id, 'report_problem')).toEqual(
      Array.from({ length: 3 }, () => [expect.stringContaining('not taken')]),
    );
    expect(exports.erp.posts.flat()).toEqual(idsOf(job));
  });
});

describe('a platform that refuses a whole request for one result of it', () => {
  it('has the others, and the verdict, at once', async () => {
    const job = await exports.addJob(tenant, purchases(tenant.companyId, 650));
    const [, odd = ''] = idsOf(job);
    refuseResultsOf(() => [odd], 400);
    await exports.processQueue(tenant);
    expect(await exports.stateOf(job)).toBe('completed');
    expect(exports.erp.posts.flat()).toHaveLength(650);
    expect([...job.results.keys()].toSorted()).toEqual(
      idsOf(job)
        .filter((id) => id !== odd)
        .toSorted(),
    );
  });
});
