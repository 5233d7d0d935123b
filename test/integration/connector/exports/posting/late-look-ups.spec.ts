import { beforeEach, describe, expect, it } from '@jest/globals';
import { losesRequest, NO_RESPONSE, postsWithoutResponse, UNREACHABLE } from '../../../../support/fake-erp.js';
import { ExportsHarness } from '../exports-harness.js';
import { LeveledErp } from './leveled-erp.js';
import { WakeDueExports } from '../../../../../src/connector/exports/run/wake-due-exports.js';
import { startedOnce } from '../../../../support/started-once.js';

// What is found out of a posting after its job has ended, and what a job says of what another one has posted.

const exports = startedOnce(() => ExportsHarness.start());
let leveled: LeveledErp;

beforeEach(async () => {
  leveled = await LeveledErp.of(exports, 'permanent-key');
});

/** A job that ended while the ERP was away after an unknown post. */
async function endInDoubt(script = postsWithoutResponse) {
  const { entry, erp } = leveled;
  erp.script.push(script);
  erp.lookUpFailure = NO_RESPONSE;
  const job = await entry.exportOf(entry.original());
  exports.clock.passMinutes(51);
  await entry.processQueueAgain();
  expect(entry.reasonIn(job)).toContain('Whether it is in the books could not be asked');
  expect(await exports.stateOf(job)).toBe('failed');
  erp.calls.length = 0;
  return job;
}

const nextLookUp = async () =>
  (
    await exports.admin.query<{ minutes: number }>(
      `SELECT round(extract(epoch FROM look_up_at - now()) / 60)::int AS minutes FROM uncertain_posting
       WHERE accounting_entry_id = $1`,
      [leveled.entry.id],
    )
  ).rows[0]?.minutes;

describe('a posting that its job has left in doubt', () => {
  it.each([
    ['found', postsWithoutResponse, ['posted', true], 0],
    ['surely not there', losesRequest, ['rejected', false], 1],
  ] as const)('is looked up later: %s', async (_, script, intent, posts) => {
    await endInDoubt(script);
    leveled.erp.lookUpFailure = undefined;
    await leveled.settle();
    expect(leveled.entry.calls).toEqual(['find']);
    expect(await leveled.intent()).toEqual(intent);
    const { entry, erp } = leveled;
    const again = await entry.exportOf(entry.original());
    expect(again.events.at(-1)).toEqual({ event: 'completed' });
    expect(erp.posts).toHaveLength(posts);
    expect(erp.standing(entry.id)).toBe(1);
  });

  it('that the next export finds is a late effect too', async () => {
    await endInDoubt();
    leveled.erp.lookUpFailure = undefined;
    const { entry } = leveled;
    const again = await entry.exportOf(entry.original());
    expect(again.results.get(entry.id)?.status).toBe('successful');
    expect(await leveled.intent()).toEqual(['posted', true]);
  });

  it.each([
    [0, 1],
    [10, 10],
    [600, 60],
  ])('for %d minutes is looked up again after %d more while the ERP is unavailable', async (minutes, pause) => {
    await endInDoubt();
    leveled.erp.failure = UNREACHABLE;
    await leveled.passMinutes(minutes);
    await leveled.settle();
    await leveled.settle();
    expect(leveled.entry.calls).toEqual(['find']);
    expect(await leveled.intent()).toEqual(['uncertain', false]);
    expect(await nextLookUp()).toBe(pause);
  });

  it('wakes a worker of its company, which has access to its ERP', async () => {
    const { entry } = leveled;
    const woken = async () => {
      await exports.admin.query(`DELETE FROM pgboss.job WHERE name = 'look-up-in-doubt-postings'`);
      await exports.get(WakeDueExports).wakeLookUps();
      const { rows } = await exports.admin.query<{ data: unknown }>(
        `SELECT data FROM pgboss.job WHERE name = 'look-up-in-doubt-postings' AND data ->> 'installationId' = $1`,
        [entry.tenant.installationId],
      );
      return rows;
    };
    leveled.erp.script.push(postsWithoutResponse);
    leveled.erp.lookUpFailure = NO_RESPONSE;
    const job = await entry.exportOf(entry.original());
    expect(await woken()).toEqual([]);
    job.status = 'cancelled';
    await entry.processQueueAgain();
    expect(await woken()).toEqual([{ data: entry.tenant }]);
    leveled.erp.lookUpFailure = undefined;
    await leveled.settle();
    expect(await woken()).toEqual([]);
  });

  it('needs manual review when its ERP can no longer be searched', async () => {
    await endInDoubt();
    leveled.erp.guarantee = { level: 'none' };
    await leveled.settle();
    expect(leveled.entry.calls).toEqual([]);
    expect(await leveled.intent()).toEqual(['uncertain', false]);
    expect(await nextLookUp()).toBeGreaterThanOrEqual(1);
  });

  it('is not looked up while another worker owns the company', async () => {
    await endInDoubt();
    const lease = await exports.claimOrFail(leveled.entry.tenant);
    await leveled.settle();
    expect(leveled.entry.calls).toEqual([]);
    await exports.database.inInstallation('release', lease.installationId, (tx) =>
      exports.stores.companyLeaseRepository.release(tx, lease),
    );
    leveled.erp.lookUpFailure = undefined;
    await leveled.settle();
    expect(await leveled.intent()).toEqual(['posted', true]);
  });
});

describe('a job that is given up', () => {
  it('does not report as exported what an earlier job has posted and this one has not compared', async () => {
    const { entry, erp } = leveled;
    await entry.exportOf(entry.original());
    const job = await exports.addJob(entry.tenant, [entry.changed()]);
    erp.failure = UNREACHABLE;
    await entry.processQueueAgain();
    exports.clock.passMinutes(51);
    await entry.processQueueAgain();
    expect(job.results.get(entry.id)?.status ?? 'none').not.toBe('successful');
    expect(job.events.at(-1)).toMatchObject({ event: 'failed' });
  });

  it('states of such an entry what the books have', async () => {
    const { entry } = leveled;
    await entry.exportOf(entry.original());
    const missing = entry.changed();
    const job = await exports.addJob(entry.tenant, [missing, entry.other()]);
    job.data.shift();
    await entry.processQueueAgain();
    expect(job.results.get(entry.id)?.status).toBe('failed');
    expect(entry.reasonIn(job)).toContain(
      `Until then the books have it as it was exported before (${entry.externalId}).`,
    );
  });

  it('does not report as exported what a look-up finds of an earlier job', async () => {
    const { entry, erp } = leveled;
    erp.script.push(postsWithoutResponse);
    erp.lookUpFailure = NO_RESPONSE;
    const first = await entry.exportOf(entry.original());
    first.status = 'cancelled';
    const job = await exports.addJob(entry.tenant, [entry.changed(), entry.other()]);
    job.data.shift();
    erp.lookUpFailure = undefined;
    await entry.processQueueAgain();
    expect(entry.reasonIn(job)).toContain(`the books have it as it was exported before (${entry.externalId})`);
  });

  it('reports what it has posted itself', async () => {
    const { entry, erp } = leveled;
    const record = exports.stores.exportItemRepository.record.bind(exports.stores.exportItemRepository);
    exports.stores.exportItemRepository.record = () => {
      exports.stores.exportItemRepository.record = record;
      throw new Error('killed');
    };
    const job = await entry.exportOf(entry.original());
    expect([erp.standing(entry.id), job.results.size]).toEqual([1, 0]);
    exports.clock.passMinutes(51);
    await entry.processQueueAgain();
    expect(job.results.get(entry.id)).toMatchObject({ status: 'successful', externalId: entry.externalId });
  });
});
