import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { PostingGroup } from '../../../../../src/connector/erp/erp-ledger.js';
import type { JobBooks } from '../../../../../src/connector/exports/items/job-books.js';
import type { JobRun } from '../../../../../src/connector/exports/run/job-run.js';
import { PostGroups } from '../../../../../src/connector/exports/posting/post-groups.js';
import { FakeErp, losesRequest, NO_ANSWER } from '../../../../support/fake-erp.js';
import { postingGroup } from '../../../../contract/erp-ledger/posting-group.builder.js';
import { ExportsHarness } from '../exports-harness.js';
import { LEVELS, type Level } from './leveled-erp.js';

// Groups that may be in the books are held back, and the others of the same call are not.

let exports: ExportsHarness;
let erp: FakeErp;
let posting: PostGroups;
let run: JobRun;

beforeAll(async () => {
  exports = await ExportsHarness.start();
});
beforeEach(async () => {
  const tenant = await exports.addTenant();
  const job = await exports.addJob(tenant, []);
  erp = new FakeErp();
  posting = new PostGroups(exports.stores, erp, exports.clock);
  run = {
    job: await exports.job(tenant, job.id),
    lease: await exports.mustClaim(tenant),
    erpCompanyId: erp.companyId,
    mappingVersion: 1,
    // Posting plans nothing.
    books: Object.create(null) as JobBooks,
    signal: new AbortController().signal,
  };
});
afterAll(async () => {
  await exports.close();
});

function group(key: string = randomUUID()): PostingGroup {
  const trail = {
    installationId: run.job.installationId,
    exportJobId: run.job.id,
    mappingVersion: 1,
    fence: run.lease.fence,
  };
  return postingGroup(key, { trail });
}

/** One group is sent into the dark, and comes again with others. */
async function again(level: Level) {
  erp.capability = LEVELS[level];
  const lost = group();
  erp.script.push(losesRequest);
  const first = await posting.run(run, [lost]);
  erp.calls.length = 0;
  const fresh = group();
  return { lost, fresh, first, second: await posting.run(run, [lost, fresh]) };
}

describe('a group that may be in the books', () => {
  it('is held back at E1, without an outcome and without keeping the run from going on', async () => {
    const { lost, fresh, first, second } = await again('E1');
    expect([first.outcomes.size, first.failure]).toEqual([0, NO_ANSWER]);
    expect([...second.outcomes.keys()]).toEqual([fresh.key]);
    expect(second.failure).toBeUndefined();
    expect(erp.posts).toEqual([[fresh.key]]);
    expect(erp.standing(lost.key)).toBe(0);
  });

  it('is left to a person at E0', async () => {
    const { lost, fresh, first, second } = await again('E0');
    expect([...first.outcomes]).toEqual([[lost.key, { outcome: 'left-to-a-person' }]]);
    expect(first.failure).toEqual(NO_ANSWER);
    expect(second.outcomes.get(lost.key)).toEqual({ outcome: 'left-to-a-person' });
    expect(second.outcomes.get(fresh.key)?.outcome).toBe('created');
    expect(second.failure).toBeUndefined();
    expect(erp.calls).toEqual([{ call: 'post', keys: [fresh.key] }]);
  });

  it.each(['E2', 'E3'] as const)('is looked up and sent again at %s', async (level) => {
    erp.capability = LEVELS[level];
    const lost = group();
    erp.script.push(losesRequest);
    const { outcomes } = await posting.run(run, [lost]);
    expect(outcomes.get(lost.key)?.outcome).toBe('created');
    expect(erp.calls.map(({ call }) => call)).toEqual(['post', 'find', 'post']);
  });
});
