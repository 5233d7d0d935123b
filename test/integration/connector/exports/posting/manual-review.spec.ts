import { beforeEach, describe, expect, it } from '@jest/globals';
import { toAccountingEntryId } from '../../../../../src/kernel/ids.js';
import type { ManualResolution } from '../../../../../src/connector/exports/in-doubt/in-doubt-posting.repository.js';
import { isNotReached, losesRequest, NO_RESPONSE, postsWithoutResponse } from '../../../../support/fake-erp.js';
import { ExportsHarness } from '../exports-harness.js';
import { LeveledErp } from './leveled-erp.js';
import { InDoubtPostingReader } from '../../../../../src/connector/exports/in-doubt/in-doubt-posting.reader.js';
import { ResolveInDoubtPosting } from '../../../../../src/connector/exports/in-doubt/resolve-in-doubt-posting.js';
import { startedOnce } from '../../../../support/started-once.js';

// An ERP that neither knows keys nor can be searched (level `none`): what may be in its books is a person's to find out.

const exports = startedOnce(() => ExportsHarness.start());
let leveled: LeveledErp;

beforeEach(async () => {
  leveled = await LeveledErp.of(exports, 'none');
});

const SCRIPTS = { 'with its effect': postsWithoutResponse, 'without its effect': losesRequest } as const;
const effects = Object.keys(SCRIPTS) as (keyof typeof SCRIPTS)[];

async function listed(): Promise<readonly string[]> {
  const { installationId } = leveled.entry.tenant;
  return (await exports.get(InDoubtPostingReader).list(installationId, undefined, 10)).map(
    (each) => each.accountingEntryId,
  );
}

async function resolve(resolution: ManualResolution): Promise<string> {
  const { entry } = leveled;
  const id = toAccountingEntryId(entry.id);
  return exports
    .get(ResolveInDoubtPosting)
    .resolve(entry.tenant.installationId, id, undefined, resolution, 'token of Ann');
}

function sentence(): string {
  return `Look there for reference ${leveled.entry.id}`;
}

describe('at `none`, a post without failures', () => {
  it('is reported without a look-up', async () => {
    const { entry } = leveled;
    const job = await entry.exportOf(entry.original());
    expect(job.events.at(-1)).toEqual({ event: 'completed' });
    expect(entry.calls).toEqual(['post']);
  });

  it('that certainly was not sent is sent again, now and by the next worker', async () => {
    const { entry, erp } = leveled;
    erp.script.push(isNotReached, isNotReached, isNotReached);
    const job = await entry.exportOf(entry.original());
    expect(await leveled.intent()).toEqual(['rejected', false]);
    await entry.processQueueAgain();
    expect(job.events.at(-1)).toEqual({ event: 'completed' });
    expect(erp.standing(entry.id)).toBe(1);
  });
});

describe.each(effects)('at `none`, an unknown post %s', (effect) => {
  it('is never sent again, and its item states where to look', async () => {
    const { entry, erp } = leveled;
    erp.script.push(SCRIPTS[effect]);
    const job = await entry.exportOf(entry.original());
    await leveled.runToItsEnd(job);
    expect(job.results.get(entry.id)).toMatchObject({
      status: 'failed',
      failureReasonType: 'accounting_system_timeout',
      failureReason: expect.stringContaining(sentence()),
    });
    expect(await leveled.intent()).toEqual(['uncertain', false]);
    expect(await listed()).toEqual([entry.id]);

    for (const item of [entry.original(), entry.changed(), entry.changed('no such account')]) {
      const again = await entry.exportOf(item);
      expect(entry.reasonIn(again)).toContain(sentence());
      leveled.expectHonesty(again);
    }
    expect(entry.calls).toEqual([]);
    expect(erp.standing(entry.id)).toBe(effect === 'with its effect' ? 1 : 0);
  });

  it('needs manual review when the worker is killed with it', async () => {
    const { entry, erp } = leveled;
    const post = erp.post.bind(erp);
    erp.post = async (company, groups) => {
      erp.post = post;
      erp.script.push(SCRIPTS[effect]);
      await post(company, groups);
      throw new Error('killed');
    };
    const job = await entry.exportOf(entry.original());
    expect(await listed()).toEqual([]);
    await entry.processQueueAgain();
    expect(entry.reasonIn(job)).toContain(sentence());
    expect(await leveled.intent()).toEqual(['uncertain', false]);
    expect(await listed()).toEqual([entry.id]);
    leveled.expectHonesty(job);
  });

  it('of a job that no worker resumed is listed too', async () => {
    const { entry, erp } = leveled;
    const post = erp.post.bind(erp);
    erp.post = async (company, groups) => {
      erp.post = post;
      erp.script.push(SCRIPTS[effect]);
      await post(company, groups);
      throw new Error('killed');
    };
    const job = await entry.exportOf(entry.original());
    job.status = 'cancelled';
    await entry.processQueueAgain();
    expect(await leveled.intent()).toEqual(['uncertain', false]);
    expect(await listed()).toEqual([entry.id]);
    expect(await resolve({ outcome: 'not-in-the-books' })).toBe('resolved');
  });
});

