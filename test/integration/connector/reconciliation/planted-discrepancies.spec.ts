import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DISCREPANCY_CLASSES } from '../../../../src/connector/reconciliation/domain/discrepancy-class.js';
import { History, PERIOD } from './history.js';
import { plantEverything, plantNothing, type Planted } from './planted-discrepancies.js';

// Every kind of discrepancy planted once in a history of 10,000 items (invariant I36).

let history: History;

beforeEach(async () => {
  history = await History.start();
});
afterEach(async () => {
  await history.exports.close();
});

const ordered = (planted: Planted) => planted.map(({ class: kind, subject }) => `${kind} ${subject}`).toSorted();

describe('a history of 10,000 items', () => {
  it('has no discrepancy when none is planted, in one run or in two', async () => {
    await plantNothing(history);
    await history.reconcile();
    await history.reconcile();
    expect(await history.discrepancies()).toEqual([]);
    expect(await history.lastRun()).toMatchObject({ state: 'completed', jobs: 20, items: 10_000n });
  });

  it('has every planted discrepancy found and classified in one run, and nothing else', async () => {
    const { open, mended } = await plantEverything(history);
    await history.reconcile();
    expect(await history.lastRun()).toMatchObject({ state: 'completed', failure: null });
    const found = await history.discrepancies();
    expect(ordered(found.filter(({ state }) => state === 'open'))).toEqual(ordered(open));
    expect(ordered(found.filter(({ state }) => state === 'repaired'))).toEqual(ordered(mended));
    expect(new Set(found.map(({ class: kind }) => kind))).toEqual(new Set(DISCREPANCY_CLASSES));
  });

  it('is the same after a second run', async () => {
    await plantEverything(history);
    await history.reconcile();
    const first = await history.discrepancies();
    const calls = history.erp.calls.length;
    await history.reconcile();
    expect(await history.discrepancies()).toEqual(first);
    expect(history.erp.calls).toHaveLength(calls);
    expect(await history.lastRun()).toMatchObject({ from: PERIOD.from, state: 'completed' });
  });
});
