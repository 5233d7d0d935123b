import { changePlan } from '../../../support/stored-plans.js';
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { CertificateReader } from '../../../../src/connector/reconciliation/certificates/certificate.reader.js';
import { VerifyCertificates } from '../../../../src/connector/reconciliation/certificates/verify-certificates.js';
import type { FakeJob } from '../../../support/platform/fake-platform.js';
import { DAY, History } from './history.js';

// What is proved of each job once it has ended, and that nothing of it can be changed unseen.

const EMPTY = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

let history: History;
let certificates: CertificateReader;
let verifyCertificates: VerifyCertificates;

beforeEach(async () => {
  history = await History.start();
  certificates = history.exports.get(CertificateReader);
  verifyCertificates = history.exports.get(VerifyCertificates);
});
afterEach(async () => {
  await history.exports.close();
});

/** Lets the job end now, as far as the worker can see. */
async function end({ id }: FakeJob): Promise<void> {
  await history.query(`UPDATE export_job SET finished_at = now() WHERE id = $1`, id);
}

/** @returns a function by which the ERP shows the entry, whose post has had no response */
async function losesAnswer(id: string): Promise<() => void> {
  const putBack = history.erp.forget(id);
  await history.query(
    `UPDATE posting_intent SET state = 'uncertain', external_id = NULL, posted_at = NULL,
       sent_at = now() - interval '1 hour' WHERE accounting_entry_id = $1`,
    id,
  );
  return putBack;
}

const runDue = () => history.runAgain();

/** @returns its job and entries */
async function certifiedJob(items = 3) {
  const added = await history.addJob(items);
  await end(added.job);
  await history.service.wake();
  await runDue();
  return added;
}

const chain = () => certificates.list(history.tenant.installationId, undefined, 100);

async function verified(): Promise<readonly (readonly [bigint | undefined, ...string[]])[]> {
  const found: (readonly [bigint | undefined, ...string[]])[] = [];
  for await (const { sequence, problems } of verifyCertificates.verifyAll(history.tenant.installationId)) {
    found.push([sequence, ...problems]);
  }
  return found;
}

/** Certificates that hold, and say that plan and ERP differed. */
async function ofDifferences(): Promise<readonly unknown[]> {
  const found: unknown[] = [];
  for await (const { sequence, isOfDifference } of verifyCertificates.verifyAll(history.tenant.installationId)) {
    found.push(...(isOfDifference ? [sequence] : []));
  }
  return found;
}

