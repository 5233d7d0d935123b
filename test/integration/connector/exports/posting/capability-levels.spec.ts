import { describe, expect, it } from '@jest/globals';
import { ExportInStages } from '../../../../../src/connector/exports/items/export-in-stages.js';
import { isNotReached, losesRequest, NO_RESPONSE, postsWithoutResponse } from '../../../../support/fake-erp.js';
import { ExportsHarness } from '../exports-harness.js';
import { LEVELS, LeveledErp, type Level } from './leveled-erp.js';
import { startedOnce } from '../../../../support/started-once.js';

// What follows a post whose outcome is unknown, at each level of what the ERP offers
// (docs/rules/capability-levels.md, H7, H8).

const exports = startedOnce(() => ExportsHarness.start());

const at = async (level: Level, conflicts?: 'reverse-and-repost') => LeveledErp.of(exports, level, conflicts);
const all = Object.keys(LEVELS) as Level[];
const SCRIPTS = { 'with its effect': postsWithoutResponse, 'without its effect': losesRequest } as const;
const effects = Object.keys(SCRIPTS) as (keyof typeof SCRIPTS)[];
const searchable = all
  .filter((level) => level !== 'none')
  .flatMap((level) => effects.map((effect) => [level, effect] as const));

describe.each(searchable)('at %s, an unknown post %s', (level, effect) => {
  it('ends as one entry, reported once', async () => {
    const leveled = await at(level);
    const { entry, erp } = leveled;
    erp.script.push(SCRIPTS[effect]);
    const job = await entry.exportOf(entry.original());
    await leveled.runToItsEnd(job);
    expect(job.events).toEqual([{ event: 'started' }, { event: 'completed' }]);
    expect(erp.posts).toHaveLength(effect === 'with its effect' ? 1 : 2);
    expect(erp.standing(entry.id)).toBe(1);
    expect(await leveled.intent()).toEqual(['posted', false]);
  });

  it('is resolved by the next job when its own was cancelled', async () => {
    const leveled = await at(level);
    const { entry, erp } = leveled;
    erp.script.push(SCRIPTS[effect]);
    erp.lookUpFailure = NO_RESPONSE;
    const first = await entry.exportOf(entry.original());
    erp.lookUpFailure = undefined;
    first.status = 'cancelled';
    const second = await entry.exportOf(entry.original());
    leveled.expectHonesty(second);
    await leveled.runToItsEnd(second);
    expect(second.events.at(-1)).toEqual({ event: 'completed' });
    expect(erp.standing(entry.id)).toBe(1);
  });

  it('is resolved by the next worker when this one is killed', async () => {
    const leveled = await at(level);
    const { entry, erp } = leveled;
    const post = erp.post.bind(erp);
    erp.post = async (company, groups) => {
      erp.post = post;
      erp.script.push(SCRIPTS[effect]);
      await post(company, groups);
      throw new Error('killed');
    };
    const job = await entry.exportOf(entry.original());
    expect(await leveled.intent()).toEqual(['sent', false]);
    await leveled.runToItsEnd(job);
    expect(job.events).toEqual([{ event: 'started' }, { event: 'completed' }]);
    expect(erp.standing(entry.id)).toBe(1);
  });
});

