import { beforeEach, describe, expect, it } from '@jest/globals';
import { CHECK_EVERY_MS } from '../../../../src/connector/exports/run/watch-running-job.js';
import { OperationsModule } from '../../../../src/connector/operations/operations.module.js';
import { PauseCustomer } from '../../../../src/connector/operations/pause-customer.js';
import type { FakeJob } from '../../../support/platform/fake-platform.js';
import { ExportsHarness, purchases, type Tenant } from './exports-harness.js';
import { startedOnce } from '../../../support/started-once.js';

// The operator holds a customer's exports: nothing is posted, nothing is lost, and no job ends without a verdict.

const exports = startedOnce(() => ExportsHarness.start(undefined, undefined, [OperationsModule]));
let tenant: Tenant;

beforeEach(async () => {
  exports.platform.restore();
  exports.erp.restore();
  tenant = await exports.addTenant();
});

const pause = (reason = 'The books are being moved.') =>
  exports.get(PauseCustomer).pause(tenant.installationId, reason);
const resume = () => exports.get(PauseCustomer).resume(tenant.installationId);
const posted = async (job: FakeJob) =>
  (await exports.rows('posting_intent', job.id, 'state')).filter(([state]) => state === 'posted').length;
const isWoken = async () => {
  const idle = await exports.database.acrossInstallations('a test', (tx) =>
    exports.stores.companyLeaseRepository.findIdle(tx, 500),
  );
  return idle.some(({ installationId }) => installationId === tenant.installationId);
};

describe('a paused customer', () => {
  it('has its jobs wait, and exported when it is resumed', async () => {
    await pause();
    const job = await exports.addJob(tenant, purchases(tenant.companyId, 3));
    // The sweep goes by the database's clock.
    await exports.admin.query(
      `UPDATE export_job SET expires_at = now() + interval '1 hour', version = version + 1 WHERE id = $1`,
      [job.id],
    );
    expect(await isWoken()).toBe(false);
    await exports.processQueue(tenant);
    expect([await exports.stateOf(job), job.events, await posted(job)]).toEqual(['detected', [], 0]);
    await resume();
    expect(await isWoken()).toBe(true);
    await exports.processQueue(tenant);
    expect([await exports.stateOf(job), await posted(job)]).toEqual(['completed', 3]);
  });

  it('gets a failed verdict with the reason ten minutes before the end of a job', async () => {
    const job = await exports.addJob(tenant, purchases(tenant.companyId, 3));
    await pause('The books are being moved.');
    exports.clock.passMinutes(49);
    await exports.processQueue(tenant);
    expect(job.events).toEqual([]);
    exports.clock.passMinutes(1);
    await exports.processQueue(tenant, undefined, 'urgent');
    expect(job.events.at(-1)).toEqual({
      event: 'failed',
      failureReasonType: 'validation_failure',
      failureReason: expect.stringContaining('paused by the operator of the connector: The books are being moved.'),
    });
    expect([await exports.stateOf(job), await posted(job)]).toEqual(['failed', 0]);
  });

  it('interrupts its running export at a safe point, and continues it later without posting anything twice', async () => {
    const job = await exports.addJob(tenant, purchases(tenant.companyId, 250));
    let isPaused = false;
    exports.erp.onPost = async () => {
      if (!isPaused) {
        isPaused = true;
        await pause();
        await exports.clock.untilRepeated(CHECK_EVERY_MS);
      }
    };
    await exports.processQueue(tenant);
    expect(await posted(job)).toBeLessThan(250);
    expect(await exports.stateOf(job)).toBe('running');
    await resume();
    // As five seconds later.
    await exports.admin.query(
      `UPDATE company_lease SET release_requested_until = '-infinity', expires_at = '-infinity'`,
    );
    await exports.processQueueAgain(tenant);
    expect([await exports.stateOf(job), await posted(job)]).toEqual(['completed', 250]);
  });

  it('is shown the last reason for the pause, and is resumed only once', async () => {
    await pause('first');
    await pause('second');
    const actions = async () =>
      (
        await exports.admin.query<object>(
          `SELECT action, reason FROM operator_action WHERE installation_id = $1 ORDER BY action, reason`,
          [tenant.installationId],
        )
      ).rows;
    expect([await resume(), await resume()]).toEqual([true, true]);
    expect(await actions()).toEqual([
      { action: 'paused', reason: 'first' },
      { action: 'paused', reason: 'second' },
      { action: 'resumed', reason: null },
    ]);
  });
});
