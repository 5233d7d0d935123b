import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { PlatformRefusal } from '../../../../src/connector/platform/platform-error.js';
import type { FakeJob } from '../../../support/platform/fake-platform.js';
import { History } from './history.js';

// The platform has lost results, and still takes them: they are reported again.

let history: History;
let job: FakeJob;
let posted: string;
let failed: string;

beforeEach(async () => {
  history = await History.start();
  const added = await history.addJob(2);
  ({ job } = added);
  [posted = '', failed = ''] = added.ids;
  job.status = 'in_progress';
  await history.query(
    `UPDATE export_item SET state = 'failed', external_id = NULL, exported_at = NULL, failure_type = 'validation_failure',
       failure_reason = repeat('It has no account. ', 80) WHERE accounting_entry_id = $1`,
    failed,
  );
  await history.query(`DELETE FROM posting_intent WHERE accounting_entry_id = $1`, failed);
  await history.query(
    `UPDATE export_item SET exported_at = exported_at + interval '123 milliseconds', external_url = ''`,
  );
  history.erp.forget(failed);
  for (const id of [posted, failed]) {
    job.statuses.set(id, 'pending');
    job.results.delete(id);
  }
});
afterEach(async () => {
  await history.exports.close();
});

it('in the form in which they were reported first: reasons that fit, and times in whole seconds', async () => {
  await history.reconcile();
  expect(job.results.get(posted)).toEqual({
    accountingEntryId: posted,
    status: 'successful',
    exportedAt: '2026-03-02T10:00:00Z',
    externalId: `journal-${posted}`,
  });
  const { failureReason = '', ...rest } = job.results.get(failed) ?? {};
  expect(rest).toEqual({ accountingEntryId: failed, status: 'failed', failureReasonType: 'validation_failure' });
  expect(failureReason.length).toBeLessThanOrEqual(1_000);
  expect(failureReason).toMatch(/^It has no account\. .* … and more: the connector shows all of it\.$/);
});

it('and one that the platform does not take stays open, beside another that it took', async () => {
  const error = { type: 'ACCOUNTING_ENTRY_DOES_NOT_EXIST', message: 'no such entry' };
  history.exports.platform.itemErrors.set(posted, error);
  await history.reconcile();
  const found = await history.discrepancies();
  expect(found.filter((each) => each.subject !== job.id)).toEqual([
    { class: 'failure-not-reported', subject: failed, state: 'repaired' },
    { class: 'posted-not-reported', subject: posted, state: 'open' },
  ]);
  const filter = { state: 'open', class: 'posted-not-reported' } as const;
  const { installationId } = history.tenant;
  expect(await history.service.reader.listDiscrepancies(installationId, filter, undefined, 10)).toMatchObject([
    {
      evidence: {
        refusal: expect.stringMatching(/^ACCOUNTING_ENTRY_DOES_NOT_EXIST: no such entry\. Every comparison/),
      },
    },
  ]);
});

it('and a platform that takes neither results nor verdict of the job keeps no other job from its comparison', async () => {
  const { platform } = history.exports;
  const { ids: later } = await history.addJob(1);
  history.erp.forget(later[0] ?? '');
  platform.before = (call) => {
    if (call === 'update-items' || call === 'completed') {
      throw new PlatformRefusal(422, 'EXPORT_JOB_STATUS_UNPROCESSABLE', 'not now', undefined);
    }
  };
  await history.reconcile();
  expect(await history.lastRun()).toMatchObject({ state: 'completed', jobs: 2 });
  const states = new Map((await history.discrepancies()).map((each) => [`${each.class} ${each.subject}`, each.state]));
  expect(states.get(`posted-not-reported ${posted}`)).toBe('open');
  expect(states.get(`verdict-not-delivered ${job.id}`)).toBe('open');
  expect([...states.values()]).not.toContain('repaired');
  platform.before = () => undefined;
  await history.reconcile();
  expect(job.status).toBe('completed');
  expect([...job.statuses.values()]).toEqual(['successful', 'failed']);
});
