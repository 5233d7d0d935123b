import { ApiProperty, ApiPropertyOptional, IntersectionType } from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsIn,
  IsInt,
  IsNotEmpty,
  IsString,
  Matches,
  Max,
  MaxLength,
  Min,
  ValidateNested,
} from 'class-validator';
import { field, shape, shapeWith } from '../../../foundation/http/shape.js';
import { NullableField, OptionalField } from '../../../foundation/http/optional-field.js';
import { NumberInDigits } from '../../../foundation/http/number-in-digits.js';
import type { MappingRule } from '../../bookkeeping/accounts/rule-index.js';
import { fieldsOf, SUBJECTS } from '../../mapping/domain/rule-fields.js';
import type { RuleFinding } from '../../mapping/domain/rule-findings.js';
import { MessageResponse } from '../../messages/message.dto.js';
import { englishText, localize } from '../../messages/texts.js';
import { LongPageQuery, PageResponse } from '../http/page.dto.js';
import { IsPlainText } from './mapping.validators.js';

const RULE_ID = /^[1-9]\d{0,8}$/;
/** Rules that one request changes. */
export const MAX_CHANGES = 1_000;

/** On every route that saves: in the query, since a DELETE and a file upload have no JSON body. */
export class ReasonQuery {
  @ApiPropertyOptional({
    description: 'why, for those who read the history',
    maxLength: 500,
    example: 'New chart of accounts from 2027',
  })
  @OptionalField()
  @Transform(({ value }: { readonly value: unknown }) => (value === '' ? undefined : value))
  @IsString()
  @IsPlainText()
  @MaxLength(500)
  readonly reason?: string;
}

export class VersionQuery {
  @ApiPropertyOptional({ description: 'mapping version; the newest by default', minimum: 1, example: 12 })
  @OptionalField()
  @NumberInDigits()
  @IsInt()
  @Min(1)
  @Max(999_999_999)
  readonly version?: number;
}

export class RulesQuery extends IntersectionType(LongPageQuery, VersionQuery) {
  @ApiPropertyOptional({ enum: SUBJECTS })
  @OptionalField()
  @IsIn(SUBJECTS)
  readonly subject?: (typeof SUBJECTS)[number];

  @ApiPropertyOptional({
    description: 'part of a source, target, tag or item type',
    maxLength: 100,
    example: '607',
  })
  @OptionalField()
  @IsString()
  @IsNotEmpty()
  @IsPlainText()
  @MaxLength(100)
  readonly search?: string;
}

const FIELD = { type: String, maxLength: 255, nullable: true, required: false } as const;

/** The content of a rule. `readRule` validates its fields, also of files. */
export class RuleRequest {
  @ApiProperty({ enum: SUBJECTS, description: 'what is mapped', example: 'account' })
  @IsString()
  readonly subject!: string;

  @ApiProperty({ ...FIELD, description: 'of a tag: the code of its group on the platform', example: null })
  @NullableField()
  @IsString()
  readonly sourceGroup?: string | null;

  @ApiProperty({
    description: 'on the platform: identifier, code or id of an account or tax code; code of a tag',
    maxLength: 255,
    example: '6071',
  })
  @IsString()
  readonly source!: string;

  @ApiProperty({ ...FIELD, description: 'only for items of this type', example: 'card_purchase' })
  @NullableField()
  @IsString()
  readonly itemType?: string | null;

  @ApiProperty({
    ...FIELD,
    description: 'with `tag`: only for lines that carry it; needs `itemType`',
    example: 'CC',
  })
  @NullableField()
  @IsString()
  readonly tagGroup?: string | null;

  @ApiProperty({ ...FIELD, description: 'code of the tag', example: '100' })
  @NullableField()
  @IsString()
  readonly tag?: string | null;

  @ApiProperty({ ...FIELD, description: 'of a tag: the code of the dimension in the ERP', example: null })
  @NullableField()
  @IsString()
  readonly targetGroup?: string | null;

  @ApiProperty({
    description: 'in the ERP: external id or code of an account or tax code; code of a dimension’s value',
    maxLength: 255,
    example: '6072',
  })
  @IsString()
  readonly target!: string;
}

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

export class RuleUpsertRequest extends RuleRequest {
  @ApiPropertyOptional({
    description: 'number of the rule that gets this content; without it the rule is new',
    example: '17',
  })
  @OptionalField()
  @Matches(RULE_ID)
  readonly id?: string;
}

export class RuleChangesRequest {
  @ApiPropertyOptional({
    type: [RuleUpsertRequest],
    maxItems: MAX_CHANGES,
    description: `with \`deletes\` at most ${MAX_CHANGES.toString()}`,
  })
  @IsArray()
  @ArrayMaxSize(MAX_CHANGES)
  @ValidateNested({ each: true })
  @Type(() => RuleUpsertRequest)
  readonly upserts: readonly RuleUpsertRequest[] = [];

  @ApiPropertyOptional({
    type: [String],
    maxItems: MAX_CHANGES,
    description: 'numbers of the rules to remove',
    example: ['18'],
  })
  @IsArray()
  @ArrayMaxSize(MAX_CHANGES)
  @Matches(RULE_ID, { each: true })
  readonly deletes: readonly string[] = [];
}

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

export function toFinding(finding: RuleFinding, language: string): FindingResponse {
  return { ...finding, detail: englishText(finding.detail), message: localize(language, finding.detail) };
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
