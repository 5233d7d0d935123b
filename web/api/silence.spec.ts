import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { isReachableNow, reportReachable } from './reachable.js';
import { awaitAnswer, noteAnswered } from './silence.js';

const SILENCE_MS = 15_000;
const AGAIN_MS = 10_000;
let isThere = false;
const doesAnswer = jest.fn(() => Promise.resolve(isThere));

beforeEach(() => {
  jest.useFakeTimers();
  doesAnswer.mockClear();
  reportReachable(true);
});
afterEach(() => {
  noteAnswered('a');
  jest.useRealTimers();
});

it('a connector that hangs is reported while the request is still under way, until it answers', async () => {
  isThere = false;
  awaitAnswer('a', doesAnswer);
  await jest.advanceTimersByTimeAsync(SILENCE_MS - 1);
  expect([isReachableNow(), doesAnswer.mock.calls.length]).toEqual([true, 0]);
  await jest.advanceTimersByTimeAsync(1);
  expect(isReachableNow()).toBe(false);
  isThere = true;
  await jest.advanceTimersByTimeAsync(AGAIN_MS);
  expect(isReachableNow()).toBe(true);
});

it('a request that takes its time at a connector that answers others is waited for', async () => {
  isThere = true;
  awaitAnswer('a', doesAnswer);
  await jest.advanceTimersByTimeAsync(SILENCE_MS + AGAIN_MS);
  expect([isReachableNow(), doesAnswer.mock.calls.length]).toEqual([true, 2]);
});

it('of a request that was answered nothing is asked', async () => {
  isThere = false;
  awaitAnswer('a', doesAnswer);
  noteAnswered('a');
  await jest.advanceTimersByTimeAsync(SILENCE_MS + AGAIN_MS);
  expect([isReachableNow(), doesAnswer.mock.calls.length]).toEqual([true, 0]);
});
