import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { PostingGuarantee } from '../../../../src/connector/erp/erp-ledger.js';
import { ReplayJob } from '../../../../src/connector/reconciliation/certificates/replay-job.js';
import {
  VerifyCertificates,
  type CertificateCheck,
} from '../../../../src/connector/reconciliation/certificates/verify-certificates.js';
import type { DiscrepancyAction } from '../../../../src/connector/reconciliation/domain/discrepancy-class.js';
import { FakeErp } from '../../../support/fake-erp.js';
import { OneErp } from '../../../support/one-erp.js';
import type { FakeJob } from '../../../support/platform/fake-platform.js';
import { History } from './history.js';

// An entry that we have posted and the ERP does not know any more: deleted there, or lost by going back to a backup.

const MINUTE_MS = 60_000;

let history: History;
let job: FakeJob;
let id: string;
let others: readonly string[];

beforeEach(async () => {
  history = await History.start();
  const added = await history.addJob(3);
  job = added.job;
  [id = '', ...others] = added.ids;
  history.erp.now = () => history.exports.clock.now().getTime();
  await history.query(`UPDATE posting_intent SET sent_at = now() - interval '1 hour'`);
});
afterEach(async () => {
  await history.exports.close();
});

async function open() {
  const filter = { state: 'open', class: undefined } as const;
  return history.service.reader.listDiscrepancies(history.tenant.installationId, filter, undefined, 10);
}

async function act(action: DiscrepancyAction = 're-export') {
  const [discrepancy] = await open();
  const decision = { action, note: 'lost with the old server', by: 'Ada' };
  return history.service.act(history.tenant.installationId, discrepancy?.id ?? '', decision);
}

/** Each revision of our record: number, state, whether it is lost. */
async function record(): Promise<readonly (readonly unknown[])[]> {
  const { rows } = await history.exports.admin.query<unknown[]>({
    text: `SELECT revision, state, lost_at IS NOT NULL FROM posting_intent WHERE accounting_entry_id = $1 ORDER BY 1`,
    values: [id],
    rowMode: 'array',
  });
  return rows;
}

/** The ERP loses the entry, and a run finds it missing. */
async function loseEntry(): Promise<() => void> {
  const putBack = history.erp.forget(id);
  history.exports.clock.passMinutes(1);
  await history.reconcile();
  expect(await open()).toMatchObject([{ class: 'deleted-in-erp', subject: id }]);
  return putBack;
}

/** What became of the entry in a job of the platform. */
const resultIn = (again: FakeJob | undefined) => again?.results.get(id);

describe('exporting a missing entry again', () => {
  it.each<PostingGuarantee>([
    { level: 'permanent-key' },
    { level: 'expiring-key', keyLifeMs: 30 * MINUTE_MS },
    { level: 'searchable-reference', searchLagMs: MINUTE_MS },
  ])('posts its next revision once, and leaves nothing to report: %j', async (guarantee) => {
    history.erp.guarantee = guarantee;
    await loseEntry();
    expect(await act()).toEqual({ outcome: 'done' });
    expect(await record()).toEqual([[1, 'reversed', true]]);
    // Until then it stays the same discrepancy.
    await history.reconcile();
    expect(await open()).toMatchObject([{ class: 'deleted-in-erp', reexportId: expect.any(String) }]);
    const [again] = await history.exportAgain([id]);
    expect(await record()).toEqual([
      [1, 'reversed', true],
      [2, 'posted', false],
    ]);
    expect(history.erp.revisionsOf(id)).toMatchObject([{ revision: 2, reversed: false }]);
    expect(resultIn(again)).toMatchObject({ status: 'successful', externalId: `journal-${id}-2` });
    await history.compareEnded(again?.id ?? '');
    expect(await open()).toEqual([]);
    await history.reconcile();
    expect(await open()).toEqual([]);
  });

  it('can be decided twice, and is recorded once', async () => {
    await loseEntry();
    await act();
    await history.query(`UPDATE discrepancy SET reexport_id = NULL`);
    expect(await act()).toEqual({ outcome: 'done' });
    expect(await record()).toEqual([[1, 'reversed', true]]);
  });

  it('records the person, and since when the entry was missing', async () => {
    await loseEntry();
    const [discrepancy] = await open();
    await act();
    const [again] = await history.exportAgain([id]);
    await history.compareEnded(again?.id ?? '');
    const filter = { state: 'repaired', class: 'deleted-in-erp' } as const;
    const { installationId } = history.tenant;
    const repaired = await history.service.reader.listDiscrepancies(installationId, filter, undefined, 10);
    expect(repaired).toContainEqual(
      expect.objectContaining({ settledBy: 'Ada', settledAs: 're-export', note: 'lost with the old server' }),
    );
    const { rows } = await history.exports.admin.query(
      `SELECT lost_at AS "lostAt" FROM posting_intent WHERE lost_at IS NOT NULL`,
    );
    expect(rows).toEqual([{ lostAt: discrepancy?.firstSeenAt }]);
  });

  it('includes a revision that the ERP has lost of an entry it still has', async () => {
    history.erp.reverseByHand(id);
    await history.reconcile();
    await act();
    await history.exportAgain([id]);
    // A backup from between the reversal and the second posting.
    history.erp.forget(id, 2);
    await history.reconcile();
    expect(await open()).toMatchObject([{ class: 'deleted-in-erp', subject: id }]);
    expect(await act()).toEqual({ outcome: 'done' });
    await history.exportAgain([id]);
    expect(await record()).toEqual([
      [1, 'reversed', false],
      [2, 'reversed', true],
      [3, 'posted', false],
    ]);
    expect(history.erp.standing(id)).toBe(1);
    await history.reconcile();
    expect(await open()).toEqual([]);
  });
});

