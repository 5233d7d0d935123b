import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayNotEmpty,
  IsArray,
  IsInt,
  IsObject,
  IsUUID,
  Matches,
  Max,
  Min,
  ValidateNested,
} from 'class-validator';
import { OptionalField } from '../../../foundation/http/optional-field.js';
import { listedFactsOf } from '../../exports/domain/listed-facts.js';
import type { Preview, PreviewEntry } from '../../review/preview.repository.js';
import { ReexportResponse } from '../issues/issues.dto.js';
import { RuleRequest } from '../mapping/mapping-rules.dto.js';
import { PlannedEntryResponse, toPlannedEntries } from './planned-entries.dto.js';
import { PageResponse } from '../http/page.dto.js';

const MAX_ITEMS = 200;
const MAX_RULES = 1_000;
const MAX_JOB_ITEMS = 1_000;
const DIGEST = /^[0-9a-f]{64}$/;

export class PreviewRequestBody {
  @ApiPropertyOptional({ format: 'uuid', description: 'an export job, whatever its state; or `items`' })
  @OptionalField()
  @IsUUID()
  readonly jobId?: string;

  @ApiPropertyOptional({
    minimum: 0,
    default: 0,
    description: 'items of the job to leave out, from its first',
  })
  @IsInt()
  @Min(0)
  @Max(10_000_000)
  readonly skip: number = 0;

  @ApiPropertyOptional({ minimum: 1, maximum: MAX_JOB_ITEMS, default: 200, description: 'items of the job' })
  @IsInt()
  @Min(1)
  @Max(MAX_JOB_ITEMS)
  readonly limit: number = 200;

  @ApiPropertyOptional({
    type: 'array',
    items: { type: 'object', additionalProperties: true },
    maxItems: MAX_ITEMS,
    description: `export items as the platform sends them, at most ${MAX_ITEMS.toString()}; or \`jobId\``,
  })
  @OptionalField()
  @IsArray()
  @ArrayNotEmpty()
  @ArrayMaxSize(MAX_ITEMS)
  @IsObject({ each: true })
  readonly items?: readonly object[];

  @ApiPropertyOptional({ minimum: 1, description: 'the newest by default', example: 12 })
  @OptionalField()
  @IsInt()
  @Min(1)
  @Max(999_999_999)
  readonly mappingVersion?: number;

  @ApiPropertyOptional({
    type: [RuleRequest],
    maxItems: MAX_RULES,
    description: 'instead of the rules of the version, saved nowhere; such a preview cannot be committed',
  })
  @OptionalField()
  @IsArray()
  @ArrayMaxSize(MAX_RULES)
  @ValidateNested({ each: true })
  @Type(() => RuleRequest)
  readonly rules?: readonly RuleRequest[];
}

export const PREVIEW_EXAMPLES = {
  job: {
    summary: 'a job against the newest mapping',
    value: { jobId: '0198c0de-0000-7000-8000-000000000001' },
  },
  version: {
    summary: 'the same against an older version',
    value: { jobId: '0198c0de-0000-7000-8000-000000000001', mappingVersion: 11 },
  },
  rules: {
    summary: 'against rules that are not saved yet',
    value: {
      jobId: '0198c0de-0000-7000-8000-000000000001',
      rules: [{ subject: 'account', source: '6420', target: '6421' }],
    },
  },
};

export class PreviewResponse {
  @ApiProperty({ format: 'uuid' }) readonly id!: string;
  @ApiProperty({ type: String, format: 'uuid', nullable: true }) readonly jobId!: string | null;
  @ApiProperty({
    enum: ['platform', 'stored', 'provided'],
    description: 'stored: what the connector stores of the items, without names, notes and receipts',
  })
  readonly source!: string;
  @ApiProperty({ example: 12 }) readonly mappingVersion!: number;
  @ApiProperty({ description: 'false with rules that are not saved' }) readonly saved!: boolean;
  @ApiProperty({ description: 'over everything that decided it; commit with it' }) readonly digest!: string;
  @ApiProperty({ example: 147 }) readonly entries!: number;
  @ApiProperty({ description: 'whether the job has more items than `limit`: preview them with `skip`' })
  readonly more!: boolean;
  @ApiProperty({ format: 'date-time' }) readonly createdAt!: Date;
  @ApiProperty({ format: 'date-time' }) readonly expiresAt!: Date;
}

