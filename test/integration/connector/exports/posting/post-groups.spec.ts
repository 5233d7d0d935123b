import { PLAN_OF_INTENT } from '../../../../support/stored-plans.js';
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { LeaseLost } from '../../../../../src/connector/runs/lease.js';
import { JobMasterData } from '../../../../../src/connector/exports/items/job-master-data.js';
import type { JobRun } from '../../../../../src/connector/exports/run/job-run.js';
import { SubmitPostingGroups } from '../../../../../src/connector/exports/posting/submit-posting-groups.js';
import { fenced } from '../../../../../src/connector/exports/stores/fenced.js';
import { companyData } from '../../../../../src/connector/bookkeeping/item/planning.fixtures.js';
import type { PostingGroup } from '../../../../../src/connector/erp/erp-ledger.js';
import {
  FakeErp,
  isNotReached,
  losesRequest,
  NO_RESPONSE,
  postsWithoutResponse,
  refuses,
  UNREACHABLE,
} from '../../../../support/fake-erp.js';
import { OneErp } from '../../../../support/one-erp.js';
import { postingGroup } from '../../../../../src/erp-contract/posting-group.builder.js';
import { ExportsHarness, type Tenant } from '../exports-harness.js';
import { startedOnce } from '../../../../support/started-once.js';

const exports = startedOnce(() => ExportsHarness.start());
let tenant: Tenant;
let erp: FakeErp;
let posting: SubmitPostingGroups;
let postAll: JobRun;

beforeEach(async () => {
  tenant = await exports.addTenant();
  const job = await exports.addJob(tenant, []);
  erp = new FakeErp();
  posting = new SubmitPostingGroups(exports.database, exports.stores.postingIntentRepository, exports.clock);
  const settings = { accounts: companyData.settings, policies: companyData.policies };
  postAll = {
    job: await exports.job(tenant, job.id),
    lease: await exports.claimOrFail(tenant),
    erpCompanyId: erp.companyId,
    get erp() {
      return new OneErp(erp).forCompany();
    },
    mappingVersion: 1,
    bookedByHand: new Set(),
    masterData: new JobMasterData(new OneErp(erp).forCompany(), companyData, { version: 1, settings, rules: [] }),
    signal: new AbortController().signal,
  };
});

function group(key: string = randomUUID(), revision = 1): PostingGroup {
  const { job, lease } = postAll;
  return postingGroup(key, {
    revision,
    trail: {
      installationId: tenant.installationId,
      exportJobId: job.id,
      mappingVersion: 1,
      fence: lease.fence,
    },
  });
}

async function intents(): Promise<readonly (readonly unknown[])[]> {
  return exports.rows('posting_intent', postAll.job.id, 'accounting_entry_id, state');
}

function calls(): readonly string[] {
  return erp.calls.map(({ call }) => call);
}

describe('before the ERP is called', () => {
  it('the intent is committed, with its content, plan and fence', async () => {
    const one = group();
    const seen: unknown[] = [];
    erp.onPost = async () => {
      const columns = `accounting_entry_id, state, content_digest, fence, jsonb_array_length(${PLAN_OF_INTENT})`;
      seen.push(...(await exports.rows('posting_intent', postAll.job.id, columns)));
    };
    const { outcomes } = await posting.submitAndLookUp(postAll, [one]);
    expect(seen).toEqual([[one.key, 'sent', one.contentDigest, '1', 1]]);
    expect(outcomes.get(one.key)?.outcome).toBe('created');
  });

  it('a lost lease prevents the intent and the call', async () => {
    await exports.expireLease(tenant);
    await exports.claimOrFail(tenant);
    await expect(posting.submitAndLookUp(postAll, [group()])).rejects.toThrow(LeaseLost);
    expect(await intents()).toEqual([]);
    expect(calls()).toEqual([]);
  });

  it('a stopping worker begins nothing', async () => {
    const stopping = { ...postAll, signal: AbortSignal.abort(new Error('stopping')) };
    await expect(posting.submitAndLookUp(stopping, [group()])).rejects.toThrow('stopping');
    expect(await intents()).toEqual([]);
    expect(calls()).toEqual([]);
  });
});

