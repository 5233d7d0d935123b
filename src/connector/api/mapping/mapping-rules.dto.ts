import { Transform } from 'class-transformer';
import { ArrayMaxSize, IsArray, IsNotEmpty, IsString, Matches, Max } from 'class-validator';
import { input } from '../../../foundation/http/input.js';
import { field, shape, shapeWith } from '../../../foundation/http/shape.js';
import type { MappingRule } from '../../bookkeeping/accounts/rule-index.js';
import type { CheckedRules } from '../../mapping/check-rules.js';
import { fieldsOf, SUBJECTS } from '../../mapping/domain/rule-fields.js';
import { MessageResponse } from '../../messages/message.dto.js';
import { englishText, localize } from '../../messages/texts.js';
import { longPage, PageResponse } from '../http/page.dto.js';
import { IsPlainText } from './mapping.validators.js';

const RULE_ID = /^[1-9]\d{0,8}$/;
/** Rules that one request changes. */
export const MAX_CHANGES = 1_000;

/** On every route that saves: in the query, since a DELETE and a file upload have no JSON body. */
export class ReasonQuery extends shape({
  reason: input
    .text(
      {
        description: 'why, for those who read the history',
        maxLength: 500,
        example: 'New chart of accounts from 2027',
      },
      Transform(({ value }: { readonly value: unknown }) => (value === '' ? undefined : value)),
      IsPlainText(),
    )
    .optional(),
}) {}

export class VersionQuery extends shape({
  version: input
    .digits({ description: 'mapping version; the newest by default', minimum: 1, example: 12 }, Max(999_999_999))
    .optional(),
}) {}

export class RulesQuery extends shapeWith(VersionQuery, {
  ...longPage,
  subject: input.oneOf(SUBJECTS).optional(),
  search: input
    .text(
      { description: 'part of a source, target, tag or item type', maxLength: 100, example: '607' },
      IsNotEmpty(),
      IsPlainText(),
    )
    .optional(),
}) {}

/** Checked by `readRule`, also in files. */
const ruleText = (documented: object) => input.of<string>({ type: String, ...documented }, IsString());
const CONDITION = { maxLength: 255, nullable: true };

/** The content of a rule. */
export class RuleRequest extends shape({
  subject: input.of<string>({ enum: SUBJECTS, description: 'what is mapped', example: 'account' }, IsString()),
  sourceGroup: ruleText({
    ...CONDITION,
    description: 'of a tag: the code of its group on the platform',
    example: null,
  }).optionalOrNull(),
  source: ruleText({
    description: 'on the platform: identifier, code or id of an account or tax code; code of a tag',
    maxLength: 255,
    example: '6071',
  }),
  itemType: ruleText({
    ...CONDITION,
    description: 'only for items of this type',
    example: 'card_purchase',
  }).optionalOrNull(),
  tagGroup: ruleText({
    ...CONDITION,
    description: 'with `tag`: only for lines that carry it; needs `itemType`',
    example: 'CC',
  }).optionalOrNull(),
  tag: ruleText({ ...CONDITION, description: 'code of the tag', example: '100' }).optionalOrNull(),
  targetGroup: ruleText({
    ...CONDITION,
    description: 'of a tag: the code of the dimension in the ERP',
    example: null,
  }).optionalOrNull(),
  target: ruleText({
    description: 'in the ERP: external id or code of an account or tax code; code of a dimension’s value',
    maxLength: 255,
    example: '6072',
  }),
}) {}

/** What a rule looks like, for each of its kinds. */
export const RULE_EXAMPLES = {
  account: {
    summary: 'account 6071 of the platform is 6072 in the ERP',
    value: { subject: 'account', source: '6071', target: '6072' },
  },
  conditions: {
    summary: 'card purchases tagged with cost centre 100 go elsewhere',
    value: {
      subject: 'account',
      source: '6071',
      itemType: 'card_purchase',
      tagGroup: 'CC',
      tag: '100',
      target: '6073',
    },
  },
  'tax-code': {
    summary: 'a tax code under another name',
    value: { subject: 'tax-code', source: 'VAT25', target: '25' },
  },
  tag: {
    summary: 'a tag is a value of a dimension',
    value: { subject: 'tag', sourceGroup: 'Team', source: 'North', targetGroup: 'CC', target: '100' },
  },
};

