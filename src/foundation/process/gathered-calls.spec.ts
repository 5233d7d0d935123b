import { AsyncLocalStorage } from 'node:async_hooks';
import { describe, expect, it } from '@jest/globals';
import { GatheredCalls } from './gathered-calls.js';

/** Answers with the double; waits until it is let go on. */
function doubling(most = 100) {
  const groups: (readonly number[])[] = [];
  const gates: (() => void)[] = [];
  const calls = new GatheredCalls<string, number, number>(async (_, inputs) => {
    groups.push(inputs);
    await new Promise<void>((resolve) => gates.push(resolve));
    if (inputs.includes(13)) {
      throw new Error(`thirteen of ${inputs.length.toString()}`);
    }
    return inputs.map((input) => input * 2);
  }, most);
  const goOn = async () => {
    for (let gate = gates.shift(); gate !== undefined; gate = gates.shift()) {
      gate();
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return { calls, groups, goOn };
}

describe('gathered calls', () => {
  it('wait for the running one and are then answered together, each with its own result', async () => {
    const { calls, groups, goOn } = doubling();
    const answers = Promise.all([1, 2, 3, 4].map((input) => calls.call('one', input)));
    await goOn();
    expect(await answers).toEqual([2, 4, 6, 8]);
    expect(groups).toEqual([[1], [2, 3, 4]]);
  });

  it('with another key do not wait', async () => {
    const { calls, groups, goOn } = doubling();
    const answers = Promise.all([calls.call('one', 1), calls.call('other', 2)]);
    await goOn();
    expect([await answers, groups]).toEqual([
      [2, 4],
      [[1], [2]],
    ]);
  });

  it('are answered in groups of a maximum size', async () => {
    const { calls, groups, goOn } = doubling(2);
    const answers = Promise.all([1, 2, 3, 4, 5, 6].map((input) => calls.call('one', input)));
    await goOn();
    await answers;
    expect(groups).toEqual([[1], [2, 3], [4, 5], [6]]);
  });

  it('fail separately', async () => {
    const { calls, goOn } = doubling();
    const answers = Promise.allSettled([1, 12, 13, 14].map((input) => calls.call('one', input)));
    await goOn();
    expect(await answers).toEqual([
      { status: 'fulfilled', value: 2 },
      { status: 'fulfilled', value: 24 },
      { status: 'rejected', reason: new Error('thirteen of 1') },
      { status: 'fulfilled', value: 28 },
    ]);
  });

  it('start again when none is waiting', async () => {
    const { calls, groups, goOn } = doubling();
    for (const input of [1, 2]) {
      const answer = calls.call('one', input);
      await goOn();
      await answer;
    }
    expect(groups).toEqual([[1], [2]]);
  });

  it('run in the context of none of their callers', async () => {
    const context = new AsyncLocalStorage<string>();
    const seen: (string | undefined)[] = [];
    const calls = new GatheredCalls<string, number, number>((_, inputs) => {
      seen.push(context.getStore());
      return Promise.resolve(inputs);
    }, 10);
    await context.run('first', () => calls.call('one', 1));
    expect(seen).toEqual([undefined]);
  });
});