describe('a call whose outcome is unknown', () => {
  it('but whose effect is found counts as posted and is not repeated', async () => {
    const one = group();
    erp.script.push(postsWithoutResponse);
    const { outcomes, failure } = await posting.submitAndLookUp(postAll, [one]);
    expect(outcomes.get(one.key)?.outcome).toBe('existed');
    expect(failure).toBeUndefined();
    expect(calls()).toEqual(['post', 'find']);
  });

  it('and whose effect is certainly missing is repeated, after the look-up', async () => {
    const one = group();
    erp.script.push(losesRequest);
    const { outcomes } = await posting.submitAndLookUp(postAll, [one]);
    expect(outcomes.get(one.key)?.outcome).toBe('created');
    expect(calls()).toEqual(['post', 'find', 'post']);
  });

  it('and that cannot be looked up is not repeated, and the intent is in doubt', async () => {
    const one = group();
    erp.script.push(postsWithoutResponse);
    erp.lookUpFailure = NO_RESPONSE;
    const { outcomes, failure } = await posting.submitAndLookUp(postAll, [one]);
    expect(outcomes.size).toBe(0);
    expect(failure).toEqual(NO_RESPONSE);
    expect(calls()).toEqual(['post', 'find']);
    expect(await intents()).toEqual([[one.key, 'uncertain']]);
  });

  it('is a conflict when the key has other content', async () => {
    const one = group();
    erp.script.push(({ key }, ledger) => {
      ledger.seedDocument(key, 'other content');
      return { outcome: 'unknown', failure: NO_RESPONSE };
    });
    const { outcomes } = await posting.submitAndLookUp(postAll, [one]);
    expect(outcomes.get(one.key)?.outcome).toBe('conflict');
    expect(calls()).toEqual(['post', 'find']);
  });

  it('is marked uncertain before the look-up', async () => {
    const one = group();
    erp.script.push(losesRequest);
    const seen: unknown[] = [];
    const find = erp.findPosted.bind(erp);
    erp.findPosted = async (company, keys) => {
      seen.push(...(await intents()));
      return find(company, keys);
    };
    await posting.submitAndLookUp(postAll, [one]);
    expect(seen).toEqual([[one.key, 'uncertain']]);
  });

  it('ends after three rounds, each with its look-up', async () => {
    erp.script.push(losesRequest, losesRequest, losesRequest);
    const { outcomes, failure } = await posting.submitAndLookUp(postAll, [group()]);
    expect(outcomes.size).toBe(0);
    expect(failure).toEqual(NO_RESPONSE);
    expect(calls()).toEqual(['post', 'find', 'post', 'find', 'post', 'find']);
  });

  it('includes the entries that a response omits', async () => {
    const [one, two] = [group(), group()];
    const post = erp.post.bind(erp);
    erp.post = async (company, groups) => (await post(company, groups)).slice(0, 1);
    const { outcomes } = await posting.submitAndLookUp(postAll, [one, two]);
    expect([...outcomes.values()].map(({ outcome }) => outcome)).toEqual(['created', 'existed']);
    expect(erp.posts).toEqual([[one.key, two.key]]);
  });

  it('holds back its own entry only', async () => {
    const [lost, posted] = [group(), group()];
    erp.script.push(({ key, contentDigest }, ledger) =>
      key === lost.key
        ? { outcome: 'unknown', failure: NO_RESPONSE }
        : { outcome: 'created', posted: ledger.seedDocument(key, contentDigest) },
    );
    const { outcomes } = await posting.submitAndLookUp(postAll, [lost, posted]);
    expect([...outcomes.values()].map(({ outcome }) => outcome)).toEqual(['created', 'created']);
    expect(erp.posts).toEqual([[lost.key, posted.key], [lost.key]]);
  });
});

