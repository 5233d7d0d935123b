import { describe, expect, it } from '@jest/globals';
import { Clock } from '../../kernel/clock.js';
import { RecentLists } from './recent-lists.js';

class StandingClock extends Clock {
  atMs = 0;
  override now = () => new Date(this.atMs);
  override monotonicMs = () => this.atMs;
  override sleep = () => Promise.resolve();
}

const rows = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);

function start() {
  const clock = new StandingClock();
  const cache = new RecentLists<number>(clock);
  const asked: string[] = [];
  const get = (key: string, answer: () => Promise<readonly number[]> = () => Promise.resolve(rows(1))) =>
    cache.get(key, () => {
      asked.push(key);
      return answer();
    });
  return { clock, asked, get };
}

describe('a recent list', () => {
  it('is loaded once a minute for any number of concurrent callers', async () => {
    const { clock, asked, get } = start();
    await Promise.all([get('a'), get('a'), get('b')]);
    clock.atMs = 59_999;
    await get('a');
    expect(asked).toEqual(['a', 'b']);
    clock.atMs = 60_000;
    await get('a');
    expect(asked).toEqual(['a', 'b', 'a']);
  });

  it('is loaded again after a failure', async () => {
    const { asked, get } = start();
    await expect(get('a', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
    await get('a');
    expect(asked).toEqual(['a', 'a']);
  });

  it('is evicted for lists that were used later, beyond 300,000 rows or 1,000 lists', async () => {
    const { asked, get } = start();
    const large = rows(140_000);
    const filled = () => Promise.resolve(large);
    await get('a', filled);
    await get('b', filled);
    await get('a', filled);
    await get('c', filled);
    await get('a', filled);
    expect(asked).toEqual(['a', 'b', 'c']);
    await get('b', filled);
    expect(asked).toEqual(['a', 'b', 'c', 'b']);
    for (let list = 0; list < 1_000; list += 1) await get(list.toString());
    await get('a');
    expect(asked.at(-1)).toBe('a');
  });

  it('counts by its memory: rows of 10,000 characters are as many as 21', async () => {
    const cache = new RecentLists<string>(new StandingClock());
    const made: string[] = [];
    const get = (key: string) =>
      cache.get(key, () => {
        made.push(key);
        return Promise.resolve(Array.from({ length: 10_000 }, () => 'x'.repeat(10_000)));
      });
    for (const key of ['a', 'b', 'a', 'b', 'a']) await get(key);
    expect(made).toEqual(['a', 'b', 'a', 'b', 'a']);
  });
});
