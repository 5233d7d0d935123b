import { describe, expect, it } from '@jest/globals';
import { message } from '../../../kernel/message.js';
import { companyData } from '../../bookkeeping/item/planning.fixtures.js';
import type { MappingRule } from '../../bookkeeping/accounts/rule-index.js';
import { TYPES_WITH_LINES } from './item-types.js';
import { targetsIn } from './targets.js';
import { findRuleFindings } from './rule-findings.js';
import { expectWords } from '../../messages/words.fixtures.js';
import { exampleTargets, numbered, tagRule } from './rules.fixtures.js';

function found(rules: readonly MappingRule[], targets: typeof exampleTargets | undefined = exampleTargets) {
  return findRuleFindings(rules, targets).map(({ ruleId, effect, code, detail, otherRuleIds }) => {
    expectWords(detail);
    return [ruleId, effect, code, ...otherRuleIds];
  });
}

const onTag = { itemType: 'fee', tagGroup: 'CC', tag: '100' };
const taxRule = (id: number, target: string) => numbered(id, { subject: 'tax-code', target });

describe('rules', () => {
  it.each<[string, readonly MappingRule[], readonly (readonly string[])[]]>([
    ['that send elsewhere', [numbered(1), tagRule(2), taxRule(3, '25'), numbered(4, { ...onTag, target: '5410' })], []],
    ['whose account is gone', [numbered(1, { target: '4711' })], [['1', 'fails-items', 'target-missing']]],
    ['whose account is archived', [numbered(1, { target: '9999' })], [['1', 'fails-items', 'target-inactive']]],
    ['whose account is named by its id', [numbered(1, { target: 'acc-6071' })], []],
    [
      'whose tax code is gone or archived',
      [taxRule(1, 'X'), numbered(2, { subject: 'tax-code', source: 'b', target: 'OLD' })],
      [
        ['1', 'fails-items', 'target-missing'],
        ['2', 'fails-items', 'target-inactive'],
      ],
    ],
    ['whose value is gone', [tagRule(1, { target: '300' })], [['1', 'fails-items', 'target-missing']]],
    [
      'whose value is archived',
      [tagRule(1, { targetGroup: 'proj', target: 'p0' })],
      [['1', 'fails-items', 'target-inactive']],
    ],
    [
      'whose dimension is archived',
      [tagRule(1, { targetGroup: 'GONE', target: '1' })],
      [['1', 'fails-items', 'target-inactive']],
    ],
    [
      'for a type of which only the total is posted',
      [numbered(1, { itemType: 'wallet_topup' })],
      [['1', 'never-applies', 'item-type-without-lines']],
    ],
    [
      'for a type that there is not',
      [numbered(1, { itemType: 'purchase', target: '4711' })],
      [['1', 'never-applies', 'unknown-item-type']],
    ],
    [
      'for the same account by identifier and code',
      [numbered(1, { source: '5410' }), numbered(2, { source: 'acc-5410' })],
      [['1', 'never-applies', 'hidden-by-identifier', '2']],
    ],
    [
      'by identifier and code under other conditions',
      [numbered(1, { source: '5410' }), numbered(2, { source: 'acc-5410', itemType: 'fee' })],
      [],
    ],
    ['that say what the ERP says', [numbered(1, { source: '6071' })], [['1', 'changes-nothing', 'same-without-it']]],
    [
      'that say it of a tag',
      [tagRule(1, { sourceGroup: 'cc', source: '100' })],
      [['1', 'changes-nothing', 'same-without-it']],
    ],
    [
      'that say what the general one says',
      [numbered(1), numbered(2, { itemType: 'fee', target: 'acc-6071' })],
      [['2', 'changes-nothing', 'same-without-it', '1']],
    ],
    [
      'with a tag that stand before another tag’s',
      [numbered(1), numbered(2, onTag), numbered(3, { ...onTag, tag: '200', target: '5410' })],
      [],
    ],
    [
      'by code that stand before one by identifier under no condition',
      [numbered(1, { source: '5410', target: '5410', itemType: 'fee' }), numbered(2, { source: 'acc-5410' })],
      [],
    ],
    [
      'that keep the ERP’s own from the general one',
      [numbered(1, { source: '5410' }), numbered(2, { source: '5410', itemType: 'fee', target: '5410' })],
      [],
    ],
    [
      'with a tag that take back what its type says',
      [numbered(1), numbered(2, { itemType: 'fee', target: '5410' }), numbered(3, onTag)],
      [],
    ],
  ])('%s', (_, rules, expected) => {
    expect(found(rules)).toEqual(expected);
  });

  it('with a narrower rule for every item type never apply', () => {
    const narrower = TYPES_WITH_LINES.map((itemType, index) => numbered(index + 2, { itemType, target: '5410' }));
    const ids = narrower.map(({ id }) => id);
    expect(found([numbered(1), ...narrower])).toEqual([['1', 'never-applies', 'every-item-type-has-its-own', ...ids]]);
    expect(found([numbered(1), ...narrower.slice(1)])).toEqual([]);
  });

  it('whose code several accounts have are reported with the ids', () => {
    const twin = companyData.accounts.filter(({ code }) => code === '6071').map((one) => ({ ...one, name: 'Twin' }));
    const books = { ...companyData, accounts: [...companyData.accounts, ...twin] };
    const targets = targetsIn(books, {
      accounts: companyData.settings,
      policies: companyData.policies,
    });
    const [finding] = findRuleFindings([numbered(1)], targets);
    expect(finding).toMatchObject({
      code: 'target-ambiguous',
      detail: message('rule-target.ambiguous', { what: 'account', reference: '6071', ids: 'acc-6071, acc-6071' }),
    });
  });

  it('whose value has a twin that differs in case only are reported', () => {
    const dimensions = [{ code: 'CC', active: true, values: ['nord', 'Nord'].map((code) => ({ code, active: true })) }];
    const { settings: accounts, policies } = companyData;
    const targets = targetsIn({ ...companyData, dimensions }, { accounts, policies });
    const [finding] = findRuleFindings([tagRule(1, { targetGroup: 'CC', target: 'Nord' })], targets);
    expect(finding).toMatchObject({
      code: 'target-ambiguous',
      detail: message('rule-target.ambiguous-value', { reference: 'Nord', group: 'CC' }),
    });
  });

  it('are checked without the ERP as far as possible', () => {
    const rules = [numbered(1, { target: '4711' }), numbered(2, { itemType: 'wallet_topup' })];
    expect(findRuleFindings(rules, undefined).map(({ ruleId }) => ruleId)).toEqual(['2']);
  });
});