describe('a group that the ERP has, but reversed', () => {
  const states = () => exports.rows('posting_intent', postAll.job.id, 'revision, state, content_digest');

  it.each(['other content', 'the same'])('%s, is posted as the next revision', async (content) => {
    const one = group();
    const digest = content === 'the same' ? one.contentDigest : content;
    erp.seedDocument(one.key, digest);
    erp.reverseByHand(one.key);
    const { outcomes, replaced, failure } = await posting.submitAndLookUp(postAll, [one]);
    expect(outcomes.get(one.key)).toMatchObject({ outcome: 'created', posted: { revision: 2 } });
    expect(replaced).toEqual(new Map([[one.key, `journal-${one.key}`]]));
    expect(failure).toBeUndefined();
    expect(calls()).toEqual(['post', 'post']);
    expect(await states()).toEqual(
      expect.arrayContaining([
        [1, 'reversed', digest],
        [2, 'sent', one.contentDigest],
      ]),
    );
  });

  it('does not change the outcomes of other groups when it is posted', async () => {
    const [gone, fresh] = [group(), group()];
    erp.seedDocument(gone.key, 'other content');
    erp.reverseByHand(gone.key);
    const { outcomes, replaced } = await posting.submitAndLookUp(postAll, [gone, fresh]);
    expect([...outcomes.keys()]).toEqual([fresh.key, gone.key]);
    expect([...replaced.keys()]).toEqual([gone.key]);
    expect(erp.posts).toEqual([[gone.key, fresh.key], [gone.key]]);
  });

  it('is found by a look-up too', async () => {
    const one = group();
    erp.script.push((given, ledger) => {
      const outcome = postsWithoutResponse(given, ledger);
      ledger.reverseByHand(given.key);
      return outcome;
    });
    const { outcomes } = await posting.submitAndLookUp(postAll, [one]);
    expect(outcomes.get(one.key)).toMatchObject({ outcome: 'created', posted: { revision: 2 } });
    expect(calls()).toEqual(['post', 'find', 'post']);
  });

  it('is posted at most three times while it is reversed each time', async () => {
    const one = group();
    erp.onPost = () => {
      erp.seedDocument(one.key, 'other content');
      erp.reverseByHand(one.key);
      return Promise.resolve();
    };
    const { outcomes, failure } = await posting.submitAndLookUp(postAll, [one]);
    expect(outcomes.size).toBe(0);
    expect(failure?.message).toContain('reversed the entry each time');
    expect(calls()).toEqual(['post', 'post', 'post']);
  });

  it('cannot be marked as reversed without an intent', async () => {
    const found = new Map([[randomUUID(), { contentDigest: 'other', externalId: 'J-1', externalUrl: '' }]]);
    const reversed = fenced(exports.database, 'reverse', postAll.lease, (tx) =>
      exports.stores.postingIntentRepository.markReversed(tx, postAll.job, postAll.erpCompanyId, found),
    );
    await expect(reversed).rejects.toThrow('of 1 entries reversed, 0 had an intent');
  });

  it('in the previous revision does not match a look-up', async () => {
    const key = randomUUID();
    await posting.submitAndLookUp(postAll, [group(key)]);
    await exports.admin.query(
      `UPDATE posting_intent SET state = 'posted', external_id = 'J-1' WHERE accounting_entry_id = $1`,
      [key],
    );
    await exports.admin.query(`UPDATE posting_intent SET state = 'reversed' WHERE accounting_entry_id = $1`, [key]);
    erp.reverseByHand(key);
    erp.calls.length = 0;
    erp.script.push(losesRequest);
    const { outcomes, replaced } = await posting.submitAndLookUp(postAll, [group(key, 2)]);
    expect(outcomes.get(key)).toMatchObject({ outcome: 'created', posted: { revision: 2 } });
    expect(replaced.size).toBe(0);
    expect(calls()).toEqual(['post', 'find', 'post']);
  });
});

describe('a call with a certain outcome', () => {
  it('that was not sent is tried again', async () => {
    const one = group();
    erp.script.push(isNotReached);
    const { outcomes, failure } = await posting.submitAndLookUp(postAll, [one]);
    expect(outcomes.get(one.key)?.outcome).toBe('created');
    expect(failure).toBeUndefined();
    expect(erp.posts).toHaveLength(2);
  });

  it('that is never sent ends with the reason', async () => {
    erp.failure = UNREACHABLE;
    const { outcomes, failure } = await posting.submitAndLookUp(postAll, [group()]);
    expect(outcomes.size).toBe(0);
    expect(failure).toEqual(UNREACHABLE);
  });

  it('is refused permanently', async () => {
    const one = group();
    erp.script.push(refuses('period is closed'));
    const { outcomes } = await posting.submitAndLookUp(postAll, [one]);
    expect(outcomes.get(one.key)).toEqual({ outcome: 'refused', message: 'period is closed' });
    expect(calls()).toEqual(['post']);
  });

  it('conflicts when the key has other content', async () => {
    const one = group();
    erp.seedDocument(one.key, 'other content');
    const { outcomes } = await posting.submitAndLookUp(postAll, [one]);
    expect(outcomes.get(one.key)?.outcome).toBe('conflict');
    expect(calls()).toEqual(['post']);
  });
});
