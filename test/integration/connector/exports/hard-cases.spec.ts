import { beforeEach, describe, expect, it } from '@jest/globals';
import { PlatformRefusal } from '../../../../src/connector/platform/platform-error.js';
import { NoResponse } from '../../../../src/foundation/http/client/http-client.js';
import { NO_RESPONSE, postsWithoutResponse, UNREACHABLE } from '../../../support/fake-erp.js';
import { ExportsHarness, purchase, purchases, type Tenant } from './exports-harness.js';
import { startedOnce } from '../../../support/started-once.js';

// Cases in which the pipeline once broke a rule of the specification.

const exports = startedOnce(() => ExportsHarness.start());
let tenant: Tenant;

beforeEach(async () => {
  exports.platform.restore();
  exports.erp.restore();
  tenant = await exports.addTenant();
});

describe('a verdict: failed means that nothing succeeded [I4]', () => {
  it('counts what was posted before the ERP stopped responding permanently', async () => {
    const job = await exports.addJob(tenant, purchases(tenant.companyId, 150));
    exports.erp.onPost = () => {
      exports.erp.failure = exports.erp.posts.length > 1 ? UNREACHABLE : undefined;
      return Promise.resolve();
    };
    await exports.processQueue(tenant);
    exports.clock.passMinutes(51);
    await exports.processQueueAgain(tenant);
    expect(job.results.size).toBe(150);
    expect(job.events.at(-1)).toEqual({ event: 'completed_with_errors' });
  });

  it('counts what the platform already has from an earlier run', async () => {
    const [failed, open] = [purchase(tenant.companyId), purchase(tenant.companyId)];
    const job = await exports.addJob(tenant, [failed, open], { status: 'in_progress', data: [open] });
    job.statuses.set(failed.accountingEntryId, 'failed');
    await exports.processQueue(tenant);
    expect(job.events.at(-1)).toEqual({ event: 'completed_with_errors' });
  });
});

describe('the end of a job', () => {
  it.each([
    ['failed, with the reason', { status: 'failed', failureReasonType: 'job_expired' }],
    ['expired', { status: 'expired' }],
  ])('is expired when its failed verdict came too late and it is shown as %s [I3]', async (_, shown) => {
    const bare = await exports.addTenant({ mapping: false });
    const job = await exports.addJob(bare, purchases(bare.companyId, 1));
    exports.platform.before = (call) => {
      if (call === 'failed') {
        throw new NoResponse('connection refused', false);
      }
    };
    await exports.processQueue(bare);
    exports.platform.restore();
    Object.assign(job, shown);
    await exports.processQueueAgain(bare);
    expect(await exports.stateOf(job)).toBe('expired');
  });

  it.each(['update-items', 'completed'] as const)(
    'does not follow from a refused “%s” while the platform has the job open [I3]',
    async (refused) => {
      const job = await exports.addJob(tenant, purchases(tenant.companyId, 1));
      exports.platform.before = (call) => {
        if (call === refused) {
          throw new PlatformRefusal(422, 'VALIDATION_FAILURE', 'not like this', undefined);
        }
      };
      await exports.processQueue(tenant);
      expect(job.status).toBe('in_progress');
      expect(await exports.stateOf(job)).not.toBe('closed_by_platform');
    },
  );
});

describe('an accounting entry that may have been posted', () => {
  it('is looked up before it is reported as failed for lack of time [I4]', async () => {
    const item = purchase(tenant.companyId);
    const job = await exports.addJob(tenant, [item]);
    exports.erp.script.push(postsWithoutResponse);
    exports.erp.lookUpFailure = NO_RESPONSE;
    await exports.processQueue(tenant);
    exports.erp.restore();
    exports.clock.passMinutes(51);
    await exports.processQueueAgain(tenant);
    expect(exports.erp.posts).toEqual([]);
    expect(job.results.get(item.accountingEntryId)?.status).toBe('successful');
  });

  it('is looked up before the whole job fails for another reason [I4]', async () => {
    const item = purchase(tenant.companyId);
    const job = await exports.addJob(tenant, [item]);
    exports.erp.script.push(postsWithoutResponse);
    exports.erp.lookUpFailure = NO_RESPONSE;
    await exports.processQueue(tenant);
    exports.erp.restore();
    exports.platform.before = (call) => {
      if (call === 'item-data') {
        throw new PlatformRefusal(400, 'MISSING_CONTRA_ACCOUNTS', 'Wallet EUR has no account', undefined);
      }
    };
    await exports.processQueueAgain(tenant);
    expect(job.results.get(item.accountingEntryId)?.status).toBe('successful');
    expect(job.events.at(-1)).toEqual({ event: 'completed' });
  });

  it('has its intent settled when it is found with other content [I18]', async () => {
    const item = purchase(tenant.companyId);
    const { accountingEntryId: id } = item;
    const first = await exports.addJob(tenant, [item]);
    exports.erp.script.push(postsWithoutResponse);
    exports.erp.lookUpFailure = NO_RESPONSE;
    await exports.processQueue(tenant);
    first.status = 'cancelled';
    exports.erp.restore();
    await exports.addJob(tenant, [purchase(tenant.companyId, { id, amount: '99900' })]);
    await exports.processQueueAgain(tenant);
    expect(await exports.rows('posting_intent', first.id, 'state')).toEqual([['posted']]);
  });
});

describe('a malformed page [I25]', () => {
  it('with one item twice does not prevent the job from ending', async () => {
    const item = purchase(tenant.companyId);
    const job = await exports.addJob(tenant, [item], { data: [item, item] });
    await exports.processQueue(tenant);
    expect(await exports.stateOf(job)).toBe('completed');
  });
});