describe('at `searchable-reference`', () => {
  it('nothing is sent again before the search is certain to show it, and other items continue meanwhile', async () => {
    const leveled = await at('searchable-reference');
    const { entry, erp } = leveled;
    const other = entry.other();
    const later = Array.from({ length: 120 }, () => entry.other());
    erp.script.push((group, fake) =>
      group.key === entry.id
        ? { outcome: 'unknown', failure: NO_RESPONSE }
        : { outcome: 'created', posted: fake.acceptGroup(group) },
    );
    const job = await entry.exportOf(entry.original(), other, ...later);
    expect(job.results.size).toBe(121);
    expect(job.results.has(entry.id)).toBe(false);
    expect(await exports.stateOf(job)).toBe('running');
    await entry.processQueueAgain();
    expect(erp.posts.flat().filter((key) => key === entry.id)).toHaveLength(1);
    expect(await leveled.intent()).toEqual(['uncertain', false]);
    await leveled.passMinutes(1);
    await entry.processQueueAgain();
    expect(erp.posts.flat().filter((key) => key === entry.id)).toHaveLength(2);
    expect(job.events.at(-1)).toEqual({ event: 'completed' });
  });

  it('a post that becomes certainly absent while the rest of the job is posted is posted again', async () => {
    const leveled = await at('searchable-reference');
    const { entry, erp } = leveled;
    const exportInStages = exports.get(ExportInStages);
    const { pace } = exportInStages;
    // Page after page: the second page is posted while the first is in doubt.
    exportInStages.pace = { pagesAhead: 0, plansAhead: 0, postsAhead: 0, chunksAhead: 0 };
    const post = erp.post.bind(erp);
    erp.post = () => {
      erp.post = async (...call) => {
        erp.post = post;
        await leveled.passMinutes(1);
        return post(...call);
      };
      throw new Error('killed before the request left');
    };
    const others = Array.from({ length: 140 }, () => entry.other());
    const job = await entry.exportOf(entry.original(), ...others);
    await entry.processQueueAgain();
    await leveled.runToItsEnd(job);
    exportInStages.pace = pace;
    expect([...job.results.values()].filter(({ status }) => status !== 'successful')).toEqual([]);
    expect(job.results.size).toBe(141);
    expect(job.events.at(-1)).toEqual({ event: 'completed' });
    expect(erp.standing(entry.id)).toBe(1);
  });

  it('the search lag is counted from the last request', async () => {
    const leveled = await at('searchable-reference');
    const { entry, erp } = leveled;
    erp.script.push(losesRequest, losesRequest);
    const job = await entry.exportOf(entry.original());
    await leveled.passMinutes(1);
    await entry.processQueueAgain();
    await entry.processQueueAgain();
    expect(erp.posts).toHaveLength(2);
    await leveled.passMinutes(1);
    await entry.processQueueAgain();
    expect(erp.posts).toHaveLength(3);
    expect(job.events.at(-1)).toEqual({ event: 'completed' });
  });

  it('a post of a killed worker is in doubt after the first search without a result', async () => {
    const leveled = await at('searchable-reference');
    const { entry, erp } = leveled;
    const post = erp.post.bind(erp);
    erp.post = () => {
      erp.post = post;
      throw new Error('killed');
    };
    const job = await entry.exportOf(entry.original());
    await entry.processQueueAgain();
    expect(await leveled.intent()).toEqual(['uncertain', false]);
    expect(job.results.size).toBe(0);
  });

  it('an ERP without responses is not sent one page after the other', async () => {
    const leveled = await at('searchable-reference');
    const { entry, erp } = leveled;
    erp.script.push(losesRequest, losesRequest, losesRequest);
    const job = await entry.exportOf(entry.original());
    expect(erp.posts).toHaveLength(1);
    expect(await exports.rows('export_job', job.id, 'next_run_at > now()')).toEqual([[true]]);
  });

  it('a reference taken by an entry that the search does not show yet is waited for', async () => {
    const leveled = await at('searchable-reference');
    const { entry, erp } = leveled;
    erp.seedDocument(entry.id, 'content of somebody else');
    const job = await entry.exportOf(entry.original());
    expect(job.results.size).toBe(0);
    await leveled.runToItsEnd(job);
    expect(entry.reasonIn(job)).toContain('This entry is in the books already');
    expect(erp.standing(entry.id)).toBe(1);
  });

  it('a request that certainly was not sent is sent again without a wait', async () => {
    const leveled = await at('searchable-reference');
    const { entry, erp } = leveled;
    erp.script.push(isNotReached);
    const job = await entry.exportOf(entry.original());
    expect(job.events.at(-1)).toEqual({ event: 'completed' });
    expect(entry.calls).toEqual(['post', 'post']);
  });

  it.each(effects)(
    'a post that is not shown by the deadline, %s, fails as in doubt and is searched later',
    async (effect) => {
      const leveled = await at('searchable-reference');
      const { entry, erp } = leveled;
      const job = await exports.addJob(entry.tenant, [entry.original()]);
      await leveled.passMinutes(49);
      erp.script.push(SCRIPTS[effect]);
      await entry.processQueueAgain();
      exports.clock.passMinutes(2);
      erp.now = () => exports.clock.now().getTime() - 120_000;
      await entry.processQueueAgain();
      expect(job.results.get(entry.id)).toMatchObject({
        status: 'failed',
        failureReasonType: 'accounting_system_timeout',
        failureReason: expect.stringContaining('It may be in the books'),
      });
      leveled.expectHonesty(job);
      expect(await leveled.intent()).toEqual(['uncertain', false]);

      erp.now = () => exports.clock.now().getTime();
      await leveled.passMinutes(2);
      await leveled.settle();
      expect(await leveled.intent()).toEqual(effect === 'with its effect' ? ['posted', true] : ['rejected', false]);

      const again = await entry.exportOf(entry.original());
      expect(again.events.at(-1)).toEqual({ event: 'completed' });
      expect(erp.posts).toHaveLength(effect === 'with its effect' ? 0 : 1);
      expect(erp.standing(entry.id)).toBe(1);
    },
  );

  it('an entry in doubt that cannot be booked now fails as in doubt, not as absent', async () => {
    const leveled = await at('searchable-reference');
    const { entry, erp } = leveled;
    erp.script.push(postsWithoutResponse);
    erp.lookUpFailure = NO_RESPONSE;
    const first = await entry.exportOf(entry.original());
    erp.lookUpFailure = undefined;
    first.status = 'cancelled';
    const second = await entry.exportOf(entry.changed('no such account'));
    expect(entry.reasonIn(second)).toContain('It may be in the books');
    leveled.expectHonesty(second);
  });

  it('a reversal that the search may not show yet is waited for', async () => {
    const leveled = await at('searchable-reference', 'reverse-and-repost');
    const { entry, erp } = leveled;
    await entry.exportOf(entry.original());
    await leveled.passMinutes(2);
    const reverse = erp.reverse.bind(erp);
    erp.reverse = (_, keys) => {
      erp.reverse = reverse;
      return Promise.resolve(keys.map(() => ({ outcome: 'unavailable', failure: NO_RESPONSE })));
    };
    const changed = await entry.exportOf(entry.changed());
    changed.status = 'cancelled';
    const back = await entry.exportOf(entry.original());
    expect(back.results.size).toBe(0);
    await exports.admin.query(
      `UPDATE posting_intent SET reversal_sent_at = reversal_sent_at - interval '1 minute' WHERE accounting_entry_id = $1`,
      [entry.id],
    );
    await entry.processQueueAgain();
    expect(back.results.get(entry.id)).toMatchObject({ status: 'successful', externalId: entry.externalId });
  });
});