describe('an uncertain loss', () => {
  it('is not recorded while an export of the company runs', async () => {
    await loseEntry();
    await history.exports.claimOrFail(history.tenant);
    expect(await act()).toEqual({ outcome: 'busy' });
    expect(await record()).toEqual([[1, 'posted', false]]);
  });

  it('is not recorded where the ERP cannot be searched, nor while its search may lag', async () => {
    await loseEntry();
    history.erp.guarantee = { level: 'none' };
    expect(await act()).toEqual({ outcome: 'not-verifiable' });
    history.erp.guarantee = { level: 'searchable-reference', searchLagMs: MINUTE_MS };
    await history.query(`UPDATE posting_intent SET sent_at = now() + interval '1 hour'`);
    expect(await act()).toEqual({ outcome: 'not-verifiable' });
    expect(await record()).toEqual([[1, 'posted', false]]);
    expect((await history.exports.admin.query(`SELECT FROM reexport`)).rowCount).toBe(0);
  });

  it('is not recorded when the ERP does not respond', async () => {
    await loseEntry();
    history.erp.lookUpFailure = { kind: 'timeout', message: 'no answer in time' };
    await expect(act()).rejects.toThrow('no answer in time');
    expect(await record()).toEqual([[1, 'posted', false]]);
  });
});

describe('an entry that reappears', () => {
  it('before a decision is reported as found, and the next run closes the discrepancy', async () => {
    const putBack = await loseEntry();
    putBack();
    expect(await act()).toEqual({ outcome: 'there' });
    expect(await record()).toEqual([[1, 'posted', false]]);
    await history.reconcile();
    expect(await open()).toEqual([]);
  });

  it('before it is exported again is reported unchanged, and not posted', async () => {
    const putBack = await loseEntry();
    await act();
    putBack();
    const [again] = await history.exportAgain([id]);
    expect(resultIn(again)).toMatchObject({ status: 'successful', externalId: `journal-${id}` });
    expect(history.erp.posts).toEqual([]);
    expect(await record()).toEqual([[1, 'posted', false]]);
    await history.compareEnded(again?.id ?? '');
    await history.reconcile();
    expect(await open()).toEqual([]);
  });

  it('after it was reversed in the ERP is posted as its next revision', async () => {
    const putBack = await loseEntry();
    await act();
    putBack();
    history.erp.reverseByHand(id);
    await history.exportAgain([id]);
    expect(await record()).toEqual([
      [1, 'reversed', false],
      [2, 'posted', false],
    ]);
    expect(history.erp.standing(id)).toBe(1);
  });

  it('is imported by a run that finds it first', async () => {
    const putBack = await loseEntry();
    await act();
    putBack();
    await history.reconcile();
    expect(await record()).toEqual([[1, 'posted', false]]);
    expect(await history.discrepancies()).toContainEqual(
      expect.objectContaining({ class: 'posted-not-recorded', subject: id, state: 'repaired' }),
    );
    expect(await open()).toEqual([]);
  });

  it('during its new export is never posted twice: the ERP refuses, and the issue states what to do', async () => {
    const putBack = await loseEntry();
    await act();
    history.erp.onPost = () => {
      history.erp.onPost = () => Promise.resolve();
      putBack();
      return Promise.resolve();
    };
    const [again] = await history.exportAgain([id]);
    expect(resultIn(again)).toMatchObject({ status: 'failed' });
    expect(history.erp.revisionsOf(id)).toMatchObject([{ revision: 1, reversed: false }]);
    await history.compareEnded(again?.id ?? '');
    expect(await open()).toMatchObject([{ class: 'stands-though-reversed', subject: id }]);
    expect(await act('reverse')).toEqual({ outcome: 'done' });
    expect(history.erp.standing(id)).toBe(0);
    await history.reconcile();
    expect(await open()).toEqual([]);
  });
});

