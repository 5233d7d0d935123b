import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { InvalidPlatformResponse } from '../../../../src/connector/platform/platform-error.js';
import { History, PERIOD } from './history.js';

// Two workers compare at the same time: what one run sees is not closed by another one that has looked before. And a run whose
// repair lost its answer.

const NEVER = new AbortController().signal;
let history: History;
let jobId: string;
let id: string;

beforeEach(async () => {
  history = await History.start();
  const { job, ids } = await history.addJob(3);
  jobId = job.id;
  id = ids[1] ?? '';
});
afterEach(async () => {
  await history.exports.close();
});

const drift = () => {
  history.erp.store.change(id, (entry) => ({
    ...entry,
    lines: entry.lines.map((line) => ({ ...line, amountMinor: line.amountMinor * 2n })),
  }));
};

/** After a run has compared the jobs, and before it ends. */
function whileRunning(work: () => Promise<void>): void {
  const list = history.erp.listGroups.bind(history.erp);
  history.erp.listGroups = async (...call) => {
    history.erp.listGroups = list;
    await work();
    return list(...call);
  };
}

async function compareJob(): Promise<void> {
  const { installationId } = history.tenant;
  await history.service.request(installationId, { exportJobId: jobId });
  await history.service.processDue(installationId, NEVER);
}

describe('a run beside another one', () => {
  it('does not close what both have seen', async () => {
    drift();
    whileRunning(() => history.reconcile());
    await history.reconcile();
    expect(await history.discrepancies()).toEqual([{ class: 'amount-drift', subject: id, state: 'open' }]);
  });

  it('does not close what the other one has found since', async () => {
    whileRunning(async () => {
      drift();
      await compareJob();
    });
    await history.reconcile();
    expect(await history.discrepancies()).toEqual([{ class: 'amount-drift', subject: id, state: 'open' }]);
  });

  it('leaves it to the next one to close what is gone', async () => {
    drift();
    whileRunning(() => history.reconcile());
    await history.reconcile();
    history.erp.store.change(id, (entry) => ({
      ...entry,
      lines: entry.lines.map((line) => ({ ...line, amountMinor: line.amountMinor / 2n })),
    }));
    await history.reconcile();
    expect(await history.discrepancies()).toEqual([{ class: 'amount-drift', subject: id, state: 'repaired' }]);
  });

  it('does not make the other one certify a job without its discrepancies', async () => {
    drift();
    const inspect = history.erp.inspect.bind(history.erp);
    let inspections = 0;
    history.erp.inspect = async (...call) => {
      inspections += 1;
      // Compared twice, the second time as the company's owner; then certified.
      if (inspections === 3) {
        await history.service.request(history.tenant.installationId, { period: PERIOD });
        history.erp.inspect = inspect;
        await history.query(
          `UPDATE reconciliation_run SET next_attempt_at = now() + '1 hour' WHERE state = 'requested'`,
        );
        await history.query(
          `UPDATE discrepancy SET last_seen_run = (SELECT id FROM reconciliation_run WHERE state = 'requested')`,
        );
      }
      return inspect(...call);
    };
    await history.compareEnded(jobId);
    const { rows } = await history.exports.admin.query(`SELECT discrepancies FROM certificate`);
    expect(rows).toEqual([{ discrepancies: 1 }]);
  });
});

describe('a lost answer', () => {
  it.each(['started', 'completed'] as const)(
    'to a repeated “%s” does not fail the run: the job is read',
    async (lost) => {
      const { platform } = history.exports;
      const job = platform.jobs.get(jobId);
      Object.assign(job ?? {}, { status: lost === 'started' ? 'pending' : 'in_progress' });
      let answers = 0;
      platform.after = (call) => {
        if (call === lost && answers++ === 0) {
          throw new InvalidPlatformResponse('a page of a proxy');
        }
      };
      await history.reconcile();
      expect([job?.status, platform.calls.filter((call) => call === lost)]).toEqual(['completed', [lost]]);
      expect(await history.discrepancies()).toEqual([
        { class: 'verdict-not-delivered', subject: jobId, state: 'repaired' },
      ]);
    },
  );
});
