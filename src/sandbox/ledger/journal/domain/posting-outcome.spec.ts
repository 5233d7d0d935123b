import { expect, it } from '@jest/globals';
import { entryNumber } from './posting-outcome.js';

it.each([
  [2026, 1n, '2026-000001'],
  [2026, 999_999n, '2026-999999'],
  [2027, 1_000_000n, '2027-1000000'],
])('entry %d/%d has the number %s', (year, sequence, number) => {
  expect(entryNumber(year, sequence)).toBe(number);
});
