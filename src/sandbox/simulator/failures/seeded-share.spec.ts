import { describe, expect, it } from '@jest/globals';
import { seededShare } from './seeded-share.js';

describe('seededShare', () => {
  it.each([
    [1, 'a', 0.153164893909],
    [1, 'b', 0.384848167096],
    [2, 'a', 0.122174281824],
  ])('of seed %i and position %s never changes', (seed, place, expected) => {
    expect(seededShare(seed, place)).toBeCloseTo(expected, 9);
  });
});
