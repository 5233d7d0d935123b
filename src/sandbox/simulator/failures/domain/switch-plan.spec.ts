import { describe, expect, it } from '@jest/globals';
import { counted, isMatched } from './switch-plan.js';

const PLAN = { skip: 2, percent: 30, seed: 1, timesLeft: 1, seen: 2, hits: 0 };

describe('isMet', () => {
  it.each([
    ['the first after those that pass', {}, 0.29, true],
    ['one outside the share', {}, 0.3, false],
    ['one that passes', { seen: 1 }, 0, false],
    ['one after the last time', { timesLeft: 0 }, 0, false],
    ['any one without a limit', { timesLeft: null, percent: 100 }, 0.99, true],
  ])('of %s', (_case, change, share, expected) => {
    expect(isMatched({ ...PLAN, ...change }, share)).toBe(expected);
  });
});

describe('counted', () => {
  it('uses up one activation of a switch only when it applies', () => {
    expect(counted(PLAN, true)).toMatchObject({ timesLeft: 0, seen: 3, hits: 1 });
    expect(counted(PLAN, false)).toMatchObject({ timesLeft: 1, seen: 3, hits: 0 });
    expect(counted({ ...PLAN, timesLeft: null }, true).timesLeft).toBeNull();
  });
});