describe('the certificate of a job', () => {
  it('is created when its own comparison is complete, and states what the ERP holds', async () => {
    const { job } = await certifiedJob();
    const side = { entries: 3, totals: [{ currency: 'EUR', debitMinor: '30000', creditMinor: '30000' }] };
    const [made, ...others] = await chain();
    expect(others).toEqual([]);
    expect(made).toMatchObject({
      sequence: 1n,
      exportJobId: job.id,
      jobState: 'completed',
      mappingVersion: 1,
      erpCompanyId: history.erp.companyId,
      items: { announced: 3, successful: 3, failed: 0, pending: 0 },
      planned: side,
      erp: side,
      discrepancies: 0,
      previousHash: null,
    });
    expect(made?.planned.digest).toBe(made?.erp?.digest);
    expect(await verified()).toEqual([[1n]]);
    expect(await ofDifferences()).toEqual([]);
  });

  it('counts the discrepancies of its job, and shows what the ERP did not hold', async () => {
    const { job, ids } = await history.addJob(3);
    history.erp.store.remove(ids[1] ?? '');
    await end(job);
    await history.service.wake();
    await runDue();
    const [made] = await chain();
    expect(made).toMatchObject({ planned: { entries: 3 }, erp: { entries: 2 }, discrepancies: 1 });
    expect(await verified()).toEqual([[1n]]);
    expect(await ofDifferences()).toEqual([1n]);
  });

  it('is created for failed and expired jobs too, also without items', async () => {
    const platform = history.exports.platform.addJob(history.tenant.companyId, [], { createdAt: DAY });
    await history.query(
      `INSERT INTO export_job (installation_id, id, company_id, state, number_of_items, vendor_based_bookkeeping,
         created_on_platform_at, expires_at, detected_at, next_run_at, finished_at)
       VALUES ($1, $2, $3, 'expired', 0, false, $4, $4, $4, $4, now())`,
      history.tenant.installationId,
      platform.id,
      history.tenant.companyId,
      DAY,
    );
    const failed = await history.addJob(1);
    failed.job.status = 'failed';
    await history.query(`UPDATE export_job SET state = 'failed' WHERE id = $1`, failed.job.id);
    await end(failed.job);
    await history.service.wake();
    await runDue();
    const nothing = { entries: 0, totals: [], digest: EMPTY };
    expect((await chain()).toSorted((one, other) => one.jobState.localeCompare(other.jobState))).toMatchObject([
      { jobState: 'expired', planned: nothing, erp: nothing, mappingVersion: null },
      { jobState: 'failed', planned: { entries: 1 } },
    ]);
  });

  it('is unchanged by whatever is found of the job later', async () => {
    const { ids } = await certifiedJob();
    const before = await chain();
    history.erp.reverseByHand(ids[0] ?? '');
    await history.reconcile();
    expect(await chain()).toEqual(before);
    // A reversal is a new fact of the books; the entry is what it was.
    expect(await verified()).toEqual([[1n]]);
  });

  it('excludes what is found after it', async () => {
    const { ids } = await certifiedJob();
    const late = randomUUID();
    await history.query(
      `INSERT INTO posting_intent (installation_id, erp_company_id, accounting_entry_id, export_job_id, mapping_version,
         content_digest, fence, state, external_id, posted_at, created_at)
       SELECT installation_id, erp_company_id, $1, export_job_id, mapping_version, content_digest, fence, state,
         external_id, now() + interval '1 minute', created_at
       FROM posting_intent WHERE accounting_entry_id = $2`,
      late,
      ids[0],
    );
    history.erp.store.put({ ...history.erp.store.newest(ids[0] ?? ''), key: late });
    expect(await verified()).toEqual([[1n]]);
  });

  it('excludes what a worker whose clock is behind records after it', async () => {
    const { job, ids } = await history.addJob(2);
    const found = await losesAnswer(ids[0] ?? '');
    await end(job);
    await history.service.wake();
    await runDue();
    expect(await chain()).toMatchObject([{ planned: { entries: 1 } }]);
    history.exports.clock.passMinutes(-60);
    found();
    await history.reconcile();
    expect(await history.discrepancies()).toContainEqual({
      class: 'posted-not-recorded',
      subject: ids[0],
      state: 'repaired',
    });
    expect(await verified()).toEqual([[1n]]);
  });

  it('has what a worker whose clock is ahead has recorded before it', async () => {
    const { job, ids } = await history.addJob(2);
    const found = await losesAnswer(ids[0] ?? '');
    found();
    let compared = 0;
    const inspect = history.erp.inspect.bind(history.erp);
    history.erp.inspect = async (...call) => {
      // Compared, compared as the company's owner, and compared after the look-up; then certified.
      compared += 1;
      history.exports.clock.passMinutes(compared === 2 ? 60 : compared === 3 ? -60 : 0);
      return inspect(...call);
    };
    await end(job);
    await history.service.wake();
    await runDue();
    expect(await chain()).toMatchObject([{ planned: { entries: 2 } }]);
    expect(await verified()).toEqual([[1n]]);
  });

  it('of a job whose own run has failed is created by the next run that covers it', async () => {
    await history.addJob(2);
    await history.reconcile();
    expect(await chain()).toMatchObject([{ sequence: 1n, items: { successful: 2 } }]);
  });

  it('waits until the search of the ERP is certain to show what was posted', async () => {
    history.erp.guarantee = { level: 'searchable-reference', searchLagMs: 60_000 };
    const { job, ids } = await history.addJob(2);
    const entry = history.erp.store.newest(ids[0] ?? '');
    history.erp.store.remove(ids[0] ?? '');
    await history.query(`UPDATE posting_intent SET sent_at = now() + interval '1 hour'`);
    await end(job);
    await history.service.wake();
    await runDue();
    expect(await chain()).toEqual([]);
    history.erp.store.put(entry);
    await runDue();
    expect(await chain()).toMatchObject([{ erp: { entries: 2 } }]);
  });

  it('states nothing about an ERP that cannot be searched', async () => {
    history.erp.guarantee = { level: 'none' };
    await certifiedJob();
    expect(await chain()).toMatchObject([{ planned: { entries: 3 }, erp: null }]);
    expect(await verified()).toEqual([[1n]]);
  });
});

