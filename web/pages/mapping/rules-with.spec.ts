import { describe, expect, it } from '@jest/globals';
import { rulesWith } from './rules-with.js';

describe('the rules of a preview of a rule that is not saved', () => {
  it('are all of them', () => {
    expect(rulesWith(['one', 'two'], 'new')).toEqual(['one', 'two', 'new']);
  });

  it.each([
    [998, 999],
    [999, 1_000],
    [1_000, undefined],
    [1_100, undefined],
  ])('are, with %d others, %s: never only some of them', (others, all) => {
    expect(rulesWith(Array<string>(others).fill('rule'), 'new')?.length).toBe(all);
  });
});
