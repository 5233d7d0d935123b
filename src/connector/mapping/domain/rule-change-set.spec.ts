import { describe, expect, it } from '@jest/globals';
import { MAX_RULES, planChanges, planReplacement, type RuleChangeSet } from './rule-change-set.js';
import { expectWords } from '../../messages/words.fixtures.js';
import { numbered, ruleOf } from './rules.fixtures.js';

const current = [numbered(1, { source: 'a' }), numbered(2, { source: 'b' }), numbered(5, { source: 'c' })];
const rule = (source: string, target = '6071') => ruleOf({ subject: 'account', source, target });

function planned(changes: Partial<RuleChangeSet>) {
  const result = planChanges(current, { upserts: [], deletes: [], ...changes }, 9);
  if (result.outcome === 'refused') throw new Error(JSON.stringify(result.problems));
  const { ended, begun, ids, counts, ruleCount } = result.plan;
  const { added, changed, removed } = counts;
  return { ended, begun: begun.map(({ id }) => id), ids, counts: [added, changed, removed], ruleCount };
}

function refused(changes: Partial<RuleChangeSet>) {
  const result = planChanges(current, { upserts: [], deletes: [], ...changes }, 9);
  if (result.outcome !== 'refused') return false;
  return result.problems.map(({ list, index, code, detail }) => {
    expectWords(detail);
    return [list, index, code];
  });
}

describe('a change of rules', () => {
  it.each<[string, Partial<RuleChangeSet>, ReturnType<typeof planned>]>([
    ['nothing', {}, { ended: [], begun: [], ids: [], counts: [0, 0, 0], ruleCount: 3 }],
    [
      'two new ones',
      { upserts: [{ rule: rule('x') }, { rule: rule('y') }] },
      { ended: [], begun: ['9', '10'], ids: ['9', '10'], counts: [2, 0, 0], ruleCount: 5 },
    ],
    [
      'another target',
      { upserts: [{ id: '2', rule: rule('b', '5410') }] },
      { ended: ['2'], begun: ['2'], ids: ['2'], counts: [0, 1, 0], ruleCount: 3 },
    ],
    [
      'the same again',
      { upserts: [{ id: '2', rule: rule('b') }] },
      { ended: [], begun: [], ids: ['2'], counts: [0, 0, 0], ruleCount: 3 },
    ],
    ['one less', { deletes: ['5'] }, { ended: ['5'], begun: [], ids: [], counts: [0, 0, 1], ruleCount: 2 }],
    [
      'a new one for what goes',
      { upserts: [{ rule: rule('c') }], deletes: ['5'] },
      { ended: ['5'], begun: ['9'], ids: ['9'], counts: [1, 0, 1], ruleCount: 3 },
    ],
    [
      'two that swap',
      {
        upserts: [
          { id: '1', rule: rule('b') },
          { id: '2', rule: rule('a') },
        ],
      },
      { ended: ['1', '2'], begun: ['1', '2'], ids: ['1', '2'], counts: [0, 2, 0], ruleCount: 3 },
    ],
  ])('with %s', (_, changes, plan) => {
    expect(planned(changes)).toEqual(plan);
  });

  it.each<[string, Partial<RuleChangeSet>, ReturnType<typeof refused>]>([
    ['for what is there', { upserts: [{ rule: rule('a', '5410') }] }, [['upserts', 0, 'overlap']]],
    ['twice in one request', { upserts: [{ rule: rule('x') }, { rule: rule('x') }] }, [['upserts', 1, 'overlap']]],
    ['onto another', { upserts: [{ id: '1', rule: rule('b') }] }, [['upserts', 0, 'overlap']]],
    [
      'that is not there',
      { upserts: [{ id: '7', rule: rule('x') }], deletes: ['8'] },
      [
        ['upserts', 0, 'unknown-rule'],
        ['deletes', 0, 'unknown-rule'],
      ],
    ],
    ['deleted twice', { deletes: ['1', '1'] }, [['deletes', 1, 'named-twice']]],
  ])('%s is refused', (_, changes, problems) => {
    expect(refused(changes)).toEqual(problems);
  });

  it('stops at the maximum number of rules', () => {
    const upserts = Array.from({ length: MAX_RULES - 2 }, (_, index) => ({
      rule: rule(`new-${index.toString()}`),
    }));
    expect(refused({ upserts })).toEqual([['upserts', 0, 'too-many-rules']]);
    expect(planned({ upserts, deletes: ['1'] }).ruleCount).toBe(MAX_RULES);
  });
});

describe('a replacement', () => {
  it.each([
    ['the same', current, [], [], [0, 0, 0]],
    ['nothing', [], ['1', '2', '5'], [], [0, 0, 3]],
    [
      'some of each',
      [numbered(1, { source: 'a' }), numbered(2, { source: 'b', target: '5410' }), numbered(7, { source: 'c' })],
      ['2', '5'],
      ['2', '7'],
      [1, 1, 1],
    ],
  ])('by %s', (_, wanted, ended, begun, [added, changed, removed]) => {
    const plan = planReplacement(current, wanted);
    expect(plan).toMatchObject({ ended, counts: { added, changed, removed }, ruleCount: wanted.length });
    expect(plan.begun.map(({ id }) => id)).toEqual(begun);
  });
});
