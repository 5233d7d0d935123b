import { describe, expect, it } from '@jest/globals';
import type { AcceptedGroup } from '../../../../../src/connector/erp/erp-ledger.js';
import { accepts, NO_RESPONSE } from '../../../../support/fake-erp.js';
import { startedOnce } from '../../../../support/started-once.js';
import { ExportsHarness } from '../exports-harness.js';
import { LEVELS, LeveledErp, type Level } from './leveled-erp.js';

// An ERP that takes a post in and says later what became of it: it is asked by the handle, which is kept with the intent.

const exports = startedOnce(() => ExportsHarness.start());
const levels = Object.keys(LEVELS) as Level[];

async function at(level: Level): Promise<LeveledErp> {
  const leveled = await LeveledErp.of(exports, level);
  leveled.erp.outcomeLater = { mayTakeMs: 0 };
  leveled.erp.script.push(accepts);
  return leveled;
}

const handleOf = async ({ entry }: LeveledErp) => {
  const { rows } = await exports.admin.query<{ handle: string | null }>(
    'SELECT accepted_handle AS handle FROM posting_intent WHERE accounting_entry_id = $1',
    [entry.id],
  );
  return rows[0]?.handle;
};

/** Carried out as it is asked for. */
const carryOut = ({ erp }: LeveledErp) => {
  erp.onAsked = ({ key, revision, contentDigest }: AcceptedGroup) => ({
    outcome: 'created',
    posted: erp.find(key) ?? erp.seedDocument(key, contentDigest, [], revision),
  });
};

describe.each(levels)('at %s, an accepted post', (level) => {
  it('is queried until it has an outcome, and reported once', async () => {
    const leveled = await at(level);
    const { entry, erp } = leveled;
    let asked = 0;
    erp.onAsked = (accepted) => {
      asked += 1;
      if (asked === 2) carryOut(leveled);
      return accepts({ key: accepted.key } as never, erp);
    };
    const job = await entry.exportOf(entry.original());
    expect(entry.calls).toEqual(['post', 'ask', 'ask', 'ask']);
    expect(job.events.at(-1)).toEqual({ event: 'completed' });
    expect(job.results.get(entry.id)).toMatchObject({ status: 'successful', externalId: `journal-${entry.id}` });
    expect(await handleOf(leveled)).toBe(`job-of-${entry.id}`);
  });

  it('that is refused later fails with the message of the ERP', async () => {
    const { entry, erp } = await at(level);
    erp.onAsked = () => ({ outcome: 'refused', message: 'the period was closed meanwhile' });
    const job = await entry.exportOf(entry.original());
    expect(entry.reasonIn(job)).toContain('the period was closed meanwhile');
    expect(erp.posts).toHaveLength(1);
  });

  it.each(['taken', 'refused'] as const)(
    'of a worker that is killed, and %s, is queried by the next one',
    async (end) => {
      const leveled = await at(level);
      const { entry, erp } = leveled;
      erp.onAsked = () => {
        throw new Error('killed');
      };
      const job = await entry.exportOf(entry.original());
      expect(await leveled.intent()).toEqual(['sent', false]);
      expect(await handleOf(leveled)).toBe(`job-of-${entry.id}`);
      if (end === 'taken') {
        carryOut(leveled);
      } else {
        erp.onAsked = () => ({ outcome: 'refused', message: 'closed' });
      }
      await leveled.runToItsEnd(job);
      expect(job.results.get(entry.id)?.status).toBe('successful');
      // What is surely not there is sent again.
      expect(erp.posts).toHaveLength(end === 'taken' ? 1 : 2);
      expect(erp.standing(entry.id)).toBe(1);
    },
  );
});

it('where nothing can be searched, an accepted post without a timely outcome needs manual review until the ERP reports one', async () => {
  const leveled = await at('none');
  const { entry, erp } = leveled;
  erp.onAsked = () => {
    erp.failure = NO_RESPONSE;
    return { outcome: 'accepted', handle: `job-of-${entry.id}` };
  };
  const job = await entry.exportOf(entry.original());
  expect(await leveled.intent()).toEqual(['uncertain', false]);
  erp.failure = undefined;
  await leveled.runToItsEnd(job);
  expect(entry.reasonIn(job)).toContain('may be in the books');
  carryOut(leveled);
  await leveled.passMinutes(2);
  await leveled.settle();
  expect(await leveled.intent()).toEqual(['posted', true]);
  expect(erp.posts).toHaveLength(1);
});
