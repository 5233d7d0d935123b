import { describe, expect, it } from '@jest/globals';
import { budgetAt, pauseSeconds, reportUntil, timeToPostMs, urgentBefore } from './deadline.js';

const END = new Date('2026-02-10T13:00:00Z');
const before = (seconds: number) => new Date(END.getTime() - seconds * 1_000);

describe('the time budget of a job', () => {
  it.each([
    [3_600, 'post'],
    [601, 'post'],
    [600, 'report'],
    [0, 'report'],
    [-60, 'report'],
    [-61, 'over'],
  ])('%i seconds before its end is: %s', (seconds, budget) => {
    expect(budgetAt(END, before(seconds))).toBe(budget);
  });

  it.each([
    [3_600, 3_000_000],
    [600, 0],
    [599, -1_000],
  ])('%i seconds before its end leaves %i ms to post', (seconds, ms) => {
    expect(timeToPostMs(END, before(seconds))).toBe(ms);
  });

  it('of a job that ends in ten minutes has none left for posting', () => {
    expect(reportUntil(before(600))).toEqual(END);
  });

  it('is near its end in the last twenty minutes', () => {
    expect(urgentBefore(before(1_200))).toEqual(END);
  });
});

describe('the pause before the next attempt', () => {
  it.each([
    ['grows with the attempts', 1, 0, 3_600, 2],
    ['grows with the attempts', 4, 0, 3_600, 16],
    ['has an upper bound', 30, 0, 3_600, 60],
    ['is what was asked for', 1, 300, 3_600, 300],
    ['is not shorter for less being asked', 6, 5, 3_600, 60],
    ['ends when the verdict has to go out', 30, 0, 645, 45],
    ['ends when the verdict has to go out, whatever was asked', 1, 7_200, 700, 100],
    ['is short when only the verdict is left', 30, 0, 599, 20],
    ['is short when only the verdict is left, whatever was asked', 1, 7_200, 300, 20],
    ['is as short as the attempt asks even then', 1, 0, 300, 2],
  ])('%s (attempt %i, %i s asked, %i s left)', (_, attempts, asked, left, seconds) => {
    expect(pauseSeconds(attempts, asked, END, before(left))).toBe(seconds);
  });
});
