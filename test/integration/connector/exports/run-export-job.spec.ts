import { beforeEach, describe, expect, it } from '@jest/globals';
import { DetectExportJobs } from '../../../../src/connector/exports/run/detect-export-jobs.js';
import { PlatformRefusal } from '../../../../src/connector/platform/platform-error.js';
import { NoResponse } from '../../../../src/foundation/http/client/http-client.js';
import { refuses } from '../../../support/fake-erp.js';
import { ExportsHarness, purchase, purchases, type Tenant } from './exports-harness.js';
import type { FakeJob } from '../../../support/platform/fake-platform.js';
import { startedOnce } from '../../../support/started-once.js';

const exports = startedOnce(() => ExportsHarness.start());
let tenant: Tenant;

beforeEach(async () => {
  exports.platform.restore();
  exports.erp.restore();
  tenant = await exports.addTenant();
});

function idsOf(items: readonly { readonly accountingEntryId: string }[]): readonly string[] {
  return items.map(({ accountingEntryId }) => accountingEntryId);
}

describe('a job without failures', () => {
  it('is started, posted, reported in calls of at most 100 and completed', async () => {
    const items = purchases(tenant.companyId, 250);
    const job = await exports.addJob(tenant, items);
    await exports.processQueue(tenant);
    expect(job.events).toEqual([{ event: 'started' }, { event: 'completed' }]);
    expect(job.updates).toEqual([100, 100, 50]);
    expect([...job.statuses.values()].every((status) => status === 'successful')).toBe(true);
    expect(exports.erp.posts.flat()).toEqual(idsOf(items));
    expect(await exports.stateOf(job)).toBe('completed');
  });

  it('reports the reference in the books of each item', async () => {
    const [item] = purchases(tenant.companyId, 1);
    const job = await exports.addJob(tenant, item === undefined ? [] : [item]);
    await exports.processQueue(tenant);
    const id = item?.accountingEntryId ?? '';
    expect(job.results.get(id)).toEqual({
      accountingEntryId: id,
      status: 'successful',
      externalId: `journal-${id}`,
      externalUrl: `erp://${id}`,
      exportedAt: '2026-02-10T12:00:00Z',
    });
    expect(await exports.rows('posting_intent', job.id, 'state, external_id')).toEqual([['posted', `journal-${id}`]]);
  });

  it('has every message in the outbox, delivered, in order', async () => {
    const job = await exports.addJob(tenant, purchases(tenant.companyId, 1));
    await exports.processQueue(tenant);
    expect(await exports.rows('outbox', job.id, 'seq, kind, delivered_at IS NOT NULL')).toEqual([
      [1, 'started', true],
      [2, 'items', true],
      [3, 'verdict', true],
    ]);
  });

  it('without items is completed', async () => {
    const job = await exports.addJob(tenant, []);
    await exports.processQueue(tenant);
    expect(job.events).toEqual([{ event: 'started' }, { event: 'completed' }]);
  });

  it('runs before a younger one of its company', async () => {
    const young = await exports.addJob(tenant, purchases(tenant.companyId, 1), {
      createdAt: new Date('2026-02-10T11:59:00Z'),
    });
    const old = await exports.addJob(tenant, purchases(tenant.companyId, 1), {
      createdAt: new Date('2026-02-10T11:58:00Z'),
    });
    await exports.processQueue(tenant);
    expect(exports.erp.posts).toEqual([[...old.statuses.keys()], [...young.statuses.keys()]]);
  });
});

describe('a job that was just detected', () => {
  interface Detected extends Partial<FakeJob> {
    /** What becomes of it on the platform before it starts. */
    readonly then?: ((job: FakeJob) => void) | undefined;
    readonly attempts?: number | undefined;
  }

  async function detected({ then = () => undefined, attempts = 0, ...changes }: Detected = {}): Promise<FakeJob> {
    const job = exports.platform.addJob(tenant.companyId, purchases(tenant.companyId, 1), changes);
    await exports.get(DetectExportJobs).detect(tenant.installationId);
    await exports.admin.query('UPDATE export_job SET attempts = $2, version = version + 1 WHERE id = $1', [
      job.id,
      attempts,
    ]);
    then(job);
    exports.platform.calls.length = 0;
    await exports.processQueue(tenant);
    return job;
  }

  it('starts without being fetched', async () => {
    const job = await detected();
    expect(exports.platform.calls).toEqual(['started', 'item-data', 'update-items', 'completed']);
    expect(job.events).toEqual([{ event: 'started' }, { event: 'completed' }]);
  });

  it.each([
    { name: 'in progress', status: 'in_progress' },
    { name: 'pending, after an attempt', attempts: 1 },
    {
      name: 'pending, half a minute later',
      then: () => {
        exports.clock.freezeMinutes(0.5);
      },
    },
  ])('is fetched first when it was $name', async ({ status, attempts, then }) => {
    await detected({ ...(status && { status }), attempts, then });
    expect(exports.platform.calls[0]).toBe('job');
  });

  it('ends here when the platform has ended it in between', async () => {
    const job = await detected({ then: (ended) => (ended.status = 'failed') });
    expect([job.events, exports.erp.posts]).toEqual([[], []]);
    expect(await exports.stateOf(job)).toBe('closed_by_platform');
  });
});