export class PreviewDifferenceResponse {
  @ApiProperty({ description: 'JSON pointer into `entries`', example: '/0/lines/0/account/code' })
  readonly pointer!: string;
  @ApiProperty({ type: String, nullable: true, description: 'in the books' }) readonly before!: string | null;
  @ApiProperty({ type: String, nullable: true, description: 'in the preview' }) readonly after!: string | null;
}

export class PreviewIssueResponse {
  @ApiProperty({ example: 'account_unknown' }) readonly failureType!: string;
  @ApiProperty() readonly message!: string;
  @ApiProperty({ description: 'key of its issue', example: 'account:6420' }) readonly issueKey!: string;
}

export class PostedStateResponse {
  @ApiProperty({ enum: ['nothing', 'standing', 'not-looked-up'] }) readonly state!: string;
  @ApiProperty({ type: String, nullable: true }) readonly externalId!: string | null;
  @ApiProperty({ type: String, nullable: true }) readonly externalUrl!: string | null;
  @ApiProperty({ description: 'false: it is in the books with lines that the connector has not recorded' })
  readonly linesKnown!: boolean;
}

export class PreviewEntryResponse {
  @ApiProperty({ example: 1 }) readonly position!: number;
  @ApiProperty({ format: 'uuid' }) readonly accountingEntryId!: string;
  @ApiProperty({ type: String, format: 'date', nullable: true, description: 'of the expense' })
  readonly date!: string | null;
  @ApiProperty({ type: String, nullable: true, example: 'card_purchase' }) readonly type!: string | null;
  @ApiProperty({ type: String, nullable: true, description: 'the vendor’s name' }) readonly supplier!: string | null;
  @ApiProperty({ type: String, nullable: true, description: 'the person’s code' }) readonly person!: string | null;
  @ApiProperty({ type: String, nullable: true }) readonly documentNumber!: string | null;
  @ApiProperty({
    enum: ['post', 'report-existing', 'reverse-and-repost', 'refuse-change', 'create-vendor-and-post', 'fail'],
    description: 'what an export would do now',
  })
  readonly action!: string;
  @ApiProperty({
    type: [PlannedEntryResponse],
    description:
      'journal entries with every line; `decision` says what chose an account, tax code or dimension value: the rule (`ruleId`), the identifier, the code, a setting, a fallback …',
  })
  readonly entries!: readonly PlannedEntryResponse[];
  @ApiProperty({ type: [String] }) readonly warnings!: readonly string[];
  @ApiProperty({ type: [PreviewIssueResponse] }) readonly issues!: readonly PreviewIssueResponse[];
  @ApiProperty({ type: PostedStateResponse }) readonly inBooks!: PostedStateResponse;
  @ApiProperty({ type: [PreviewDifferenceResponse], description: 'against what the books hold; at most 50' })
  readonly differences!: readonly PreviewDifferenceResponse[];
}

export class PreviewEntriesResponse extends PageResponse {
  @ApiProperty({ type: [PreviewEntryResponse] }) readonly data!: readonly PreviewEntryResponse[];
}

export class CommitRequest {
  @ApiProperty({ description: '`digest` of the preview that was looked at' })
  @Matches(DIGEST)
  readonly digest!: string;
}

export class CommittedResponse {
  @ApiProperty({ type: ReexportResponse }) readonly reexport!: ReexportResponse;
}

export function toPreviewResponse(preview: Preview): PreviewResponse {
  const { id, source, mappingVersion, saved, digest, entries, more, createdAt, expiresAt } = preview;
  return {
    id,
    jobId: preview.exportJobId,
    source,
    mappingVersion,
    saved,
    digest,
    entries,
    more,
    createdAt,
    expiresAt,
  };
}

export function toPreviewEntryResponse({
  position,
  accountingEntryId,
  item,
  result,
}: PreviewEntry): PreviewEntryResponse {
  const { date, type, supplier, person, documentNumber } = listedFactsOf(item ?? undefined);
  const facts = { date, type, supplier, person, documentNumber };
  return { position, accountingEntryId, ...facts, ...result, entries: toPlannedEntries(result.entries) };
}
