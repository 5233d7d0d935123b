import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { anyRules } from '../../../../test/support/any-rules.js';
import { companyData } from '../../bookkeeping/item/planning.fixtures.js';
import type { MappingRule } from '../../bookkeeping/accounts/rule-index.js';
import { countChanges, diffMappings, diffRules, diffSettings } from './mapping-diff.js';
import { numbered } from './rules.fixtures.js';

const settings = { accounts: companyData.settings, policies: companyData.policies };

describe('settings', () => {
  it.each([
    ['nothing', settings, []],
    [
      'a wallet more, another account and one less',
      {
        ...settings,
        accounts: {
          wallets: { EUR: '1935', 'U/SD': '1936' },
          companyBankByCurrency: {},
          fallbackAccounts: {},
          companyBank: '1931',
          outOfPocket: '2890',
          accountsPayable: '2440',
          fxRounding: '3960',
          realizedFx: '7960',
        },
      },
      [
        { pointer: '/accounts/companyBank', before: '1930', after: '1931' },
        { pointer: '/accounts/fallbackAccounts/fee', before: '6570', after: null },
        { pointer: '/accounts/wallets/U~1SD', before: null, after: '1936' },
      ],
    ],
    [
      'a policy',
      { ...settings, policies: { ...settings.policies, postingState: 'posted' as const } },
      [{ pointer: '/policies/postingState', before: 'draft', after: 'posted' }],
    ],
  ])('differ by %s', (_, after, changes) => {
    expect(diffSettings(settings, after)).toEqual(changes);
  });
});

describe('rules', () => {
  it('are compared by their numbers', () => {
    const before = [numbered(1), numbered(2, { source: 'b' }), numbered(10, { source: 'c' })];
    const after = [numbered(2, { source: 'b', target: '5410' }), numbered(10, { source: 'c' }), numbered(11)];
    const changes = diffRules(before, after);
    expect(changes).toEqual([
      { change: 'removed', id: '1', before: before[0], after: undefined },
      { change: 'changed', id: '2', before: before[1], after: after[0] },
      { change: 'added', id: '11', before: undefined, after: after[2] },
    ]);
    expect(countChanges(changes)).toEqual({ added: 1, changed: 1, removed: 1 });
  });

  it('that were changed and changed back are equal', () => {
    fc.assert(
      fc.property(anyRules, anyRules, (one, other) => {
        const number = (rules: typeof one): MappingRule[] =>
          rules.map((rule, index) => ({ ...rule, id: (index + 1).toString() }));
        const there = diffMappings({ settings, rules: number(one) }, { settings, rules: number(other) });
        const back = diffMappings({ settings, rules: number(other) }, { settings, rules: number(one) });
        expect(back.rules.map(({ id, before, after }) => ({ id, before: after, after: before }))).toEqual(
          there.rules.map(({ id, before, after }) => ({ id, before, after })),
        );
      }),
    );
  });

  it('are all added against an empty mapping, and so are the settings', () => {
    const { settings: first, rules } = diffMappings(undefined, { settings, rules: [numbered(1)] });
    expect(first).toContainEqual({ pointer: '/accounts/wallets/EUR', before: null, after: '1935' });
    expect(first.every(({ before }) => before === null)).toBe(true);
    expect(rules.map(({ change }) => change)).toEqual(['added']);
  });
});