export class RuleUpsertRequest extends shapeWith(RuleRequest, {
  id: input
    .matching(RULE_ID, {
      description: 'number of the rule that gets this content; without it the rule is new',
      example: '17',
    })
    .optional(),
}) {}

export class RuleChangesRequest extends shape({
  upserts: input
    .many(RuleUpsertRequest, {
      maxItems: MAX_CHANGES,
      description: `with \`deletes\` at most ${MAX_CHANGES.toString()}`,
    })
    .orElse(() => []),
  deletes: input
    .of<readonly string[]>(
      { type: [String], maxItems: MAX_CHANGES, description: 'numbers of the rules to remove', example: ['18'] },
      IsArray(),
      ArrayMaxSize(MAX_CHANGES),
      Matches(RULE_ID, { each: true }),
    )
    .orElse(() => []),
}) {}

export class RuleResponse extends shape({
  id: field.text({ description: 'number within the installation, never given to another rule', example: '17' }),
  subject: field.oneOf(SUBJECTS),
  sourceGroup: field.text().nullable(),
  source: field.text({ example: '6071' }),
  itemType: field.text({ example: 'card_purchase' }).nullable(),
  tagGroup: field.text().nullable(),
  tag: field.text().nullable(),
  targetGroup: field.text().nullable(),
  target: field.text({ example: '6072' }),
}) {}

export class RulesResponse extends shapeWith(PageResponse, {
  version: field.number({ description: 'also the ETag', example: 12 }),
  data: field.many(RuleResponse),
}) {}

export class SavedRuleResponse extends shapeWith(RuleResponse, {
  version: field.number({ description: 'the version that has it; also the ETag', example: 13 }),
}) {}

export class ChangedRulesResponse extends shape({
  version: field.number({ description: 'also the ETag; the one seen when nothing was different', example: 13 }),
  ids: field.texts({ description: 'numbers of the upserts, in their order', example: ['17', '42'] }),
}) {}

export class FindingResponse extends shape({
  ruleId: field.text({ example: '17' }),
  rule: field.one(RuleResponse, 'as it is in this version'),
  effect: field.oneOf(['fails-items', 'never-applies', 'changes-nothing']),
  code: field.text({ example: 'target-inactive' }),
  detail: field.text('what is wrong and what to do about it, in English'),
  message: field.one(MessageResponse, 'what is wrong and what to do about it'),
  otherRuleIds: field.texts('the rules that make it so'),
}) {}

export class FindingsResponse extends shapeWith(PageResponse, {
  version: field.number({ example: 12 }),
  targetsChecked: field.flag('false while no ERP company is linked'),
  data: field.many(FindingResponse),
}) {}

export function toFinding(finding: CheckedRules['findings'][number], language: string): FindingResponse {
  return {
    ...finding,
    rule: toRuleResponse(finding.rule),
    detail: englishText(finding.detail),
    message: localize(language, finding.detail),
  };
}

/** A rule with every field, null where it has none. */
export function toRuleResponse(rule: MappingRule): RuleResponse {
  return { id: rule.id, ...allFields(rule) };
}

export function toSavedRule(rule: MappingRule, version: number): SavedRuleResponse {
  return { id: rule.id, ...allFields(rule), version };
}

function allFields(rule: MappingRule): Omit<RuleResponse, 'id'> {
  const fields = fieldsOf(rule);
  return {
    subject: rule.subject,
    sourceGroup: fields.sourceGroup ?? null,
    source: fields.source ?? '',
    itemType: fields.itemType ?? null,
    tagGroup: fields.tagGroup ?? null,
    tag: fields.tag ?? null,
    targetGroup: fields.targetGroup ?? null,
    target: fields.target ?? '',
  };
}