describe('the chain of certificates', () => {
  it('has no gap and one end, with any number of workers', async () => {
    for (let jobs = 0; jobs < 8; jobs += 1) {
      await end((await history.addJob(1)).job);
    }
    await history.service.wake();
    await Promise.all([runDue(), runDue(), runDue(), runDue()]);
    const made = await chain();
    expect(made.map(({ sequence }) => sequence)).toEqual([1n, 2n, 3n, 4n, 5n, 6n, 7n, 8n]);
    expect(made.map(({ previousHash }) => previousHash)).toEqual([null, ...made.slice(0, -1).map(({ hash }) => hash)]);
  });

  it.each([
    ['UPDATE', `UPDATE certificate SET discrepancies = 9`],
    ['DELETE', `DELETE FROM certificate`],
    ['TRUNCATE', `TRUNCATE certificate`],
  ])('refuses %s, to the application by its grants and to the owner by a trigger', async (_, statement) => {
    await certifiedJob();
    await history.query(`SET session_replication_role = origin`);
    await expect(history.query(statement)).rejects.toThrow('a certificate never changes');
    await history.query(`SET ROLE connector_app`);
    await expect(history.query(statement)).rejects.toThrow('permission denied');
    await history.query(`RESET ROLE`);
  });

  it('accepts no certificate but the next one', async () => {
    await certifiedJob();
    const { job } = await history.addJob(1);
    await history.query(`SET session_replication_role = origin`);
    const insert = (sequence: number, previous: string) =>
      history.query(
        `INSERT INTO certificate SELECT installation_id, $1, $2, company_id, erp_company_id, job_state, mapping_version,
           items, planned, erp, discrepancies, made_at, ${previous}, hash FROM certificate`,
        sequence,
        job.id,
      );
    await expect(insert(3, 'hash')).rejects.toThrow('certificate 3 does not follow the last one');
    await expect(insert(2, 'NULL')).rejects.toThrow('certificate 2 does not follow the last one');
    await insert(2, 'hash');
  });
});

describe('verification', () => {
  let ids: readonly string[];

  beforeEach(async () => {
    await certifiedJob(2);
    ({ ids } = await certifiedJob(3));
    await certifiedJob(1);
    expect(await verified()).toEqual([[1n], [2n], [3n]]);
  });

  it('finds an entry that was changed in the ERP, and names it', async () => {
    const id = ids.toSorted()[1] ?? '';
    history.erp.store.change(id, (entry) => ({
      ...entry,
      lines: entry.lines.map((line) => ({ ...line, amountMinor: line.amountMinor * 2n })),
    }));
    expect(await verified()).toEqual([
      [1n],
      [
        2n,
        'totals in the ERP: certified [["EUR","30000","30000"]], now [["EUR","40000","40000"]]',
        expect.stringMatching(/^digest in the ERP: certified "[0-9a-f]{64}", now "[0-9a-f]{64}"$/),
        `the ERP first shows something else than was planned of entry ${id}, revision 1`,
      ],
      [3n],
    ]);
  });

  it('finds an entry that was deleted in the ERP', async () => {
    history.erp.store.remove(ids[0] ?? '');
    const [, second] = await verified();
    expect(second).toContain('entries in the ERP: certified 3, now 2');
  });

  it.each([
    [changePlan(`jsonb_set(plan, '{0,lines,0,account,code}', '"5420"')`), 'digest planned'],
    [
      `UPDATE export_item SET state = 'failed', external_id = NULL, failure_type = 'x', failure_reason = 'x'
         WHERE accounting_entry_id = $1`,
      'items failed',
    ],
    [`DELETE FROM posting_intent WHERE accounting_entry_id = $1`, 'entries planned: certified 3, now 2'],
  ])('finds a change of our record: %s', async (statement, expected) => {
    await history.query(statement, ids[0]);
    const [first, second, third] = await verified();
    expect([first, third]).toEqual([[1n], [3n]]);
    expect(second?.join()).toContain(expected);
  });

  it.each(['discrepancies = 1', `items = jsonb_set(items, '{failed}', '1')`, `made_at = made_at + interval '1 ms'`])(
    'finds a changed row: %s',
    async (change) => {
      await history.query(`UPDATE certificate SET ${change} WHERE sequence = 2`);
      const [first, second, third] = await verified();
      expect([first, third]).toEqual([[1n], [3n]]);
      expect(second).toContain('its row was changed: its hash is another one');
    },
  );

  it('finds a certificate that was forged with a hash of its own', async () => {
    await history.query(`UPDATE certificate SET hash = repeat('0', 64) WHERE sequence = 2`);
    expect(await verified()).toMatchObject([
      [1n],
      [2n, 'its row was changed: its hash is another one'],
      [3n, 'it does not follow the one before it'],
    ]);
  });

  it('finds a certificate that is missing, in the middle and at the end', async () => {
    await history.query(`DELETE FROM certificate WHERE sequence = 2`);
    const without = 'the job has ended and was compared, and has no certificate';
    expect(await verified()).toEqual([
      [1n],
      [3n, 'certificate 2 before it is missing', 'it does not follow the one before it'],
      [undefined, without],
    ]);
    await history.query(`DELETE FROM certificate WHERE sequence = 3`);
    expect(await verified()).toEqual([[1n], [undefined, without], [undefined, without]]);
  });
});
