import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { History } from './history.js';

// A person has an entry reversed, and before that is done the entry is exported again: what was posted anew stays.

let history: History;
let id: string;

beforeEach(async () => {
  history = await History.start();
  const { ids } = await history.addJob(3);
  id = ids[1] ?? '';
});
afterEach(async () => {
  await history.exports.close();
});

describe('a reversal whose response was lost', () => {
  it('takes nothing out of the books that an export has posted since', async () => {
    await history.failedButPosted(id);
    history.erp.onReversed = () => {
      history.erp.restore();
      return Promise.reject(new Error('the worker is killed'));
    };
    await expect(history.act('reverse')).rejects.toThrow('the worker is killed');
    expect(history.erp.standing(id)).toBe(0);
    await history.act('re-export');
    const [job] = await history.exportAgain([id]);
    expect(history.erp.standing(id)).toBe(1);
    await history.compareEnded(job?.id ?? '');
    expect(history.erp.standing(id)).toBe(1);
    expect(await history.intentStates(id)).toEqual([{ state: 'reversed' }, { state: 'posted' }]);
    await history.reconcile();
    expect(await history.open()).toEqual([]);
  });
});

it('what a later export has reported as exported is not reversed for a discrepancy of the one before', async () => {
  await history.failedButPosted(id);
  await history.act('re-export');
  await history.exportAgain([id]);
  // The discrepancy stays open until the job was compared: another person, or a page that was open longer.
  expect(await history.act('reverse')).toEqual({ outcome: 'exported-since' });
  expect(history.erp.standing(id)).toBe(1);
  expect(await history.intentStates(id)).toEqual([{ state: 'posted' }]);
  await history.reconcile();
  expect(await history.open()).toEqual([]);
});
