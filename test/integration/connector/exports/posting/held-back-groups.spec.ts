import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { companyData } from '../../../../../src/connector/bookkeeping/item/planning.fixtures.js';
import type { PostingGroup } from '../../../../../src/connector/erp/erp-ledger.js';
import type { JobMasterData } from '../../../../../src/connector/exports/items/job-master-data.js';
import type { JobRun } from '../../../../../src/connector/exports/run/job-run.js';
import { SubmitPostingGroups } from '../../../../../src/connector/exports/posting/submit-posting-groups.js';
import { FakeErp, losesRequest, NO_RESPONSE } from '../../../../support/fake-erp.js';
import { OneErp } from '../../../../support/one-erp.js';
import { postingGroup } from '../../../../../src/erp-contract/posting-group.builder.js';
import { ExportsHarness } from '../exports-harness.js';
import { LEVELS, type Level } from './leveled-erp.js';
import { startedOnce } from '../../../../support/started-once.js';

// Groups that may be in the books are held back, and the others of the same call are not.

const exports = startedOnce(() => ExportsHarness.start());
let erp: FakeErp;
let posting: SubmitPostingGroups;
let postAll: JobRun;

beforeEach(async () => {
  const tenant = await exports.addTenant();
  const job = await exports.addJob(tenant, []);
  erp = new FakeErp();
  posting = new SubmitPostingGroups(exports.database, exports.stores.postingIntentRepository, exports.clock);
  postAll = {
    job: await exports.job(tenant, job.id),
    lease: await exports.claimOrFail(tenant),
    erpCompanyId: erp.companyId,
    get erp() {
      return new OneErp(erp).forCompany();
    },
    mappingVersion: 1,
    // Posting plans nothing.
    bookedByHand: new Set(),
    masterData: { policies: companyData.policies } as unknown as JobMasterData,
    signal: new AbortController().signal,
  };
});

function group(key: string = randomUUID()): PostingGroup {
  const trail = {
    installationId: postAll.job.installationId,
    exportJobId: postAll.job.id,
    mappingVersion: 1,
    fence: postAll.lease.fence,
  };
  return postingGroup(key, { trail });
}

/** One group is sent into the dark, and comes again with others. */
async function again(level: Level) {
  erp.guarantee = LEVELS[level];
  const lost = group();
  erp.script.push(losesRequest);
  const first = await posting.submitAndLookUp(postAll, [lost]);
  erp.calls.length = 0;
  const fresh = group();
  return { lost, fresh, first, second: await posting.submitAndLookUp(postAll, [lost, fresh]) };
}

describe('a group that may be in the books', () => {
  it('is held back at `searchable-reference`, without an outcome, and does not block the run', async () => {
    const { lost, fresh, first, second } = await again('searchable-reference');
    expect([first.outcomes.size, first.failure]).toEqual([0, NO_RESPONSE]);
    expect([...second.outcomes.keys()]).toEqual([fresh.key]);
    expect(second.failure).toBeUndefined();
    expect(erp.posts).toEqual([[fresh.key]]);
    expect(erp.standing(lost.key)).toBe(0);
  });

  it('needs manual review at `none`', async () => {
    const { lost, fresh, first, second } = await again('none');
    expect([...first.outcomes]).toEqual([[lost.key, { outcome: 'needs-manual-review' }]]);
    expect(first.failure).toEqual(NO_RESPONSE);
    expect(second.outcomes.get(lost.key)).toEqual({ outcome: 'needs-manual-review' });
    expect(second.outcomes.get(fresh.key)?.outcome).toBe('created');
    expect(second.failure).toBeUndefined();
    expect(erp.calls).toEqual([{ call: 'post', keys: [fresh.key] }]);
  });

  it.each(['expiring-key', 'permanent-key'] as const)('is looked up and sent again at %s', async (level) => {
    erp.guarantee = LEVELS[level];
    const lost = group();
    erp.script.push(losesRequest);
    const { outcomes } = await posting.submitAndLookUp(postAll, [lost]);
    expect(outcomes.get(lost.key)?.outcome).toBe('created');
    expect(erp.calls.map(({ call }) => call)).toEqual(['post', 'find', 'post']);
  });
});