describe('at `none`, an unknown post', () => {
  it('does not prevent the others from being posted', async () => {
    const { entry, erp } = leveled;
    const other = entry.other();
    erp.script.push((group, fake) =>
      group.key === entry.id
        ? { outcome: 'unknown', failure: NO_RESPONSE }
        : { outcome: 'created', posted: fake.acceptGroup(group) },
    );
    const job = await entry.exportOf(entry.original(), other);
    expect(job.results.get(other.accountingEntryId)?.status).toBe('successful');
    expect(entry.reasonIn(job)).toContain(sentence());
    expect(job.events.at(-1)).toEqual({ event: 'completed_with_errors' });
  });

  it('of every group sent pauses the job before more is sent', async () => {
    const { entry, erp } = leveled;
    erp.script.push(losesRequest);
    const job = await entry.exportOf(entry.original());
    expect(erp.posts).toHaveLength(1);
    expect(await exports.rows('export_job', job.id, 'state, next_run_at > now()')).toEqual([['running', true]]);
  });

  it('is still recorded when the worker has to stop', async () => {
    const { entry, erp } = leveled;
    const other = entry.other();
    const stopping = new AbortController();
    erp.script.push((group, fake) => {
      stopping.abort();
      return group.key === entry.id
        ? { outcome: 'created', posted: fake.acceptGroup(group) }
        : { outcome: 'not-sent', failure: NO_RESPONSE };
    });
    const job = await exports.addJob(entry.tenant, [entry.original(), other]);
    await exports.processQueue(entry.tenant, stopping.signal);
    expect(await leveled.intent()).toEqual(['posted', false]);
    await entry.processQueueAgain();
    expect(job.events.at(-1)).toEqual({ event: 'completed' });
    expect([erp.standing(entry.id), erp.standing(other.accountingEntryId)]).toEqual([1, 1]);
  });
});

