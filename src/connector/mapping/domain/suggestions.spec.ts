import { describe, expect, it } from '@jest/globals';
import { toErpAccountId } from '../../../kernel/ids.js';
import { companyData } from '../../bookkeeping/item/planning.fixtures.js';
import type { MappingRule } from '../../bookkeeping/accounts/rule-index.js';
import { targetsIn } from './targets.js';
import { exampleTargets, numbered, tagRule } from './rules.fixtures.js';
import { suggestTargets, type KeyFailures, type UnmappedKey } from './suggestions.js';

const account = (source: string, name = 'Snacks'): UnmappedKey => ({ subject: 'account', source, name });
const tax = (source: string): UnmappedKey => ({ subject: 'tax-code', source });
const tag = (sourceGroup: string, source: string): UnmappedKey => ({ subject: 'tag', sourceGroup, source });

const seen = (key: UnmappedKey, items = 1, day = 1): KeyFailures => ({
  ...key,
  items,
  lastSeen: new Date(Date.UTC(2026, 1, day)),
});

function proposals(key: UnmappedKey, current: readonly MappingRule[] = [], earlier: readonly MappingRule[] = current) {
  return suggestTargets([seen(key)], current, earlier, exampleTargets).map(({ proposals: all }) =>
    all.map(({ target, targetGroup, because }) => [
      ...(targetGroup === undefined ? [] : [targetGroup]),
      target,
      because,
    ]),
  );
}

describe('suggestions for a key', () => {
  const used = [numbered(1, { source: 'a', target: '5410' }), numbered(2, { source: 'b', target: '5410' })];
  const conditional = numbered(3, { source: 'M-1', itemType: 'fee', target: '6110' });

  it.each([
    ['nothing like it', proposals(account('M-1')), [[]]],
    ['leading zeros', proposals(account('06071')), [[['6071', 'same-code']]]],
    ['dots and blanks', proposals(account('60.71')), [[['6071', 'same-code']]]],
    ['the same name', proposals(account('M-1', '  meals ')), [[['6071', 'same-name']]]],
    [
      'code before name',
      proposals(account('05410', 'Meals')),
      [
        [
          ['5410', 'same-code'],
          ['6071', 'same-name'],
        ],
      ],
    ],
    ['an archived account of that name', proposals(account('M-1', 'Closed account')), [[]]],
    ['what most rules use', proposals(account('M-1'), used), [[['5410', 'most-used']]]],
    [
      'a rule of it for one item type',
      proposals(account('M-1', 'Meals'), [...used, conditional]),
      [
        [
          ['6110', 'used-before'],
          ['6071', 'same-name'],
          ['5410', 'most-used'],
        ],
      ],
    ],
    [
      'a rule of it in an older version',
      proposals(account('M-1'), [], [numbered(9, { source: 'M-1', target: '3730' })]),
      [[['3730', 'used-before']]],
    ],
    [
      'an older rule whose target is gone',
      proposals(account('M-1'), [], [numbered(9, { source: 'M-1', target: '9999' })]),
      [[]],
    ],
    ['a tax code in another case', proposals(tax('half')), [[['HALF', 'same-code']]]],
    [
      'a tag in another group',
      proposals(tag('Team', 'nord')),
      [
        [
          ['CC', 'Nord', 'same-code'],
          ['CC', 'Nord', 'same-name'],
        ].slice(0, 1),
      ],
    ],
    [
      'what most tags of its group use',
      proposals(tag('TEAM', 'x'), [
        tagRule(1),
        tagRule(2, { sourceGroup: 'Other', target: '200' }),
        tagRule(3, { sourceGroup: 'Other', source: 'b', target: '200' }),
      ]),
      [[['CC', '100', 'most-used']]],
    ],
  ])('with %s', (_, found, expected) => {
    expect(found).toEqual(expected);
  });
});

describe('keys', () => {
  const keys = (failures: readonly KeyFailures[], current: readonly MappingRule[] = [], targets = exampleTargets) =>
    suggestTargets(failures, current, [], targets).map(({ source, items, lastSeen }) => [
      source,
      items,
      lastSeen.getUTCDate(),
    ]);

  it('are sorted by frequency, highest first', () => {
    const failures = [seen(account('c'), 3, 2), seen(account('b'), 6, 3), seen(account('a'), 3, 9)];
    expect(keys(failures)).toEqual([
      ['b', 6, 3],
      ['a', 3, 9],
      ['c', 3, 2],
    ]);
  });

  it('that a rule or the ERP has by now are omitted; a rule for one item type is not enough', () => {
    const failures = [seen(account('404')), seen(account('5410')), seen(account('405'))];
    expect(keys(failures, [numbered(1), numbered(2, { source: '405', itemType: 'fee' })]).map(([key]) => key)).toEqual([
      '405',
    ]);
    const without = { ...companyData, accounts: companyData.accounts.filter(({ code }) => code !== '5410') };
    const targets = targetsIn(without, {
      accounts: companyData.settings,
      policies: companyData.policies,
    });
    expect(keys(failures, [], targets)).toHaveLength(3);
  });
});

it('a mapping of tens of thousands of rules and thousands of keys does not keep the process busy for long', () => {
  const accounts = companyData.accounts.slice(0, 1).flatMap((known) =>
    Array.from({ length: 5_000 }, (_, index) => {
      const code = (10_000 + index).toString();
      return { ...known, externalId: toErpAccountId(`id ${code}`), code, name: `Account ${code}` };
    }),
  );
  const targets = targetsIn(
    { ...companyData, accounts },
    { accounts: companyData.settings, policies: companyData.policies },
  );
  const rules = Array.from({ length: 10_000 }, (_, index) =>
    numbered(index + 1, { source: `S${index.toString()}`, target: index % 2 === 0 ? 'gone' : '10000' }),
  );
  const keys = Array.from({ length: 2_000 }, (_, index) =>
    seen(account(`K${index.toString()}`, `Key ${index.toString()}`)),
  );
  const begun = performance.now();
  const found = suggestTargets(keys, rules, rules, targets);
  expect(performance.now() - begun).toBeLessThan(10_000);
  expect(found).toHaveLength(2_000);
  expect(found[0]?.proposals).toEqual([{ target: '10000', because: 'most-used' }]);
}, 300_000);