describe('a job with failed items', () => {
  it('is completed with errors, with the reasons of the failed items', async () => {
    const [good, bad] = [purchase(tenant.companyId), purchase(tenant.companyId, { account: '0000' })];
    const job = await exports.addJob(tenant, [good, bad]);
    await exports.processQueue(tenant);
    expect(job.events.at(-1)).toEqual({ event: 'completed_with_errors' });
    expect(job.results.get(good.accountingEntryId)?.status).toBe('successful');
    expect(job.results.get(bad.accountingEntryId)).toMatchObject({
      status: 'failed',
      failureReasonType: 'account_unknown',
    });
    expect(await exports.stateOf(job)).toBe('completed_with_errors');
  });

  it('fails when no item succeeded, with the reason of most of them', async () => {
    exports.erp.script.push(refuses('the period is locked'));
    const job = await exports.addJob(tenant, purchases(tenant.companyId, 2));
    await exports.processQueue(tenant);
    const reason = 'None of the 2 entries could be exported. The accounting system refused the entry';
    expect(job.events.at(-1)).toMatchObject({
      event: 'failed',
      failureReason: expect.stringContaining(reason),
    });
    expect(await exports.rows('posting_intent', job.id, 'state')).toEqual([['rejected'], ['rejected']]);
    expect(await exports.stateOf(job)).toBe('failed');
  });

  it('fails an unreadable item alone', async () => {
    const good = purchase(tenant.companyId);
    const { accountingEntryId } = purchase(tenant.companyId);
    const job = await exports.addJob(tenant, [{ accountingEntryId, unreadable: 'amount: is missing' }, good]);
    await exports.processQueue(tenant);
    expect(job.results.get(accountingEntryId)).toMatchObject({
      status: 'failed',
      failureReasonType: 'validation_failure',
      failureReason: expect.stringContaining('amount: is missing'),
    });
    expect(exports.erp.posts).toEqual([[good.accountingEntryId]]);
    expect(job.events.at(-1)).toEqual({ event: 'completed_with_errors' });
  });

  it('fails a listed item without data', async () => {
    const [given, missing] = [purchase(tenant.companyId), purchase(tenant.companyId)];
    const job = await exports.addJob(tenant, [given, missing], { data: [given] });
    await exports.processQueue(tenant);
    expect(job.results.get(missing.accountingEntryId)).toMatchObject({
      status: 'failed',
      failureReasonType: 'unexpected_failure',
    });
    expect(job.events.at(-1)).toEqual({ event: 'completed_with_errors' });
  });

  it('fails many such items in calls of at most 100', async () => {
    const job = await exports.addJob(tenant, purchases(tenant.companyId, 250), { data: [] });
    await exports.processQueue(tenant);
    expect(job.updates).toEqual([100, 100, 50]);
    expect([...job.statuses.values()].every((status) => status === 'failed')).toBe(true);
    expect(job.events.at(-1)).toMatchObject({ event: 'failed' });
  });

  it('keeps the platform’s message for a result that it refused', async () => {
    const item = purchase(tenant.companyId);
    exports.platform.itemErrors.set(item.accountingEntryId, { type: 'ITEM_LOCKED', message: 'locked' });
    const job = await exports.addJob(tenant, [item]);
    await exports.processQueue(tenant);
    expect(await exports.rows('export_item', job.id, 'state, report_problem')).toEqual([
      ['successful', 'ITEM_LOCKED: locked'],
    ]);
  });
});

