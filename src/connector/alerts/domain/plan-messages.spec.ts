import { describe, expect, it } from '@jest/globals';
import { pauseAfter, planMessages } from './plan-messages.js';

const alerts = (count: number) => Array.from({ length: count }, (_, index) => index);

describe('the hourly limit of messages', () => {
  it.each([
    // waiting, made in the last hour, alerts per message
    [0, 0, []],
    [1, 0, [1]],
    [3, 0, [1, 1, 1]],
    [11, 0, [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]],
    [12, 0, [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]],
    [13, 0, [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2]],
    [500, 0, [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 489]],
    [1, 11, [1]],
    [5, 11, [5]],
    [5, 10, [1, 4]],
    [5, 12, []],
    [5, 99, []],
  ])('sends %i waiting messages, after %i sent ones, as %j', (waiting, made, sizes) => {
    const messages = planMessages(alerts(waiting), made);
    expect(messages.map((message) => message.length)).toEqual(sizes);
    expect(messages.flat()).toEqual(sizes.length === 0 ? [] : alerts(waiting));
  });
});

describe('delivery attempts', () => {
  it('back off with growing pauses and then stop', () => {
    const minutes = [1, 2, 3, 4, 5, 6, 7].map((attempts) => (pauseAfter(attempts) ?? 0) / 60_000);
    expect(minutes).toEqual([1, 5, 15, 60, 180, 360, 0]);
    expect(pauseAfter(7)).toBeUndefined();
  });
});
