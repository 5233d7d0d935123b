import { describe, expect, it } from '@jest/globals';
import { failingOf, plannedOtherwise, rulesWith } from './rules-with.js';

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

describe('entries that a rule books otherwise', () => {
  const planned = (accountingEntryId: string, ...codes: readonly string[]) => ({
    accountingEntryId,
    entries: codes.map((code) => ({ mappingVersion: 2, lines: [{ account: { code, decision: { by: 'rule' } } }] })),
  });

  it('are those with other lines than by the rules there are, and those that no longer fail', () => {
    const now = [planned('same', '6110'), planned('other', '6110'), planned('failing'), planned('fails then', '6110')];
    const then = [planned('same', '6110'), planned('other', '6120'), planned('failing', '6120'), planned('fails then')];
    expect(plannedOtherwise(now, then)).toBe(2);
  });

  it('are not those that only another rule decides', () => {
    const decided = (by: string) => [
      { mappingVersion: by.length, lines: [{ account: { code: '1', decision: { by } } }] },
    ];
    const entry = { accountingEntryId: 'one' };
    expect(
      plannedOtherwise([{ ...entry, entries: decided('rule') }], [{ ...entry, entries: decided('fallback') }]),
    ).toBe(0);
  });
});

describe('entries that fail by a rule', () => {
  it('are told apart from those that fail today as well', () => {
    const planned = (accountingEntryId: string, action: string) => ({ accountingEntryId, action });
    const now = [planned('one', 'fail'), planned('two', 'post'), planned('three', 'post'), planned('four', 'fail')];
    const then = [planned('one', 'fail'), planned('two', 'fail'), planned('three', 'fail'), planned('four', 'post')];
    expect(failingOf(now, then)).toEqual({ anew: 2, still: 1 });
  });
});
