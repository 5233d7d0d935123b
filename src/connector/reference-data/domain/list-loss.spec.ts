import { describe, expect, it } from '@jest/globals';
import { message, toStoredText } from '../../../kernel/message.js';
import { englishText } from '../../messages/texts.js';
import { expectWords } from '../../messages/words.fixtures.js';
import { listLossIn, questionOf } from './list-loss.js';
import type { PlannedChange, SyncSubject } from './sync-plan.js';

const archives = (count: number, subject: SyncSubject = 'account'): readonly PlannedChange[] =>
  Array.from({ length: count }, (_, index) => ({ subject, action: 'archive', key: index.toString(), name: '' }));

describe('a list that has lost rows', () => {
  it.each<[string, number, number, number, boolean]>([
    ['a fifth is usual', 100, 20, 0, false],
    ['more than a fifth is asked for', 100, 21, 0, true],
    ['all of a short list is usual', 9, 9, 0, false],
    ['ten rows are no short list', 10, 3, 0, true],
    ['what was confirmed is carried out', 100, 40, 40, false],
    ['more than was confirmed is asked for again', 100, 41, 40, true],
  ])('%s', (_, active, lost, confirmed, asks) => {
    const steps = [...archives(lost), { subject: 'account', action: 'create', key: 'new', name: '' } as const];
    expect(questionOf('accounts', active, steps, confirmed) !== undefined).toBe(asks);
  });

  it('states both numbers and how to continue', () => {
    const question = questionOf('tags', 400, archives(120, 'tag'), 0) ?? message('');
    expectWords(question);
    expect(englishText(question)).toMatch(
      /no longer has 120 of the 400 tags .* nothing was changed.* confirmedArchives 120/,
    );
  });

  it('is read again from what is kept of it, and from no other failure', () => {
    const question = questionOf('accounts', 12, archives(4), 0) ?? message('');
    expect(listLossIn(toStoredText(question))).toEqual({ archives: 4, of: 12 });
    expect(listLossIn(toStoredText(message('sync.failure.internal')))).toBeUndefined();
    expect(listLossIn('4 of 12')).toBeUndefined();
  });

  it('does not count a tag group that a person has given up', () => {
    expect(questionOf('tags', 10, archives(5, 'tag-group'), 0)).toBeUndefined();
  });
});
