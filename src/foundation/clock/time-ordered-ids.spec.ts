import { expect, it } from '@jest/globals';
import { Clock } from '../../kernel/clock.js';
import { TimeOrderedIds } from './time-ordered-ids.js';

class SetClock extends Clock {
  at = Date.parse('2026-11-21T12:00:00.123Z');

  override now(): Date {
    return new Date(this.at);
  }

  override monotonicMs(): number {
    return 0;
  }

  override sleep(): Promise<void> {
    return Promise.resolve();
  }
}

const VERSION_7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

it('are UUIDs of version 7 with the time in front', () => {
  const [id = ''] = new TimeOrderedIds(new SetClock()).next(1);
  expect(id).toMatch(VERSION_7);
  expect(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)).toBe(Date.parse('2026-11-21T12:00:00.123Z'));
});

it('increase within a call, over calls, and when the clock is set back', () => {
  const clock = new SetClock();
  const ids = new TimeOrderedIds(clock);
  const made = [...ids.next(5_000), ...ids.next(1)];
  clock.at -= 3_600_000;
  made.push(...ids.next(3));
  clock.at += 7_200_000;
  made.push(...ids.next(3));
  expect(made.toSorted()).toEqual(made);
  expect(new Set(made).size).toBe(5_007);
  expect(made.every((id) => VERSION_7.test(id))).toBe(true);
});

it('differ between two processes at the same moment', () => {
  const both = [new TimeOrderedIds(new SetClock()), new TimeOrderedIds(new SetClock())];
  expect(new Set(both.flatMap((ids) => ids.next(100))).size).toBe(200);
});

it('an empty request creates no ids', () => {
  expect(new TimeOrderedIds(new SetClock()).next(0)).toEqual([]);
});
