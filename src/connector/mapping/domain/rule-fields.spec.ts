import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { anyRule } from '../../../../test/support/any-rules.js';
import { describeRule, fieldsOf, readRule, type RuleFields } from './rule-fields.js';
import { identityOf } from './rule-identity.js';
import { expectWords } from '../../messages/words.fixtures.js';
import { numbered, ruleOf, tagRule } from './rules.fixtures.js';

const ACCOUNT = { subject: 'account', source: '404', target: '6071' };
const TAG = { subject: 'tag', sourceGroup: 'Team', source: 'North', targetGroup: 'CC', target: '100' };

describe('fields', () => {
  it.each<[string, RuleFields, object]>([
    ['an account', ACCOUNT, { subject: 'account', sourceKey: '404', target: '6071' }],
    ['a tax code', { ...ACCOUNT, subject: 'tax-code' }, { subject: 'tax-code', sourceKey: '404', target: '6071' }],
    [
      'a tag',
      TAG,
      {
        subject: 'tag',
        source: { groupCode: 'Team', code: 'North' },
        target: { groupCode: 'CC', code: '100' },
      },
    ],
    [
      'conditions',
      { ...ACCOUNT, itemType: 'fee', tagGroup: 'CC', tag: '100' },
      {
        subject: 'account',
        sourceKey: '404',
        target: '6071',
        when: { itemType: 'fee', tag: { groupCode: 'CC', code: '100' } },
      },
    ],
    [
      'blanks and no-break blanks',
      { ...ACCOUNT, source: '\u00a0 404 ', itemType: ' ' },
      { subject: 'account', sourceKey: '404', target: '6071' },
    ],
    [
      'letters in two parts',
      { ...ACCOUNT, source: 'Cafe\u0301' },
      { subject: 'account', sourceKey: 'Caf\u00e9', target: '6071' },
    ],
    ['leading zeros', { ...ACCOUNT, source: '0100' }, { subject: 'account', sourceKey: '0100', target: '6071' }],
  ])('of %s are read', (_, fields, rule) => {
    expect(readRule(fields)).toEqual({ rule });
  });

  it.each<[string, RuleFields, readonly (readonly [string, string])[]]>([
    [
      'nothing',
      {},
      [
        ['subject', 'unknown-subject'],
        ['source', 'missing'],
        ['target', 'missing'],
      ],
    ],
    ['another case', { ...ACCOUNT, subject: 'Account' }, [['subject', 'unknown-subject']]],
    [
      'no groups',
      { subject: 'tag', source: '1', target: '2' },
      [
        ['sourceGroup', 'missing'],
        ['targetGroup', 'missing'],
      ],
    ],
    [
      'groups of an account',
      { ...TAG, subject: 'account' },
      [
        ['sourceGroup', 'not-for-subject'],
        ['targetGroup', 'not-for-subject'],
      ],
    ],
    ['a tag without its group', { ...ACCOUNT, itemType: 'fee', tag: '1' }, [['tagGroup', 'missing']]],
    ['a group without its tag', { ...ACCOUNT, itemType: 'fee', tagGroup: '1' }, [['tag', 'missing']]],
    ['a tag for every item type', { ...ACCOUNT, tagGroup: 'CC', tag: '1' }, [['itemType', 'missing']]],
    ['a line break', { ...ACCOUNT, target: 'a\nb' }, [['target', 'unreadable-character']]],
    ['a turn of the writing direction', { ...ACCOUNT, target: 'a\u202eb' }, [['target', 'unreadable-character']]],
    ['256 characters', { ...ACCOUNT, target: 'x'.repeat(256) }, [['target', 'too-long']]],
  ])('with %s are refused', (_, fields, problems) => {
    const read = readRule(fields);
    const found = 'problems' in read ? read.problems : [];
    found.forEach(({ detail }) => {
      expectWords(detail);
    });
    expect(found.map(({ field, code }) => [field, code])).toEqual(problems);
  });

  it('of a rule are read as that rule', () => {
    fc.assert(
      fc.property(anyRule, (rule) => {
        expect(readRule(fieldsOf(rule))).toEqual({ rule });
      }),
    );
  });
});

describe('the subject of a rule', () => {
  it.each([
    ['another target', numbered(1), numbered(2, { target: '5410' }), true],
    ['tags in another case', tagRule(1), tagRule(2, { sourceGroup: 'TEAM', source: 'north' }), true],
    ['accounts in another case', numbered(1, { source: 'a' }), numbered(2, { source: 'A' }), false],
    ['another subject', numbered(1), numbered(2, { subject: 'tax-code' }), false],
    ['an item type', numbered(1), numbered(2, { itemType: 'fee' }), false],
    [
      'a condition in another case',
      numbered(1, { itemType: 'fee', tagGroup: 'CC', tag: 'a' }),
      numbered(2, { itemType: 'fee', tagGroup: 'cc', tag: 'A' }),
      true,
    ],
    [
      'group and code cut elsewhere',
      tagRule(1, { sourceGroup: 'a', source: 'bc' }),
      tagRule(2, { sourceGroup: 'ab', source: 'c' }),
      false,
    ],
  ])('with %s', (_, one, other, same) => {
    expect(identityOf(one) === identityOf(other)).toBe(same);
  });

  it.each([
    [ruleOf(ACCOUNT), 'account 404'],
    [ruleOf({ ...ACCOUNT, subject: 'tax-code', itemType: 'fee' }), 'tax code 404 (item type fee)'],
    [
      ruleOf({ ...TAG, itemType: 'fee', tagGroup: 'CC', tag: '1' }),
      'tag North of group Team (item type fee, tag 1 of group CC)',
    ],
  ])('is described in words: %#', (rule, words) => {
    expect(describeRule(rule)).toBe(words);
  });
});
