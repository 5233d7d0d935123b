import { changePlan } from '../../../support/stored-plans.js';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ReplayJob, type Replay } from '../../../../src/connector/reconciliation/certificates/replay-job.js';
import { FakeErp, refuses } from '../../../support/fake-erp.js';
import { OneErp } from '../../../support/one-erp.js';
import { purchase } from '../exports/exports-harness.js';
import { History } from './history.js';

// A past job once more: its recorded plan into empty books, and its stored items through the mapping of then.

let history: History;
let empty: FakeErp;

beforeEach(async () => {
  history = await History.start();
  empty = new FakeErp();
});
afterEach(async () => {
  await history.exports.close();
});

async function replay(jobId: string): Promise<Replay | undefined> {
  return history.exports.get(ReplayJob).replay(history.tenant.installationId, jobId, new OneErp(empty).forCompany());
}

/** A job that went through the whole pipeline, and its certificate. */
async function exportedJob() {
  const { companyId } = history.tenant;
  const items = [purchase(companyId), purchase(companyId, { amount: '99900' })];
  const job = await history.exports.addJob(history.tenant, items);
  await history.exports.processQueue(history.tenant);
  await history.reconcile();
  return { job, ids: items.map(({ accountingEntryId }) => accountingEntryId).toSorted() };
}

describe('a job that is replayed', () => {
  it('gives the certified digest, totals and entries, in empty books', async () => {
    const { job, ids } = await exportedJob();
    const replayed = await replay(job.id);
    expect(replayed).toMatchObject({
      same: true,
      firstMismatch: undefined,
      unplanned: 0,
      replanned: { same: 2, different: 0, unknown: 0, earlier: 0, firstMismatch: undefined },
      replayed: {
        entries: 2,
        totals: [{ currency: 'EUR', debitMinor: '112400', creditMinor: '112400' }],
      },
    });
    expect(replayed?.replayed).toEqual(replayed?.certificate.erp);
    expect(empty.posts).toEqual([ids]);
    // The company's own books are left alone.
    expect(history.erp.posts).toHaveLength(1);
  });

  it('and whose entry the books refuse reports it, with their message', async () => {
    const { job, ids } = await exportedJob();
    empty.script.push(refuses('There is no account 5410.'));
    expect(await replay(job.id)).toMatchObject({
      same: false,
      firstMismatch: `entry ${ids[0] ?? ''}, revision 1: There is no account 5410.`,
      replayed: { entries: 0 },
    });
  });

  it('and whose books show something else reports the first such entry, with both contents', async () => {
    const { job, ids } = await exportedJob();
    const inspect = empty.inspect.bind(empty);
    empty.inspect = (...asked) => {
      empty.store.change(ids[1] ?? '', (entry) => ({
        ...entry,
        lines: entry.lines.map((line) => ({ ...line, amountMinor: line.amountMinor + 1n })),
      }));
      return inspect(...asked);
    };
    const replayed = await replay(job.id);
    expect(replayed).toMatchObject({ same: false });
    expect(replayed?.firstMismatch).toMatch(new RegExp(`^entry ${ids[1] ?? ''}, revision 1: planned .* shown .*$`));
  });

  it('and whose recorded plan was changed does not give what was certified', async () => {
    const { job, ids } = await exportedJob();
    await history.query(changePlan(`jsonb_set(plan, '{0,lines,0,account,code}', '"5420"')`), ids[0]);
    expect(await replay(job.id)).toMatchObject({
      same: false,
      firstMismatch: undefined,
      replanned: { same: 1, different: 1 },
    });
  });

  it.each([
    // The first version is not written down.
    ['the first', `plan #- '{0,plannerVersion}'`],
    ['the second', `jsonb_set(plan, '{0,plannerVersion}', '2')`],
  ])(
    'and was planned by %s version of the rules gives the digest of that time, and is not mapped again',
    async (_, earlier) => {
      const { job, ids } = await exportedJob();
      await history.query(changePlan(earlier), ids[0]);
      const replayed = await replay(job.id);
      expect(replayed?.replayed).toEqual(replayed?.certificate.planned);
      expect(replayed).toMatchObject({ same: true, replanned: { same: 1, different: 0, unknown: 0, earlier: 1 } });
    },
  );

  it('omits what the connector had not planned', async () => {
    const { job, ids } = await history.addJob(2);
    await history.query(`UPDATE posting_intent SET plan_chunk_id = NULL WHERE accounting_entry_id = $1`, ids[0]);
    await history.reconcile();
    expect(await replay(job.id)).toMatchObject({ same: true, unplanned: 1, replanned: { unknown: 1 } });
  });

  it('must have a certificate', async () => {
    const { job } = await history.addJob(1);
    expect(await replay(job.id)).toBeUndefined();
  });
});

describe('the items of a replayed job', () => {
  it('that would be booked to other accounts are reported', async () => {
    const { job, ids } = await exportedJob();
    await history.query(
      `UPDATE item_chunk SET items = jsonb_set(items::jsonb, ARRAY[$1, 'accountingEntryLines', '0', 'account', 'id'], '"acc-5420"')
         #- ARRAY[$1, 'accountingEntryLines', '0', 'account', 'code']
       WHERE items::jsonb ? $1`,
      ids[0],
    );
    const { replanned } = (await replay(job.id)) ?? {};
    expect(replanned).toMatchObject({ same: 1, different: 1 });
    expect(replanned?.firstMismatch).toContain(`entry ${ids[0] ?? ''}, revision 1: `);
  });
});
