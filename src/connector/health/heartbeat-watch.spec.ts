import { setImmediate as turn } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { Clock } from '../../kernel/clock.js';
import { HeartbeatWatch } from './heartbeat-watch.js';

class StoppedClock extends Clock {
  ms = 0;

  override now(): Date {
    return new Date(this.ms);
  }

  override monotonicMs(): number {
    return this.ms;
  }

  override sleep(): Promise<void> {
    return Promise.reject(new Error('nobody waits'));
  }
}

const works = () => Promise.resolve();
const fails = () => Promise.reject(new Error('connection refused'));
const hangs = () => new Promise<void>(() => undefined);

let clock: StoppedClock;
let ended: string[];
beforeEach(() => {
  clock = new StoppedClock();
  ended = [];
});

function watching(beat: () => Promise<void>, markOf: () => unknown): HeartbeatWatch {
  return new HeartbeatWatch(clock, beat, markOf, ({ message }) => ended.push(message));
}

async function checkFor(watch: HeartbeatWatch, seconds: number): Promise<void> {
  for (let passed = 0; passed < seconds; passed += 5) {
    clock.ms += 5_000;
    watch.check();
    await turn();
  }
}

describe('a worker', () => {
  it.each([
    ['whose database does not respond', hangs, () => clock.ms],
    ['whose database refuses it', fails, () => clock.ms],
    ['that asks the queue for nothing any more', works, () => 17],
  ])('%s is terminated after a minute, not before', async (_, beat, markOf) => {
    const watch = watching(beat, markOf);
    await checkFor(watch, 60);
    expect(ended).toEqual([]);
    await checkFor(watch, 10);
    expect(ended[0]).toMatch(/^no heartbeat for 6\d s$/);
  });

  it.each([
    ['that works', () => clock.ms],
    ['that goes on from the tables without a queue', () => undefined],
  ])('%s keeps running', async (_, markOf) => {
    await checkFor(watching(works, markOf), 600);
    expect(ended).toEqual([]);
  });

  it('that recovers within the minute keeps running', async () => {
    let beat = fails as () => Promise<void>;
    const watch = watching(
      () => beat(),
      () => clock.ms,
    );
    await checkFor(watch, 55);
    beat = works;
    await checkFor(watch, 5);
    beat = fails;
    await checkFor(watch, 60);
    expect(ended).toEqual([]);
  });
});
