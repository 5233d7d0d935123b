import { describe, expect, it } from '@jest/globals';
import { ruleProblemAt } from './rule-problems.js';

describe('what is wrong with a value of a rule', () => {
  it.each([
    ['source', 'On the platform', 'source is empty: give a code.', '"On the platform" is empty: give a code.'],
    ['tag', 'Tag', 'tag is empty: a tag is named by its code.', '"Tag" is empty: a tag is named by its code.'],
    [
      'itemType',
      'Only for',
      'A rule for lines with a tag: give itemType too.',
      'A rule for lines with a tag: give "Only for" too.',
    ],
    ['target', 'In the books', 'There is no such account.', 'There is no such account.'],
  ])('names %s as the form does', (name, label, detail, said) => {
    const error = { errors: [{ pointer: `/upserts/0/${name}`, detail }] };
    expect(ruleProblemAt(error, name, label)).toBe(said);
    expect(ruleProblemAt(null, name, label)).toBeUndefined();
  });
});
