import { describe, expect, it } from '@jest/globals';
import { hasLines, readForm } from '../../bookkeeping/entries/entry-forms.js';
import { Findings } from '../../bookkeeping/item/findings.js';
import { itemOf } from '../../bookkeeping/item/planning.fixtures.js';
import { TYPES_WITH_LINES, TYPES_WITHOUT_LINES } from './item-types.js';

const formOf = (type: string) => readForm(itemOf({ type, amount: '1', lines: [] }), new Findings());

describe('item types', () => {
  it.each(TYPES_WITH_LINES)('%s has lines, as the planner books it', (type) => {
    const form = formOf(type);
    expect(form && hasLines(form)).toBe(true);
  });

  it.each(TYPES_WITHOUT_LINES)('%s is booked by its total', (type) => {
    const form = formOf(type);
    expect(form && hasLines(form)).toBe(false);
  });

  it('are the 17 of the platform', () => {
    expect(new Set([...TYPES_WITH_LINES, ...TYPES_WITHOUT_LINES]).size).toBe(17);
  });
});