describe('at `expiring-key`', () => {
  it.each(effects)('an expired key is not trusted, %s', async (effect) => {
    const leveled = await at('expiring-key');
    const { entry, erp } = leveled;
    erp.script.push(SCRIPTS[effect]);
    erp.lookUpFailure = NO_RESPONSE;
    const job = await entry.exportOf(entry.original());
    await leveled.passMinutes(31);
    await entry.processQueueAgain();
    expect(erp.posts).toHaveLength(1);
    erp.lookUpFailure = undefined;
    await leveled.runToItsEnd(job);
    expect(erp.posts).toHaveLength(effect === 'with its effect' ? 1 : 2);
    expect(erp.standing(entry.id)).toBe(1);
  });

  it('an entry under an expired key is found before something else is posted under it', async () => {
    const leveled = await at('expiring-key');
    const { entry, erp } = leveled;
    erp.seedDocument(entry.id, 'content of somebody else');
    const refused = await entry.exportOf(entry.original());
    expect(entry.reasonIn(refused)).toContain('This entry is in the books already');
    await leveled.passMinutes(31);
    const again = await entry.exportOf(entry.original());
    expect(entry.reasonIn(again)).toContain('This entry is in the books already');
    expect(entry.calls).toEqual(['find']);
    expect(erp.standing(entry.id)).toBe(1);
  });
});
