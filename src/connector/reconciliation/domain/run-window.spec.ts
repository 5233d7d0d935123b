import { describe, expect, it } from '@jest/globals';
import type { LocalDate } from '../../../kernel/local-date.js';
import { nextWindowStart, windowDayAt } from './run-window.js';

describe('the run window', () => {
  it.each([
    ['2026-03-20T00:59:59Z', 'Europe/Copenhagen', '2026-03-19'],
    ['2026-03-20T01:00:00Z', 'Europe/Copenhagen', '2026-03-20'],
    ['2026-03-20T06:59:00Z', 'America/Chicago', '2026-03-19'],
    ['2026-03-20T07:00:00Z', 'America/Chicago', '2026-03-20'],
    ['2026-03-19T12:00:00Z', 'Pacific/Kiritimati', '2026-03-20'],
    // Clocks that are changed before two o'clock.
    ['2026-03-29T00:59:59Z', 'Europe/London', '2026-03-28'],
    ['2026-03-29T01:00:00Z', 'Europe/London', '2026-03-29'],
    ['2026-10-25T01:59:59Z', 'Europe/London', '2026-10-24'],
    ['2026-10-25T02:00:00Z', 'Europe/London', '2026-10-25'],
  ])('%s in %s is of %s', (instant, zone, slot) => {
    expect(windowDayAt(new Date(instant), zone)).toBe(slot);
  });
});

describe('the next run window', () => {
  it.each([
    ['2026-03-20', 'UTC', '2026-03-21T02:00:00.000Z'],
    ['2026-03-20', 'Europe/Copenhagen', '2026-03-21T01:00:00.000Z'],
    ['2026-07-20', 'Europe/Copenhagen', '2026-07-21T00:00:00.000Z'],
    ['2026-03-20', 'Asia/Kolkata', '2026-03-20T20:30:00.000Z'],
    ['2026-03-20', 'Pacific/Kiritimati', '2026-03-20T12:00:00.000Z'],
    // The night in which two o'clock does not come, and the one in which it comes twice.
    ['2026-03-28', 'Europe/Copenhagen', '2026-03-29T01:00:00.000Z'],
    ['2026-10-24', 'Europe/Copenhagen', '2026-10-25T00:00:00.000Z'],
    ['2026-03-28', 'Europe/London', '2026-03-29T01:00:00.000Z'],
    ['2026-10-24', 'Europe/London', '2026-10-25T02:00:00.000Z'],
  ])('after %s in %s begins at %s', (slot, zone, start) => {
    expect(nextWindowStart(slot as LocalDate, zone).toISOString()).toBe(start);
  });
});
