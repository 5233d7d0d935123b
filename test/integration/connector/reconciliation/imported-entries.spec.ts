import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { ReplayJob } from '../../../../src/connector/reconciliation/certificates/replay-job.js';
import { FakeErp } from '../../../support/fake-erp.js';
import { OneErp } from '../../../support/one-erp.js';
import { History } from './history.js';

// An entry that stands in the books and had no record: ours from then on, held to what it was when it was found.

let history: History;
let jobId: string;
let id: string;

beforeEach(async () => {
  history = await History.start();
  const { job, ids } = await history.addJob(3);
  [jobId, id] = [job.id, ids[1] ?? ''];
  await history.query(`DELETE FROM posting_intent WHERE accounting_entry_id = $1`, id);
});
afterEach(async () => {
  await history.exports.close();
});

/** The state of each discrepancy that was ever found. */
async function discrepancies(): Promise<readonly string[]> {
  const found = await history.discrepancies();
  return found.map(({ class: kind, state }) => `${kind} ${state}`);
}

it('an imported entry has no discrepancy while the books are unchanged', async () => {
  await history.reconcile();
  await history.reconcile();
  expect(await discrepancies()).toEqual(['posted-not-recorded repaired']);
});

it('an imported entry is reported as drifted when its amount is changed afterwards', async () => {
  await history.reconcile();
  history.erp.store.change(id, (entry) => ({
    ...entry,
    lines: entry.lines.map((line) => ({ ...line, amountMinor: line.amountMinor * 2n })),
  }));
  await history.reconcile();
  expect(await discrepancies()).toEqual(['amount-drift open', 'posted-not-recorded repaired']);
});

it('an imported entry is reported as drifted when its date, account or dimensions are changed afterwards', async () => {
  history.erp.store.change(id, (entry) => ({
    ...entry,
    lines: entry.lines.map((line) => ({ ...line, dimensions: { department: 'sales' } })),
  }));
  await history.reconcile();
  history.erp.store.change(id, (entry) => ({
    ...entry,
    postingDate: '2026-03-05' as typeof entry.postingDate,
    lines: entry.lines.map((line, index) => ({
      ...line,
      accountCode: index === 0 ? '5420' : line.accountCode,
      dimensions: {},
    })),
  }));
  await history.reconcile();
  expect((await discrepancies()).filter((each) => each.endsWith('drift open'))).toEqual([
    'account-drift open',
    'date-drift open',
    'dimension-drift open',
  ]);
});

it('an imported entry is in the totals of its month', async () => {
  await history.reconcile();
  const report = await history.service.monthEnd(history.tenant.installationId, '2026-03');
  expect(report?.accounts.reduce((sum, { ours }) => sum + ours.debitMinor, 0n)).toBe(30_000n);
});

it('an imported entry is certified as it was found, and counted by a replay that cannot post it', async () => {
  await history.compareEnded(jobId);
  const empty = new FakeErp();
  const replayed = await history.exports
    .get(ReplayJob)
    .replay(history.tenant.installationId, jobId, new OneErp(empty).forCompany());
  const totals = [{ currency: 'EUR', debitMinor: '30000', creditMinor: '30000' }];
  expect(replayed).toMatchObject({
    certificate: { planned: { entries: 3, totals }, discrepancies: 0 },
    same: true,
    unplanned: 1,
    firstMismatch: undefined,
  });
  expect(replayed?.certificate.erp).toEqual(replayed?.certificate.planned);
  expect(empty.posts.flat()).not.toContain(id);
});
