import fc from 'fast-check';
import { TYPES_WITH_LINES } from '../../src/connector/mapping/domain/item-types.js';
import { readRule, type RuleContent, type RuleFields } from '../../src/connector/mapping/domain/rule-fields.js';
import { identityOf } from '../../src/connector/mapping/domain/rule-identity.js';

// What people type into codes, and what spreadsheets do with it.
const codes = fc.oneof(
  fc.constantFrom(
    '0100',
    '1E+05',
    '1,23',
    '=1+1',
    '-1',
    "'x",
    "''",
    '@a',
    '+',
    '#REF!',
    'a;b',
    'a"b',
    'é',
    'a b',
    ',',
    '\\',
  ),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }),
);

const fieldsOfAnyRule: fc.Arbitrary<RuleFields> = fc
  .record({
    subject: fc.constantFrom('account', 'tax-code', 'tag'),
    source: codes,
    target: codes,
    group: codes,
    itemType: fc.option(fc.constantFrom<string>(...TYPES_WITH_LINES), { nil: undefined }),
    tag: fc.option(fc.tuple(codes, codes), { nil: undefined }),
  })
  .map(({ subject, source, target, group, itemType, tag }) => ({
    subject,
    source,
    target,
    ...(subject === 'tag' && { sourceGroup: group, targetGroup: group }),
    ...(itemType !== undefined && { itemType }),
    ...(itemType !== undefined && tag && { tagGroup: tag[0], tag: tag[1] }),
  }));

/** Rules of every kind with codes of every kind. */
export const anyRule: fc.Arbitrary<RuleContent> = fieldsOfAnyRule
  .map(readRule)
  .filter((read) => 'rule' in read)
  .map(({ rule }) => rule);

/** As a mapping may hold them: no two for the same. */
export const anyRules: fc.Arbitrary<readonly RuleContent[]> = fc.uniqueArray(anyRule, {
  selector: identityOf,
  maxLength: 30,
});
