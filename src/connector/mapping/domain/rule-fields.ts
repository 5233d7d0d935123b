// A rule as people write it: one member of a request, one column of a file. Here it becomes a rule the planner obeys.
import { message, type Message } from '../../../kernel/message.js';
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
  readonly detail: Message;
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

/** The rule as parameters of a text that says the same in any language. */
export function ruleParameters(rule: RuleContent): Message['parameters'] {
  const { subject = '', source = '', sourceGroup = '', itemType = '', tag = '', tagGroup = '' } = fieldsOf(rule);
  const conditions = rule.when === undefined ? 'none' : rule.when.tag === undefined ? 'type' : 'tag';
  return { subject, source, sourceGroup, conditions, itemType, tag, tagGroup };
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
        detail: message('rule-field.too-long', { field, length: text.length, limit: MAX_FIELD_LENGTH }),
      },
    ];
  }
  return UNREADABLE.test(text)
    ? [
        {
          field,
          code: 'unreadable-character',
          detail: message('rule-field.unreadable-character', { field }),
        },
      ]
    : [];
}

function shapeProblems(fields: RuleFields): readonly FieldProblem[] {
  const problems: FieldProblem[] = [];
  const add = (field: RuleField, code: string, detail: Message) => problems.push({ field, code, detail });
  const { subject, itemType, tag, tagGroup } = fields;
  if (!SUBJECTS.some((known) => known === subject)) {
    add('subject', 'unknown-subject', message('rule-field.unknown-subject', { subjects: SUBJECTS.join(', ') }));
  }
  for (const field of ['source', 'target'] as const) {
    if (fields[field] === undefined) add(field, 'missing', message('rule-field.missing', { field }));
  }
  for (const field of ['sourceGroup', 'targetGroup'] as const) {
    if (subject === 'tag' && fields[field] === undefined) {
      add(field, 'missing', message('rule-field.missing-of-tag', { field }));
    } else if (subject !== 'tag' && fields[field] !== undefined) {
      add(field, 'not-for-subject', message('rule-field.not-for-subject', { field }));
    }
  }
  if (itemType !== undefined && !ITEM_TYPE.test(itemType)) {
    add('itemType', 'malformed-item-type', message('rule-field.malformed-item-type'));
  }
  if ((tag === undefined) !== (tagGroup === undefined)) {
    const field = tag === undefined ? 'tag' : 'tagGroup';
    add(field, 'missing', message('rule-field.missing-of-tag', { field }));
  }
  if ((tag ?? tagGroup) !== undefined && itemType === undefined) {
    add('itemType', 'missing', message('rule-field.missing-item-type'));
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
