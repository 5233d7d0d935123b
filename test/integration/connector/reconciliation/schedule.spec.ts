import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { companyData } from '../../../../src/connector/bookkeeping/item/planning.fixtures.js';
import { ErpUnavailable } from '../../../../src/connector/erp/erp-ledger.js';
import { ReconciliationScheduleRepository } from '../../../../src/connector/reconciliation/reconciliation-schedule.repository.js';
import { History } from './history.js';

// When companies are compared: once per night and after each job, whatever the number of replicas or the downtime.

let history: History;

beforeEach(async () => {
  history = await History.start();
});
afterEach(async () => {
  await history.exports.close();
});

const runs = async () =>
  (await history.service.reader.listRuns(history.tenant.installationId, undefined, 100)).map(
    ({ kind, reason, state }) => ({ kind, reason, state }),
  );
const stop = new AbortController().signal;
const TOO_MANY_REQUESTS = { kind: 'rate-limit', message: 'too many requests', retryAfterMs: 1_800_000 } as const;
const runWindow = { kind: 'period', reason: 'schedule', state: 'requested' };

async function advanceToRunWindow(): Promise<void> {
  await history.query(`UPDATE reconciliation_schedule SET next_run_at = '2026-03-15T02:00:00Z'`);
}

describe('the nightly reconciliation', () => {
  it('is scheduled for a connected company, and requested once by any number of replicas', async () => {
    await history.service.wake();
    expect(await runs()).toEqual([]);
    expect(await history.service.reader.readStatus(history.tenant.installationId)).toMatchObject({
      timeZone: 'UTC',
      nextRunAt: new Date('2026-03-21T02:00:00Z'),
    });
    await advanceToRunWindow();
    await Promise.all([history.service.wake(), history.service.wake(), history.service.wake()]);
    expect(await runs()).toEqual([runWindow]);
  });

  it('is requested for the others when an accounting system names a time zone that there is not', async () => {
    await history.service.wake();
    history.erp.masterData = { ...companyData, timeZone: 'Mars/Olympus' };
    await history.reconcile();
    expect(await history.service.reader.readStatus(history.tenant.installationId)).toMatchObject({ timeZone: 'UTC' });
    const other = await history.exports.addTenant();
    await history.service.wake();
    await advanceToRunWindow();
    await history.query(
      `UPDATE reconciliation_schedule SET time_zone = 'Mars/Olympus' WHERE installation_id = $1`,
      history.tenant.installationId,
    );
    await history.service.wake();
    const requested = await history.service.reader.listRuns(other.installationId, undefined, 100);
    expect(requested).toMatchObject([runWindow]);
  });

  it.each(['PRT', 'IST'])(
    'keeps the time zone when the database has none, or another one, of the name %s',
    async (timeZone) => {
      await history.service.wake();
      history.erp.masterData = { ...companyData, timeZone };
      await history.reconcile();
      expect(await history.service.reader.readStatus(history.tenant.installationId)).toMatchObject({ timeZone: 'UTC' });
    },
  );

  it('is requested only for companies whose next run is due', async () => {
    const turns = history.exports.get(ReconciliationScheduleRepository);
    const dueAt = (instant: string) =>
      history.exports.database.acrossInstallations('find due reconciliations', (tx) =>
        turns.findDue(tx, new Date(instant), 10),
      );
    const { installationId } = history.tenant;
    expect(await dueAt('2026-03-20T12:00:00Z')).toEqual([installationId]);
    await history.service.wake();
    expect(await dueAt('2026-03-21T01:59:59Z')).toEqual([]);
    expect(await dueAt('2026-03-21T02:00:00Z')).toEqual([installationId]);
    await history.query(`UPDATE installation SET state = 'needs_reauthorization'`);
    expect(await dueAt('2026-03-21T02:00:00Z')).toEqual([]);
  });

  it('is started when it is due, and once', async () => {
    const turns = history.exports.get(ReconciliationScheduleRepository);
    const { installationId } = history.tenant;
    const next = { timeZone: 'UTC', nextRunAt: new Date('2026-03-22T02:00:00Z') };
    const takeAt = (instant: string) =>
      history.exports.database.inInstallation('take turn', installationId, (tx) =>
        turns.claimDue(tx, installationId, new Date(instant), next),
      );
    await history.service.wake();
    expect(await takeAt('2026-03-21T01:59:59Z')).toBe(false);
    expect(await takeAt('2026-03-21T02:00:00Z')).toBe(true);
    expect(await takeAt('2026-03-21T02:00:00Z')).toBe(false);
  });

  it('runs once after a downtime of many nights, and is not repeated in the same night', async () => {
    await history.service.wake();
    await advanceToRunWindow();
    await history.service.wake();
    await advanceToRunWindow();
    await history.service.wake();
    expect(await runs()).toEqual([runWindow]);
  });

  it('learns the time zone of the books, and runs in their night from then on', async () => {
    await history.service.wake();
    await advanceToRunWindow();
    await history.service.wake();
    await history.service.processDue(history.tenant.installationId, stop);
    expect(await runs()).toEqual([{ ...runWindow, state: 'completed' }]);
    expect(await history.service.reader.readStatus(history.tenant.installationId)).toMatchObject({
      timeZone: history.erp.masterData?.timeZone,
    });
  });

  it('is not scheduled for a company that is not connected', async () => {
    await history.query(`UPDATE installation SET state = 'needs_reauthorization'`);
    await history.service.wake();
    expect((await history.service.reader.readStatus(history.tenant.installationId)).nextRunAt).toBeNull();
  });
});