describe('certificates', () => {
  const NONE = { count: 0, named: [] };

  async function verified(): Promise<readonly CertificateCheck[]> {
    const checks: CertificateCheck[] = [];
    const verifyCertificates = history.exports.get(VerifyCertificates);
    for await (const check of verifyCertificates.verifyAll(history.tenant.installationId)) {
      checks.push(check);
    }
    return checks;
  }

  it('are valid when a certified entry was lost and exported again, and name it', async () => {
    await history.compareEnded(job.id);
    await loseEntry();
    const [before] = await verified();
    expect(before?.problems).toContain('entries in the ERP: certified 3, now 2');
    await act();
    const [again] = await history.exportAgain([id]);
    await history.compareEnded(again?.id ?? '');
    expect(await verified()).toEqual([
      {
        sequence: 1n,
        exportJobId: job.id,
        problems: [],
        missing: expect.objectContaining({ count: 1, named: [{ accountingEntryId: id, revision: 1 }] }),
        isOfDifference: false,
      },
      {
        sequence: 2n,
        exportJobId: again?.id,
        problems: [],
        missing: expect.objectContaining(NONE),
        isOfDifference: false,
      },
    ]);
  });

  it('are valid when the loss was accepted with a note, and name it as well', async () => {
    await history.compareEnded(job.id);
    await loseEntry();
    await act('accept');
    expect(await verified()).toMatchObject([
      { problems: [], missing: { count: 1, named: [{ accountingEntryId: id, revision: 1 }] } },
    ]);
    // It stays accepted.
    await history.reconcile();
    expect(await open()).toEqual([]);
  });

  it('are valid when the entry was already missing when they were created', async () => {
    history.erp.forget(id);
    await history.compareEnded(job.id);
    await act();
    const [check] = await verified();
    expect(check).toMatchObject({ problems: [], missing: { count: 1 }, isOfDifference: true });
  });

  it('are valid when one entry was missing when they were created, and another has been since', async () => {
    history.erp.forget(others[0] ?? '');
    await history.compareEnded(job.id);
    await act();
    history.exports.clock.passMinutes(1);
    history.erp.forget(id);
    await history.reconcile();
    const [first, second] = await open();
    const late = first?.subject === id ? first : second;
    const decision = { action: 're-export', note: 'lost', by: 'Ada' } as const;
    await history.service.act(history.tenant.installationId, late?.id ?? '', decision);
    const [check] = await verified();
    expect(check).toMatchObject({ problems: [], missing: { count: 2 } });
  });

  it('are invalid when something else was changed, and do not report the lost entry as the reason', async () => {
    await history.compareEnded(job.id);
    await loseEntry();
    await act();
    const [changed = ''] = others;
    history.erp.store.change(changed, (entry) => ({
      ...entry,
      lines: entry.lines.map((line) => ({ ...line, amountMinor: line.amountMinor * 2n })),
    }));
    const [check] = await verified();
    expect(check?.problems).toEqual([
      'totals in the ERP: certified [["EUR","30000","30000"]], now [["EUR","40000","40000"]]',
      expect.stringContaining('digest in the ERP'),
      `the ERP first shows something else than was planned of entry ${changed}, revision 1`,
    ]);
  });

  it('are invalid when another entry is missing without a note', async () => {
    await history.compareEnded(job.id);
    await loseEntry();
    await act();
    history.erp.forget(others[0] ?? '');
    const [check] = await verified();
    expect(check?.problems).toContain('entries in the ERP: certified 3, now 2');
    expect(check?.missing.count).toBe(1);
  });

  it('are valid for every revision that is lost, and for none that is not', async () => {
    await history.compareEnded(job.id);
    history.erp.reverseByHand(id);
    await history.reconcile();
    await act();
    const [second] = await history.exportAgain([id]);
    await history.compareEnded(second?.id ?? '');
    await loseEntry();
    await act();
    expect(await record()).toEqual([
      [1, 'reversed', true],
      [2, 'reversed', true],
    ]);
    const checks = await verified();
    expect(checks.map(({ problems, missing: lost }) => [problems, lost.count])).toEqual([
      [[], 1],
      [[], 1],
    ]);
  });

  it('replay a lost entry as it was planned', async () => {
    await history.compareEnded(job.id);
    await loseEntry();
    await act();
    const books = new FakeErp();
    const replayed = await history.exports
      .get(ReplayJob)
      .replay(history.tenant.installationId, job.id, new OneErp(books).forCompany());
    expect(replayed).toMatchObject({ same: true, unplanned: 0, firstMismatch: undefined });
  });
});
