// A rule as people write it: one member of a request, one column of a file. Here it becomes a rule the planner obeys.
import type { MappingRule } from '../../bookkeeping/accounts/rule-index.js';

type Unnumbered<Rule> = Rule extends MappingRule ? Omit<Rule, 'id'> : never;

/** What a rule says, apart from its number. */
export type RuleContent = Unnumbered<MappingRule>;

export const SUBJECTS = ['account', 'tax-code', 'tag'] as const;

/** In the order of a file's columns. */
export const RULE_FIELDS = [
  'subject',
  'sourceGroup',
  'source',
  'itemType',
  'tagGroup',
  'tag',
  'targetGroup',
  'target',
] as const;

export type RuleField = (typeof RULE_FIELDS)[number];
/** A field that is empty or blank is not there. */
export type RuleFields = Readonly<Partial<Record<RuleField, string>>>;

export interface FieldProblem {
  readonly field: RuleField;
  /** Stable, kebab-case. */
  readonly code: string;
  /** What is wrong and what to do about it. */
  readonly detail: string;
}

export type ParsedRule = { readonly rule: RuleContent } | { readonly problems: readonly FieldProblem[] };

export const MAX_FIELD_LENGTH = 255;
const ITEM_TYPE = /^[a-z][a-z_]{0,60}$/;
// Control characters, invisible ones, and halves of a character: two codes that look the same must be the same.
const UNREADABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

/** @returns the rule, or everything that is wrong with its fields */
export function readRule(given: RuleFields): ParsedRule {
  const fields = trimmed(given);
  const problems = [...RULE_FIELDS.flatMap((field) => textProblems(field, fields[field])), ...shapeProblems(fields)];
  const rule = problems.length === 0 ? toRule(fields) : undefined;
  return rule === undefined ? { problems } : { rule };
}

/** The other way round: `readRule` of it is the same rule. */
export function fieldsOf(rule: RuleContent): RuleFields {
  const { when } = rule;
  return {
    subject: rule.subject,
    ...(rule.subject === 'tag'
      ? {
          sourceGroup: rule.source.groupCode,
          source: rule.source.code,
          targetGroup: rule.target.groupCode,
          target: rule.target.code,
        }
      : { source: rule.sourceKey, target: rule.target }),
    ...(when && { itemType: when.itemType }),
    ...(when?.tag && { tagGroup: when.tag.groupCode, tag: when.tag.code }),
  };
}

/** The rule in a sentence's words: "account 6071 (item type fee, tag 100 of group CC)". */
export function describeRule(rule: RuleContent): string {
  const { subject, source, sourceGroup, itemType, tag, tagGroup } = fieldsOf(rule);
  const what =
    subject === 'tag'
      ? `tag ${source ?? ''} of group ${sourceGroup ?? ''}`
      : `${subject === 'account' ? 'account' : 'tax code'} ${source ?? ''}`;
  const conditions = [
    ...(itemType === undefined ? [] : [`item type ${itemType}`]),
    ...(tag === undefined ? [] : [`tag ${tag} of group ${tagGroup ?? ''}`]),
  ];
  return conditions.length === 0 ? what : `${what} (${conditions.join(', ')})`;
}

function trimmed(fields: RuleFields): RuleFields {
  return Object.fromEntries(
    RULE_FIELDS.flatMap((field) => {
      const text = fields[field]?.trim().normalize('NFC') ?? '';
      return text === '' ? [] : [[field, text]];
    }),
  );
}

function textProblems(field: RuleField, text: string | undefined): readonly FieldProblem[] {
  if (text === undefined) return [];
  if (text.length > MAX_FIELD_LENGTH) {
    return [
      {
        field,
        code: 'too-long',
        detail: `${field} has ${text.length.toString()} characters: at most ${MAX_FIELD_LENGTH.toString()} are allowed.`,
      },
    ];
  }
  return UNREADABLE.test(text)
    ? [
        {
          field,
          code: 'unreadable-character',
          detail: `${field} has a control character or an invisible one: type it anew.`,
        },
      ]
    : [];
}

function shapeProblems(fields: RuleFields): readonly FieldProblem[] {
  const problems: FieldProblem[] = [];
  const add = (field: RuleField, code: string, detail: string) => problems.push({ field, code, detail });
  const { subject, itemType, tag, tagGroup } = fields;
  if (!SUBJECTS.some((known) => known === subject)) {
    add('subject', 'unknown-subject', `subject must be one of ${SUBJECTS.join(', ')}.`);
  }
  for (const field of ['source', 'target'] as const) {
    if (fields[field] === undefined) add(field, 'missing', `${field} is empty: give a code.`);
  }
  for (const field of ['sourceGroup', 'targetGroup'] as const) {
    if (subject === 'tag' && fields[field] === undefined) {
      add(field, 'missing', `${field} is empty: a tag is named by its group and its code.`);
    } else if (subject !== 'tag' && fields[field] !== undefined) {
      add(field, 'not-for-subject', `${field} is for rules about tags only: leave it empty.`);
    }
  }
  if (itemType !== undefined && !ITEM_TYPE.test(itemType)) {
    add('itemType', 'malformed-item-type', 'itemType must be a type of the platform, such as card_purchase.');
  }
  if ((tag === undefined) !== (tagGroup === undefined)) {
    const field = tag === undefined ? 'tag' : 'tagGroup';
    add(field, 'missing', `${field} is empty: a tag is named by its group and its code.`);
  }
  if ((tag ?? tagGroup) !== undefined && itemType === undefined) {
    add('itemType', 'missing', 'A rule for lines with a tag is for one item type: give itemType too.');
  }
  return problems;
}

function toRule({
  subject,
  source,
  sourceGroup,
  target,
  targetGroup,
  ...conditions
}: RuleFields): RuleContent | undefined {
  if (source === undefined || target === undefined) return undefined;
  const { itemType, tag, tagGroup } = conditions;
  const condition = tag === undefined || tagGroup === undefined ? {} : { tag: { groupCode: tagGroup, code: tag } };
  const when = itemType === undefined ? {} : { when: { itemType, ...condition } };
  if (subject === 'account' || subject === 'tax-code') return { subject, sourceKey: source, target, ...when };
  if (subject !== 'tag' || sourceGroup === undefined || targetGroup === undefined) return undefined;
  return {
    subject,
    source: { groupCode: sourceGroup, code: source },
    target: { groupCode: targetGroup, code: target },
    ...when,
  };
}