describe('an accounting entry that an earlier job exported', () => {
  it('is reported with its id and not posted again', async () => {
    const item = purchase(tenant.companyId);
    await exports.addJob(tenant, [item]);
    await exports.processQueue(tenant);
    const again = await exports.addJob(tenant, [item]);
    exports.erp.restore();
    await exports.processQueue(tenant);
    expect(exports.erp.posts).toEqual([]);
    expect(again.results.get(item.accountingEntryId)).toMatchObject({
      status: 'successful',
      externalId: `journal-${item.accountingEntryId}`,
    });
    expect(again.events.at(-1)).toEqual({ event: 'completed' });
  });

  it('fails when its content has changed, with its reference in the books', async () => {
    const item = purchase(tenant.companyId);
    const { accountingEntryId: id } = item;
    await exports.addJob(tenant, [item]);
    await exports.processQueue(tenant);
    const again = await exports.addJob(tenant, [purchase(tenant.companyId, { id, amount: '99900' })]);
    exports.erp.restore();
    await exports.processQueue(tenant);
    expect(exports.erp.posts).toEqual([]);
    expect(again.results.get(id)).toMatchObject({
      status: 'failed',
      failureReasonType: 'validation_failure',
      failureReason: expect.stringContaining(`in the books already (journal-${id})`),
    });
  });

  it('is posted by a later job when the ERP had refused it', async () => {
    const item = purchase(tenant.companyId);
    exports.erp.script.push(refuses('no'));
    await exports.addJob(tenant, [item]);
    await exports.processQueue(tenant);
    const again = await exports.addJob(tenant, [item]);
    await exports.processQueue(tenant);
    expect(again.results.get(item.accountingEntryId)?.status).toBe('successful');
  });
});

describe('a job without configuration', () => {
  it.each([
    ['the mapping', { mapping: false }, 'accounts of the connector are not configured'],
    ['an ERP company', { erpCompany: false }, 'No company of the accounting system is linked'],
  ])('fails without %s, before any item is read', async (_, options, reason) => {
    const bare = await exports.addTenant(options);
    const job = await exports.addJob(bare, purchases(bare.companyId, 1));
    await exports.processQueue(bare);
    expect(job.events).toEqual([
      { event: 'started' },
      {
        event: 'failed',
        failureReasonType: 'missing_configuration',
        failureReason: expect.stringContaining(reason),
      },
    ]);
    expect(exports.platform.calls).not.toContain('item-data');
    expect(await exports.stateOf(job)).toBe('failed');
  });

  it('fails when the ERP no longer knows the company', async () => {
    exports.erp.masterData = undefined;
    const job = await exports.addJob(tenant, purchases(tenant.companyId, 1));
    await exports.processQueue(tenant);
    expect(job.events.at(-1)).toMatchObject({ event: 'failed', failureReasonType: 'invalid_configuration' });
  });

  it('fails with the platform’s message when its contra accounts are missing', async () => {
    exports.platform.before = (call) => {
      if (call === 'item-data') {
        throw new PlatformRefusal(422, 'MISSING_CONTRA_ACCOUNTS', 'Wallet EUR has no account', undefined);
      }
    };
    const job = await exports.addJob(tenant, purchases(tenant.companyId, 1));
    await exports.processQueue(tenant);
    expect(job.events.at(-1)).toEqual({
      event: 'failed',
      failureReasonType: 'missing_configuration',
      failureReason: 'Wallet EUR has no account',
    });
    expect(await exports.rows('export_job', job.id, 'state, failure_type')).toEqual([
      ['failed', 'missing_configuration'],
    ]);
  });
});

describe('a job that was started before', () => {
  it('is resumed without a second started', async () => {
    const job = await exports.addJob(tenant, purchases(tenant.companyId, 1), { status: 'in_progress' });
    await exports.processQueue(tenant);
    expect(exports.platform.calls).not.toContain('started');
    expect(job.events).toEqual([{ event: 'completed' }]);
  });

  it.each(['started', 'completed'] as const)('continues when the response to its “%s” was lost', async (lost) => {
    const job = await exports.addJob(tenant, purchases(tenant.companyId, 1));
    exports.platform.after = (call) => {
      if (call === lost) {
        exports.platform.after = () => undefined;
        throw new NoResponse('connection reset', true);
      }
    };
    await exports.processQueue(tenant);
    await exports.processQueueAgain(tenant);
    expect(job.events).toEqual([{ event: 'started' }, { event: 'completed' }]);
    expect(await exports.stateOf(job)).toBe('completed');
  });

  it('ends as decided when the repeated verdict is refused', async () => {
    const job = await exports.addJob(tenant, purchases(tenant.companyId, 1));
    exports.platform.after = (call) => {
      if (call === 'completed') {
        throw new PlatformRefusal(422, 'INVALID_STATE', 'the job is completed', undefined);
      }
    };
    await exports.processQueue(tenant);
    expect(job.events).toHaveLength(2);
    expect(await exports.stateOf(job)).toBe('completed');
    expect(await exports.rows('outbox', job.id, 'delivered_at IS NULL')).not.toContainEqual([true]);
  });
});
