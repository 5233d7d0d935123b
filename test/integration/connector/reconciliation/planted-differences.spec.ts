import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DIFFERENCE_CLASSES } from '../../../../src/connector/reconciliation/domain/difference-class.js';
import { History, PERIOD } from './history.js';
import { MENDED, ON_ITEMS, plantTheRest, type Planted } from './planted-differences.js';

// Every kind of difference planted once in a history of 10,000 items (invariant I36).

const JOBS = 20;
const ITEMS_PER_JOB = 500;

let history: History;

beforeEach(async () => {
  history = await History.start();
});
afterEach(async () => {
  await history.exports.close();
});

const ordered = (planted: Planted) =>
  planted.map(({ class: kind, subject }) => `${kind} ${subject}`).toSorted();

async function plant(): Promise<{ readonly open: Planted; readonly mended: Planted }> {
  const open: { class: string; subject: string }[] = [];
  const mended: { class: string; subject: string }[] = [];
  const kinds = [...Object.entries(ON_ITEMS), ...Object.entries(MENDED)];
  for (let index = 0; index < JOBS; index += 1) {
    const { job, ids } = await history.addJob(ITEMS_PER_JOB);
    for (const [at, [kind, spoil]] of kinds.entries()) {
      const id = ids[at * 7] ?? '';
      if (at % JOBS === index) {
        await spoil({ history, job, id });
        (kind in MENDED ? mended : open).push({ class: kind, subject: id });
      }
    }
  }
  const rest = await plantTheRest(history);
  const { job, others } = {
    job: rest.filter(({ class: kind }) => kind === 'verdict-not-delivered' || kind === 'posted-not-reported'),
    others: rest.filter(
      ({ class: kind }) => kind !== 'verdict-not-delivered' && kind !== 'posted-not-reported',
    ),
  };
  return { open: [...open, ...others], mended: [...mended, ...job] };
}

describe('a history of 10,000 items', () => {
  it('without anything planted has no difference, in one run or in two', async () => {
    for (let index = 0; index < JOBS; index += 1) {
      await history.addJob(ITEMS_PER_JOB);
    }
    await history.reconcile();
    await history.reconcile();
    expect(await history.differences()).toEqual([]);
    expect(await history.lastRun()).toMatchObject({ state: 'completed', jobs: 20, items: 10_000n });
  });

  it('has every planted difference found and classed in one run, and nothing else', async () => {
    const { open, mended } = await plant();
    await history.reconcile();
    expect(await history.lastRun()).toMatchObject({ state: 'completed', failure: null });
    const found = await history.differences();
    expect(ordered(found.filter(({ state }) => state === 'open'))).toEqual(ordered(open));
    expect(ordered(found.filter(({ state }) => state === 'repaired'))).toEqual(ordered(mended));
    expect(new Set(found.map(({ class: kind }) => kind))).toEqual(new Set(DIFFERENCE_CLASSES));
  });

  it('is the same after a second run, and empty once a person has explained what was not mended', async () => {
    await plant();
    await history.reconcile();
    const first = await history.differences();
    const calls = history.erp.calls.length;
    await history.reconcile();
    expect(await history.differences()).toEqual(first);
    expect(history.erp.calls).toHaveLength(calls);
    const { installationId } = history.tenant;
    const filter = { state: 'open', class: undefined } as const;
    for (const { id } of await history.service.listDifferences(installationId, filter, undefined, 100)) {
      const note = 'looked into';
      await history.service.act(installationId, id, { action: 'accept', note, by: 'test' });
    }
    await history.reconcile();
    expect(await history.service.listDifferences(installationId, filter, undefined, 100)).toEqual([]);
    expect(await history.lastRun()).toMatchObject({ from: PERIOD.from, state: 'completed' });
  });
});
