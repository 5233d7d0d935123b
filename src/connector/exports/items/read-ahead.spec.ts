import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { mergeBatches, readAhead, runToEnd, type Stage } from './read-ahead.js';

/** 1, 2, 3, … up to `most`, with a note of what was asked for and of the end. */
class Numbers {
  asked = 0;
  closed = false;

  constructor(
    private readonly most: number,
    private readonly before: (number: number) => Promise<void> | void = () => undefined,
  ) {}

  async *read(): AsyncGenerator<number, void, undefined> {
    try {
      for (let number = 1; number <= this.most; number += 1) {
        this.asked = number;
        await this.before(number);
        yield number;
      }
    } finally {
      this.closed = true;
    }
  }
}

/** Longer than anything here that waits for nothing needs. */
async function settle(): Promise<void> {
  for (let turns = 0; turns < 20; turns += 1) {
    await turn();
  }
}

const failsAt = (bad: number) => (number: number) => {
  if (number === bad) {
    throw new Error(`no ${bad.toString()}`);
  }
};

describe('a source that is read ahead', () => {
  it.each([0, 1, 3, 100])('is delivered whole and in order, at most %d ahead', async (ahead) => {
    const read: number[] = [];
    for await (const batch of readAhead(new Numbers(10).read(), ahead)) {
      read.push(...batch);
      await settle();
    }
    expect(read).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  it.each([
    [0, [[1], [2], [3], [4]], [1, 2, 3, 4]],
    [1, [[1], [2], [3], [4]], [2, 3, 4, 4]],
    [2, [[1], [2, 3], [4]], [3, 4, 4]],
    [5, [[1], [2, 3, 4]], [4, 4]],
  ])('%d ahead is passed on in %j', async (ahead, batches, askedMeanwhile) => {
    const numbers = new Numbers(4);
    const taken: (readonly number[])[] = [];
    const asked: number[] = [];
    for await (const batch of readAhead(numbers.read(), ahead)) {
      taken.push(batch);
      await settle();
      asked.push(numbers.asked);
    }
    expect(taken).toEqual(batches);
    expect(asked).toEqual(askedMeanwhile);
  });

  it('is not read before the consumer needs it', async () => {
    const numbers = new Numbers(3);
    const reading = readAhead(numbers.read(), 3);
    await settle();
    expect(numbers.asked).toBe(0);
    await reading.return();
  });

  it('fails once, after the elements before the error', async () => {
    const unhandled: unknown[] = [];
    const note = (error: unknown) => unhandled.push(error);
    process.on('unhandledRejection', note);
    const reading = readAhead(new Numbers(10, failsAt(4)).read(), 5);
    const taken: number[] = [];
    const read = async () => {
      for await (const batch of reading) {
        taken.push(...batch);
        await settle();
      }
    };
    await expect(read()).rejects.toThrow('no 4');
    expect(taken).toEqual([1, 2, 3]);
    expect(await reading.next()).toEqual({ done: true, value: undefined });
    process.off('unhandledRejection', note);
    expect(unhandled).toEqual([]);
  });

  it('ends when its consumer stops, and reads nothing more', async () => {
    const numbers = new Numbers(10);
    const reading = readAhead(numbers.read(), 2);
    await reading.next();
    await settle();
    await reading.return();
    await settle();
    expect(numbers).toMatchObject({ asked: 3, closed: true });
  });

  it('that fails after the consumer has stopped fails silently', async () => {
    const numbers = new Numbers(10, failsAt(2));
    const reading = readAhead(numbers.read(), 1);
    await reading.next();
    await reading.return();
    await settle();
    expect(numbers.closed).toBe(true);
  });

  it('is awaited by a consumer that stops in the middle of a call', async () => {
    let arrive: () => void = () => undefined;
    const slow = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    const numbers = new Numbers(10, (number) => (number === 2 ? slow : undefined));
    const reading = readAhead(numbers.read(), 1);
    await reading.next();
    let left = false;
    const leaving = reading.return().then(() => {
      left = true;
    });
    await settle();
    expect(left).toBe(false);
    arrive();
    await leaving;
    expect(numbers).toMatchObject({ asked: 2, closed: true });
  });
});

describe('a wait that is cancelled by a signal', () => {
  const never = () => new Promise<void>(() => undefined);

  it('rejects with the reason of the signal, even if the element never arrives', async () => {
    const stop = new AbortController();
    const reading = readAhead(new Numbers(1, never).read(), 1, stop.signal);
    const next = reading.next();
    await settle();
    stop.abort(new Error('stopped'));
    await expect(next).rejects.toThrow('stopped');
  });

  it('does not begin after the signal', async () => {
    const stopped = AbortSignal.abort(new Error('stopped'));
    await expect(runToEnd(readAhead(new Numbers(1, never).read(), 1, stopped))).rejects.toThrow('stopped');
  });
});

describe('combined batches', () => {
  async function* batchesOf(sizes: readonly number[], error?: Error): Stage<readonly number[]> {
    for (const size of sizes) {
      yield await Promise.resolve(Array.from({ length: size }, () => size));
    }
    if (error !== undefined) {
      throw error;
    }
  }

  it.each<[readonly number[], number, readonly number[]]>([
    [[], 5, []],
    [[1, 1, 1, 1, 1], 2, [1, 2, 2]],
    [[1, 1, 2, 1], 2, [1, 3, 1]],
    [[3, 1, 1], 5, [3, 2]],
    [[6, 6, 1], 5, [6, 6, 1]],
    [[1, 1], 0, [1, 1]],
  ])('of %j elements, at least %d, are %j', async (sizes, least, joined) => {
    const seen: number[] = [];
    for await (const batch of mergeBatches(batchesOf(sizes), least)) {
      seen.push(batch.length);
    }
    expect(seen).toEqual(joined);
  });

  it('contain the elements before an error', async () => {
    const seen: number[] = [];
    const read = async () => {
      for await (const batch of mergeBatches(batchesOf([1, 2, 1], new Error('no more')), 5)) {
        seen.push(batch.length);
      }
    };
    await expect(read()).rejects.toThrow('no more');
    expect(seen).toEqual([1, 3]);
  });
});
