import { afterEach, beforeEach, expect, it } from '@jest/globals';
import type { FakeJob } from '../../../support/platform/fake-platform.js';
import { purchase, purchases, type Tenant } from '../exports/exports-harness.js';
import { History } from './history.js';

// Our database goes back to a backup: jobs have ended since, and the ERP has entries that the record does not know of
// (G22). Nothing is posted twice, what is ours is taken over, and nothing of it is offered to be reversed.

/** With the days of the entries, for what is looked for in the ERP by day. */
const PERIOD = { from: new Date('2026-02-01T00:00:00Z'), until: new Date('2026-05-01T00:00:00Z') };
const TABLES = ['export_job', 'export_item', 'posting_intent', 'outbox'] as const;

let history: History;
let tenant: Tenant;

beforeEach(async () => {
  history = await History.start();
  tenant = await history.exports.addTenant({ policies: { conflicts: 'reverse-and-repost' } });
});
afterEach(async () => {
  await history.exports.close();
});

/** @returns brings the record of exports back to what it is now */
async function backup(): Promise<() => Promise<void>> {
  for (const table of TABLES) {
    await history.query(`CREATE TABLE backup_${table} AS SELECT * FROM ${table}`);
  }
  return async () => {
    for (const table of TABLES) {
      await history.query(`DELETE FROM ${table}`);
      await history.query(`INSERT INTO ${table} SELECT * FROM backup_${table}`);
    }
  };
}

async function reconcile(): Promise<void> {
  await history.service.request(tenant.installationId, { period: PERIOD });
  await history.service.processDue(tenant.installationId, new AbortController().signal);
}

async function open() {
  const filter = { state: 'open', class: undefined } as const;
  return history.service.reader.listDiscrepancies(tenant.installationId, filter, undefined, 20);
}

async function openClasses(): Promise<readonly string[]> {
  return (await open()).map((discrepancy) => discrepancy.class);
}

/** Each of the entries stands once, and was sent to the ERP as often. */
function expectOnce(job: FakeJob): void {
  const ids = [...job.statuses.keys()];
  expect(ids.map((id) => history.erp.revisionsOf(id).length)).toEqual(ids.map(() => 1));
}

/** Revision and state of what our record has of an entry. */
async function recordOf(id: string): Promise<unknown> {
  const { rows } = await history.exports.admin.query<unknown[]>({
    text: `SELECT revision, state FROM posting_intent WHERE accounting_entry_id = $1 ORDER BY revision`,
    values: [id],
    rowMode: 'array',
  });
  return rows;
}

it('a job that was running in the backup has its entries imported, sent or not, without a discrepancy', async () => {
  const { exports, erp } = history;
  const job = await exports.addJob(tenant, purchases(tenant.companyId, 3));
  let goBack: (() => Promise<void>) | undefined;
  erp.onPost = async () => {
    goBack ??= await backup();
  };
  await exports.processQueue(tenant);
  expect(job.status).toBe('completed');
  await goBack?.();
  const [unsent = ''] = job.statuses.keys();
  await history.query(`DELETE FROM posting_intent WHERE accounting_entry_id = $1`, unsent);

  await exports.processQueueAgain(tenant);
  expect(await exports.stateOf(job)).toBe('closed_by_platform');
  await reconcile();
  expect(await history.discrepancies()).toMatchObject([
    { class: 'posted-not-recorded', subject: unsent, state: 'repaired' },
    { class: 'unknown-outcome', state: 'repaired' },
    { class: 'unknown-outcome', state: 'repaired' },
  ]);
  expect(await recordOf(unsent)).toEqual([[1, 'posted']]);
  expectOnce(job);
  await reconcile();
  expect(await open()).toEqual([]);
});

it('a job that the platform ends in its first run reports what was posted, and the rest is no discrepancy', async () => {
  const { exports, erp } = history;
  const items = purchases(tenant.companyId, 3);
  const job = await exports.addJob(tenant, items, { data: items.slice(0, 2) });
  erp.onPost = () => {
    job.status = 'cancelled';
    return Promise.resolve();
  };
  await exports.processQueue(tenant);
  expect(await exports.stateOf(job)).toBe('closed_by_platform');
  await reconcile();
  const reported = items.slice(0, 2).map(({ accountingEntryId }) => accountingEntryId);
  const found = await history.discrepancies();
  expect(found.map((each) => [each.class, each.subject]).toSorted()).toEqual(
    reported.map((id) => ['expired-with-posted-entry', id]).toSorted(),
  );
});

it('a job that had not begun has its entries reported as missing, not as orphans, and exporting them again finds them', async () => {
  const { exports } = history;
  const job = await exports.addJob(tenant, purchases(tenant.companyId, 2));
  const goBack = await backup();
  await exports.processQueue(tenant);
  await goBack();

  await exports.processQueueAgain(tenant);
  await reconcile();
  expect(await openClasses()).toEqual(['missing-in-record', 'missing-in-record']);
  exports.clock.passMinutes(1);
  for (const { id } of await open()) {
    const decision = { action: 're-export', note: 'after the restore', by: 'Ada' } as const;
    expect(await history.service.act(tenant.installationId, id, decision)).toEqual({ outcome: 'done' });
  }
  expect(await history.exportAgain([], tenant)).toHaveLength(2);
  expectOnce(job);
  await reconcile();
  expect(await open()).toEqual([]);
});

it('a revision that was posted since is imported and replaces the one before', async () => {
  const { exports, erp } = history;
  const original = purchase(tenant.companyId);
  const id = original.accountingEntryId;
  await exports.addJob(tenant, [original]);
  await exports.processQueue(tenant);
  const goBack = await backup();
  exports.clock.passMinutes(1);
  const changed = purchase(tenant.companyId, { id, amount: '99900' });
  await exports.addJob(tenant, [changed]);
  await exports.processQueueAgain(tenant);
  expect(erp.revisionsOf(id)).toMatchObject([{ reversed: true }, { reversed: false }]);
  await goBack();
  exports.clock.passMinutes(20);

  await reconcile();
  expect(await openClasses()).toEqual(['job-not-received']);
  expect(await recordOf(id)).toEqual([
    [1, 'reversed'],
    [2, 'posted'],
  ]);
  // The next export knows it, asks whether it still stands (B9.1), and has nothing to post.
  erp.calls.length = 0;
  const again = await exports.addJob(tenant, [changed]);
  await exports.processQueueAgain(tenant);
  expect(again.results.get(id)).toMatchObject({ status: 'successful', externalId: `journal-${id}-2` });
  expect(erp.calls).toEqual([{ call: 'find', keys: [id] }]);
});
