import { expect, it } from '@jest/globals';
import { digestsAt } from './digest.js';

it.each([
  // 2026-11-23 is a Monday.
  ['2026-11-23T05:59:00Z', 'Europe/Copenhagen', '2026-11-22', '2026-11-16'],
  ['2026-11-23T06:00:00Z', 'Europe/Copenhagen', '2026-11-23', '2026-11-23'],
  ['2026-11-29T20:00:00Z', 'Europe/Copenhagen', '2026-11-29', '2026-11-23'],
  ['2026-11-22T21:59:00Z', 'Asia/Tokyo', '2026-11-22', '2026-11-16'],
  ['2026-11-22T22:00:00Z', 'Asia/Tokyo', '2026-11-23', '2026-11-23'],
  // Summer time: seven in the morning is an hour earlier.
  ['2026-07-01T05:00:00Z', 'Europe/Copenhagen', '2026-07-01', '2026-06-29'],
  // The mornings after the clocks were changed.
  ['2026-03-29T04:59:00Z', 'Europe/Copenhagen', '2026-03-28', '2026-03-23'],
  ['2026-03-29T05:00:00Z', 'Europe/Copenhagen', '2026-03-29', '2026-03-23'],
  ['2026-10-25T05:59:00Z', 'Europe/Copenhagen', '2026-10-24', '2026-10-19'],
  ['2026-10-25T06:00:00Z', 'Europe/Copenhagen', '2026-10-25', '2026-10-19'],
  ['2026-11-23T07:00:00Z', 'Nowhere/At-all', '2026-11-23', '2026-11-23'],
])('at %s in %s, the digest covers the day %s and the week of %s', (at, timeZone, day, week) => {
  expect(digestsAt(new Date(at), timeZone)).toEqual({ day, week });
});
