import { describe, expect, it } from '@jest/globals';
import { laneAccepts, laneFor, LANES, requesterOf, type Lane } from './lanes.js';

const nearEnd = new Date('2026-02-10T12:20:00Z');
const near = new Date('2026-02-10T12:19:59Z');
const far = new Date('2026-02-10T12:20:00Z');

describe('the lane of a company whose due jobs', () => {
  it.each<[string, Date, number, Lane]>([
    ['have at most 1,000 items', far, 1_000, 'short'],
    ['have one of more', far, 1_001, 'long'],
    ['have one near its end', near, 1, 'urgent'],
    ['have a long one near its end', near, 1_001, 'urgent'],
  ])('%s', (_, nearestEnd, maxItems, place) => {
    expect(laneFor({ nearestEnd, maxItems }, nearEnd)).toBe(place);
  });
});

describe('a job of', () => {
  it.each<[string, number, Date, readonly Lane[]]>([
    ['1,000 items with time', 1_000, far, ['short', 'long']],
    ['1,001 items with time', 1_001, far, ['long']],
    ['1,000 items near its end', 1_000, near, ['short', 'long', 'urgent']],
    ['1,001 items near its end', 1_001, near, ['long', 'urgent']],
  ])('%s', (_, numberOfItems, expiresAt, places) => {
    expect(LANES.filter((place) => laneAccepts(place, { numberOfItems, expiresAt }, nearEnd))).toEqual(places);
  });
});

it.each([
  [1_000, 'exports'],
  [1_001, 'long-exports'],
])('a job of %i items takes its requests from the quota of %s', (numberOfItems, requester) => {
  expect(requesterOf({ numberOfItems })).toBe(requester);
});
