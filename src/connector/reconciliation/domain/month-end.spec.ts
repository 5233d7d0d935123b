import { describe, expect, it } from '@jest/globals';
import { hasBegun } from './month-end.js';

describe('a month', () => {
  it.each([
    ['2026-11', '2026-11-30T09:59:59.999Z', true],
    ['2026-12', '2026-11-30T09:59:59.999Z', false],
    // The first of December on the islands furthest ahead of UTC.
    ['2026-12', '2026-11-30T10:00:00.000Z', true],
    ['2027-01', '2026-12-31T09:59:59.999Z', false],
    ['2027-01', '2026-12-31T10:00:00.000Z', true],
    ['1999-12', '2026-12-31T10:00:00.000Z', true],
  ])('%s has begun at %s: %s', (month, now, expected) => {
    expect(hasBegun(month, new Date(now))).toBe(expected);
  });
});