describe('the reconciliation after a job', () => {
  it('is requested once, compares that job only, and finds its discrepancies', async () => {
    const [{ job, ids }, other] = [await history.addJob(3), await history.addJob(3)];
    await history.query(`UPDATE export_job SET finished_at = now() WHERE id = $1`, job.id);
    for (const id of [ids[0] ?? '', other.ids[0] ?? '']) {
      history.erp.reverseByHand(id);
    }
    await Promise.all([history.service.wake(), history.service.wake()]);
    expect(await runs()).toEqual([{ kind: 'job', reason: 'job', state: 'requested' }]);
    await history.service.processDue(history.tenant.installationId, stop);
    expect(await history.discrepancies()).toEqual([{ class: 'reversed-in-erp', subject: ids[0], state: 'open' }]);
  });
});

describe('a company that is being processed', () => {
  it('gets no discrepancy: the run waits until the company is free', async () => {
    const { ids } = await history.addJob(2);
    history.erp.reverseByHand(ids[0] ?? '');
    const lease = await history.exports.claimOrFail(history.tenant);
    await history.reconcile();
    expect(await history.discrepancies()).toEqual([]);
    expect(await history.lastRun()).toMatchObject({ state: 'running', jobs: 0 });
    await history.exports.expireLease({ ...history.tenant, ...lease });
    await history.query(`UPDATE reconciliation_run SET next_attempt_at = now()`);
    await history.service.processDue(history.tenant.installationId, stop);
    expect(await history.discrepancies()).toMatchObject([{ class: 'reversed-in-erp', state: 'open' }]);
    expect(await history.lastRun()).toMatchObject({ state: 'completed', jobs: 1, discrepancies: 1 });
  });

  it('has its unfinished jobs skipped', async () => {
    const { job, ids } = await history.addJob(2);
    history.erp.reverseByHand(ids[0] ?? '');
    await history.query(`UPDATE export_job SET state = 'running' WHERE id = $1`, job.id);
    await history.reconcile();
    expect(await history.discrepancies()).toEqual([]);
    expect(await history.lastRun()).toMatchObject({ state: 'completed', items: 0n });
  });
});

describe('a run that is interrupted', () => {
  it('continues after the last job that was compared', async () => {
    for (let jobs = 0; jobs < 3; jobs += 1) {
      await history.addJob(2);
    }
    let inspections = 0;
    const inspect = history.erp.inspect.bind(history.erp);
    history.erp.inspect = (company, keys) => {
      inspections += 1;
      history.erp.failure = inspections === 5 ? { kind: 'unreachable', message: 'connection refused' } : undefined;
      return inspect(company, keys);
    };
    await history.reconcile();
    expect(await history.lastRun()).toMatchObject({ state: 'running', jobs: 2, items: 4n });
    await history.query(`UPDATE reconciliation_run SET next_attempt_at = now()`);
    history.erp.failure = undefined;
    await history.service.processDue(history.tenant.installationId, stop);
    expect(await history.lastRun()).toMatchObject({ state: 'completed', jobs: 3, items: 6n });
    // Two of each job, for its comparison and its certificate, and the one that failed.
    expect(inspections).toBe(7);
  });

  it('waits as long as the accounting system asks for', async () => {
    await history.addJob(1);
    history.erp.inspect = () => Promise.reject(new ErpUnavailable(TOO_MANY_REQUESTS));
    await history.reconcile();
    const { rows } = await history.exports.admin.query(
      `SELECT next_attempt_at > clock_timestamp() + interval '29 minutes' AS "waitsLong" FROM reconciliation_run`,
    );
    expect(rows).toEqual([{ waitsLong: true }]);
  });
});
