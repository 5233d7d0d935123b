import { expect, it } from '@jest/globals';
import { PositionSet } from './position-set.js';

it('returns what was not added, in order and in chunks', () => {
  const seen = new PositionSet(17);
  for (const position of [0, 1, 7, 8, 9, 16, 99, -1]) {
    seen.add(position);
  }
  expect([...seen.missing(4)]).toEqual([
    [2, 3, 4, 5],
    [6, 10, 11, 12],
    [13, 14, 15, 17],
  ]);
});
