import { describe, expect, it } from '@jest/globals';
import { nextAttemptAt } from './retry-schedule.js';

const NOW = new Date('2026-01-15T10:00:00Z');
const PLAIN = { percent: 0, share: 0.9 };

describe('nextAttemptAt', () => {
  it.each([
    [1, '2026-01-15T10:00:00.000Z'],
    [2, '2026-01-15T10:00:05.000Z'],
    [3, '2026-01-15T10:05:00.000Z'],
    [4, '2026-01-15T10:30:00.000Z'],
    [5, '2026-01-15T12:00:00.000Z'],
    [6, '2026-01-15T15:00:00.000Z'],
    [7, '2026-01-15T20:00:00.000Z'],
    [8, '2026-01-15T20:00:00.000Z'],
    [9, undefined],
  ])('after failure %i', (failures, at) => {
    expect(nextAttemptAt('nine_attempts', failures, NOW, PLAIN)?.toISOString()).toBe(at);
  });

  it('skips the immediate retry when the first attempt counts as it', () => {
    expect(nextAttemptAt('eight_attempts', 1, NOW, PLAIN)?.toISOString()).toBe('2026-01-15T10:00:05.000Z');
    expect(nextAttemptAt('eight_attempts', 8, NOW, PLAIN)).toBeUndefined();
  });

  it.each([
    [0, '2026-01-15T10:04:00.000Z'],
    [0.5, '2026-01-15T10:05:00.000Z'],
    [0.75, '2026-01-15T10:05:30.000Z'],
  ])('keeps five minutes within a fifth for the share %d', (share, at) => {
    expect(nextAttemptAt('nine_attempts', 3, NOW, { percent: 20, share })?.toISOString()).toBe(at);
  });
});