describe('a manual review', () => {
  beforeEach(async () => {
    leveled.erp.script.push(postsWithoutResponse);
    const job = await leveled.entry.exportOf(leveled.entry.original());
    await leveled.runToItsEnd(job);
  });

  it('that found the entry has its id reported by the next export', async () => {
    const { entry, erp } = leveled;
    const found = {
      outcome: 'in-the-books',
      externalId: entry.externalId,
      externalUrl: 'https://erp/1',
    } as const;
    expect(await resolve({ ...found, note: 'seen in the journal' })).toBe('resolved');
    expect(await leveled.intent()).toEqual(['posted', true]);
    expect(await listed()).toEqual([]);
    const job = await entry.exportOf(entry.original());
    expect(job.results.get(entry.id)).toMatchObject({
      status: 'successful',
      externalId: entry.externalId,
      externalUrl: 'https://erp/1',
    });
    expect(entry.calls).toEqual([]);
    expect(erp.standing(entry.id)).toBe(1);
    const { rows } = await exports.admin.query(
      `SELECT outcome, external_id, external_url, note, resolved_by FROM posting_resolution WHERE accounting_entry_id = $1`,
      [entry.id],
    );
    expect(rows).toEqual([
      {
        outcome: 'in-the-books',
        external_id: entry.externalId,
        external_url: 'https://erp/1',
        note: 'seen in the journal',
        resolved_by: 'token of Ann',
      },
    ]);
  });

  it('that did not find it has it posted by the next export, once', async () => {
    const { entry, erp } = leveled;
    erp.reverseByHand(entry.id);
    expect(await resolve({ outcome: 'not-in-the-books' })).toBe('resolved');
    const job = await entry.exportOf(entry.original());
    expect(job.events.at(-1)).toEqual({ event: 'completed' });
    expect(erp.posts).toHaveLength(1);
    expect(erp.standing(entry.id)).toBe(1);
  });

  it('may be needed again when the next post is unknown too', async () => {
    const { entry, erp } = leveled;
    erp.reverseByHand(entry.id);
    await resolve({ outcome: 'not-in-the-books' });
    erp.script.push(losesRequest);
    await leveled.runToItsEnd(await entry.exportOf(entry.original()));
    expect(await listed()).toEqual([entry.id]);
    expect(await resolve({ outcome: 'not-in-the-books' })).toBe('resolved');
    const { rows } = await exports.admin.query(
      'SELECT count(*)::int AS count FROM posting_resolution WHERE accounting_entry_id = $1',
      [entry.id],
    );
    expect(rows).toEqual([{ count: 2 }]);
  });

  it.each([{ outcome: 'not-in-the-books' }, { outcome: 'in-the-books', externalId: 'J-1' }] as const)(
    'cannot state twice that it is %j',
    async (resolution) => {
      expect(await resolve(resolution)).toBe('resolved');
      expect(await resolve({ outcome: 'not-in-the-books' })).toBe('certain');
      expect(await resolve({ outcome: 'in-the-books', externalId: 'J-2' })).toBe('certain');
    },
  );

  it('cannot resolve a posting of another installation', async () => {
    const { entry } = leveled;
    const inDoubt = exports.get(ResolveInDoubtPosting);
    const other = await exports.addTenant();
    const id = toAccountingEntryId(entry.id);
    const said = inDoubt.resolve(other.installationId, id, undefined, { outcome: 'not-in-the-books' }, 'Bob');
    expect(await said).toBe('unknown');
    expect(await exports.get(InDoubtPostingReader).list(other.installationId, undefined, 10)).toEqual([]);
    expect(await listed()).toEqual([entry.id]);
  });

  it('has to name the ERP company when the entry is in doubt in two', async () => {
    const { entry } = leveled;
    const inDoubt = exports.get(ResolveInDoubtPosting);
    await exports.admin.query(
      `INSERT INTO posting_intent (installation_id, erp_company_id, accounting_entry_id, export_job_id, mapping_version,
         content_digest, plan_chunk_id, fence, state, created_at)
       SELECT installation_id, 'other', accounting_entry_id, export_job_id, mapping_version, content_digest, plan_chunk_id, fence,
         state, created_at FROM posting_intent WHERE accounting_entry_id = $1`,
      [entry.id],
    );
    const { installationId } = entry.tenant;
    const id = toAccountingEntryId(entry.id);
    const absent = { outcome: 'not-in-the-books' } as const;
    expect(await inDoubt.resolve(installationId, id, undefined, absent, 'Ann')).toBe('several');
    expect(await inDoubt.resolve(installationId, id, 'other', absent, 'Ann')).toBe('resolved');
    expect(await inDoubt.resolve(installationId, id, 'other', absent, 'Ann')).toBe('certain');
    expect(await inDoubt.resolve(installationId, id, undefined, absent, 'Ann')).toBe('resolved');
  });
});

describe('a changed entry at `none`', () => {
  it('stays in the books, and its item states that it cannot be reversed', async () => {
    leveled = await LeveledErp.of(exports, 'none', 'reverse-and-repost');
    const { entry, erp } = leveled;
    await entry.exportOf(entry.original());
    const changed = await entry.exportOf(entry.changed());
    expect(entry.reasonIn(changed)).toContain('The connector cannot reverse it in this accounting system');
    expect(entry.calls).toEqual([]);
    expect(await entry.intents()).toEqual([[1, 'posted', entry.externalId, false]]);
    const back = await entry.exportOf(entry.original());
    expect(back.events.at(-1)).toEqual({ event: 'completed' });
    expect(erp.standing(entry.id)).toBe(1);
  });
});
