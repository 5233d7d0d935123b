import { ApiProperty, ApiPropertyOptional, IntersectionType } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayNotEmpty,
  IsBoolean,
  IsIn,
  IsISO8601,
  IsNotEmpty,
  IsString,
  Matches,
  MaxLength,
  MinLength,
  ValidateNested,
} from 'class-validator';
import { NullableField, OptionalField } from '../../../foundation/http/optional-field.js';
import { parseCurrency } from '../../../kernel/currency.js';
import { formatMinor } from '../../../kernel/money.js';
import { MessageResponse } from '../../messages/message.dto.js';
import { localize } from '../../messages/texts.js';
import { adviceOn, problemOf, resolutionKindOf } from '../../review/domain/issue-resolution.js';
import { MONEY_OR_NULL, moneyOf, type MoneyResponse } from '../http/money.dto.js';
import { LongPageQuery, PageResponse } from '../http/page.dto.js';
import { IsPlainText } from '../mapping/mapping.validators.js';
import { MAX_ISSUE_KEY_LENGTH } from '../../bookkeeping/item/issues.js';
import {
  ISSUE_SORTS,
  type FailedAmount,
  type FailedEntry,
  type InboxRow,
  type IssueTotals,
} from '../../exports/issues/inbox.reader.js';
import type { ReexportView } from '../../exports/reexport/reexport.repository.js';

const ISSUE_STATES = ['open', 'snoozed', 'left', 'closed'] as const;
/** Issues that are resolved with one call. */
const MAX_RESOLVED = 50;
const TEXT = { maxLength: 255 } as const;

export class IssueFilterQuery {
  @ApiPropertyOptional({ enum: ISSUE_STATES, default: 'open' })
  @IsIn(ISSUE_STATES)
  readonly state: (typeof ISSUE_STATES)[number] = 'open';

  @ApiPropertyOptional({ example: 'account' })
  @OptionalField()
  @Matches(/^[a-z-]{1,30}$/)
  readonly kind?: string;

  @ApiPropertyOptional({ description: 'as it was noted', example: 'Ada' })
  @OptionalField()
  @IsString()
  @MaxLength(200)
  readonly assignee?: string;

  @ApiPropertyOptional({ description: 'part of key, name or reason' })
  @OptionalField()
  @IsString()
  @MinLength(1)
  @MaxLength(100)
  readonly search?: string;
}

export class IssuesQuery extends IntersectionType(IssueFilterQuery, LongPageQuery) {
  @ApiPropertyOptional({
    enum: ISSUE_SORTS,
    default: 'entries',
    description: 'most entries first; greatest amount first, by minor units of whichever currency; oldest first',
  })
  @IsIn(ISSUE_SORTS)
  readonly sort: (typeof ISSUE_SORTS)[number] = 'entries';
}

/** Replaces what was noted before. */
export class IssueHandlingRequest {
  @ApiPropertyOptional({ type: String, nullable: true, maxLength: 200, description: 'who takes care of it' })
  @NullableField()
  @IsNotEmpty()
  @IsPlainText()
  @MaxLength(200)
  readonly assignee?: string | null;

  @ApiPropertyOptional({ type: String, nullable: true, maxLength: 1_000 })
  @NullableField()
  @IsNotEmpty()
  @IsPlainText()
  @MaxLength(1_000)
  readonly note?: string | null;

  @ApiPropertyOptional({
    type: String,
    format: 'date',
    nullable: true,
    description: 'on that day (UTC) it is open again',
  })
  @NullableField()
  @Matches(/^20\d\d-\d\d-\d\d$/)
  @IsISO8601({ strict: true })
  readonly snoozedUntil?: string | null;

  @ApiPropertyOptional({
    default: false,
    description:
      'its entries were booked by hand and are left: it is open again when one of them, or another, fails later',
  })
  @OptionalField()
  @IsBoolean()
  readonly bookedByHand?: boolean;
}

export class IssueHandlingResponse {
  @ApiProperty({ type: String, nullable: true }) readonly assignee!: string | null;
  @ApiProperty({ type: String, nullable: true }) readonly note!: string | null;
  @ApiProperty({ type: String, format: 'date', nullable: true }) readonly snoozedUntil!: string | null;
  @ApiProperty() readonly bookedByHand!: boolean;
}

export class IssueResolutionsRequest {
  @ApiProperty({ type: [String], maxItems: MAX_RESOLVED, example: ['period:2026-02', 'vendor-blocked:4711'] })
  @ArrayNotEmpty()
  @ArrayMaxSize(MAX_RESOLVED)
  @IsString({ each: true })
  @MaxLength(MAX_ISSUE_KEY_LENGTH, { each: true })
  readonly issueKeys!: readonly string[];
}

export class RuleResolutionRequest {
  @ApiProperty({ ...TEXT, description: 'in the ERP: account, tax code or dimension value', example: '6421' })
  @IsString()
  @IsNotEmpty()
  @IsPlainText()
  @MaxLength(255)
  readonly target!: string;

  @ApiPropertyOptional({ ...TEXT, description: 'of a tag: the dimension in the ERP', example: 'CC' })
  @OptionalField()
  @IsString()
  @IsPlainText()
  @MaxLength(255)
  readonly targetGroup?: string;

  @ApiPropertyOptional({ ...TEXT, description: 'only for items of this type', example: 'card_purchase' })
  @OptionalField()
  @IsString()
  @IsPlainText()
  @MaxLength(255)
  readonly itemType?: string;

  @ApiPropertyOptional({ ...TEXT, description: 'with `tag` and `itemType`: only for lines that carry it' })
  @OptionalField()
  @IsString()
  @IsPlainText()
  @MaxLength(255)
  readonly tagGroup?: string;

  @ApiPropertyOptional(TEXT)
  @OptionalField()
  @IsString()
  @IsPlainText()
  @MaxLength(255)
  readonly tag?: string;
}

export class SettingResolutionRequest {
  @ApiProperty({ ...TEXT, description: 'external id or code of the account', example: '1936' })
  @IsString()
  @IsNotEmpty()
  @IsPlainText()
  @MaxLength(255)
  readonly account!: string;
}

/** At most one of them; neither when the issue was resolved in the ERP or on the platform. */
export class IssueResolutionRequest {
  @ApiPropertyOptional({
    type: RuleResolutionRequest,
    description: 'where `suggestedResolution.action` is `rule`',
  })
  @OptionalField()
  @ValidateNested()
  @Type(() => RuleResolutionRequest)
  readonly rule?: RuleResolutionRequest;

  @ApiPropertyOptional({
    type: SettingResolutionRequest,
    description: 'where `suggestedResolution.action` is `setting`; for administrators',
  })
  @OptionalField()
  @ValidateNested()
  @Type(() => SettingResolutionRequest)
  readonly setting?: SettingResolutionRequest;
}

export const RESOLUTION_EXAMPLES = {
  rule: { summary: 'account 6420 of the platform is 6421 in the ERP', value: { rule: { target: '6421' } } },
  setting: { summary: 'the wallet of that currency', value: { setting: { account: '1936' } } },
  applied: { summary: 'the period was opened in the ERP', value: {} },
};

export class ReexportResponse {
  @ApiProperty({ format: 'uuid' }) readonly id!: string;
  @ApiProperty({
    enum: [
      'waiting',
      'requested',
      'refused',
      'detected',
      'running',
      'verdict_decided',
      'completed',
      'completed_with_errors',
      'failed',
      'expired',
      'closed_by_platform',
    ],
    description:
      'waiting, requested: the platform has not created the job yet; from `detected` on the state of the job',
  })
  readonly state!: string;
  @ApiProperty({ example: 500 }) readonly entries!: number;
  @ApiProperty({ type: String, format: 'uuid', nullable: true }) readonly exportJobId!: string | null;
  @ApiProperty({ example: 500 }) readonly successful!: number;
  @ApiProperty({ example: 0 }) readonly failed!: number;
  @ApiProperty({ type: String, nullable: true }) readonly problem!: string | null;
  @ApiProperty({ example: 'token 0198c0de-…' }) readonly requestedBy!: string;
  @ApiProperty({ format: 'date-time' }) readonly createdAt!: Date;
}

export class SuggestedResolutionResponse extends MessageResponse {
  @ApiProperty({ enum: ['rule', 'setting', 'outside'], description: 'what the resolution takes' })
  readonly action!: string;
}

export class FailedAmountResponse {
  @ApiProperty({ type: String, nullable: true, example: 'EUR' }) readonly currency!: string | null;
  @ApiProperty({ type: String, nullable: true, description: 'decimal text, main units', example: '62500.00' })
  readonly amount!: string | null;
  @ApiProperty(MONEY_OR_NULL) readonly money!: MoneyResponse | null;
  @ApiProperty({ example: 500 }) readonly entries!: number;
}

export class IssueResponse {
  @ApiProperty({ description: 'stable; may be used in a path', example: 'account:6420' })
  readonly issueKey!: string;
  @ApiProperty({ example: 'account' }) readonly kind!: string;
  @ApiProperty({ example: '6420' }) readonly reference!: string;
  @ApiProperty({ type: String, nullable: true, description: 'of a tag' }) readonly group!: string | null;
  @ApiProperty({ type: String, nullable: true, example: 'Software' }) readonly name!: string | null;
  @ApiProperty({
    enum: ISSUE_STATES,
    description: 'closed by the system when it blocks no entry; left: booked by hand',
  })
  readonly state!: string;
  @ApiProperty({ example: 'account_unknown' }) readonly failureType!: string;
  @ApiProperty({ description: 'why the last of its entries failed, in English, as the platform was told' })
  readonly reason!: string;
  @ApiProperty({ type: MessageResponse, description: 'what is wrong' }) readonly message!: MessageResponse;
  @ApiProperty({ example: 500 }) readonly entries!: number;
  @ApiProperty({ type: [FailedAmountResponse] }) readonly amounts!: readonly FailedAmountResponse[];
  @ApiProperty({ description: 'how many export jobs', example: 2 }) readonly jobs!: number;
  @ApiProperty({ type: [String], description: 'at most 10 of them, the newest first' })
  readonly jobIds!: readonly string[];
  @ApiProperty({ format: 'date-time' }) readonly firstSeen!: Date;
  @ApiProperty({ format: 'date-time' }) readonly lastSeen!: Date;
  @ApiProperty({ type: String, format: 'date-time', nullable: true }) readonly closedAt!: Date | null;
  @ApiProperty({ type: IssueHandlingResponse }) readonly handling!: IssueHandlingResponse;
  @ApiProperty({ type: SuggestedResolutionResponse })
  readonly suggestedResolution!: SuggestedResolutionResponse;
}

export class IssueDetailResponse extends IssueResponse {
  @ApiProperty({ type: ReexportResponse, nullable: true, description: 'the latest re-export of its entries' })
  readonly latestReexport!: ReexportResponse | null;
}

export class ResolvedIssueResponse {
  @ApiProperty({ example: 'period:2026-02' }) readonly issueKey!: string;
  @ApiProperty({
    enum: ['resolved', 'unknown', 'closed', 'in-progress', 'refused'],
    description: 'resolved: its entries are exported again · in-progress: they were already',
  })
  readonly outcome!: string;
  @ApiProperty({ type: ReexportResponse, nullable: true }) readonly reexport!: ReexportResponse | null;
}

export class IssueResolutionsResponse {
  @ApiProperty({ type: [ResolvedIssueResponse], description: 'each issue once, in the order of the request' })
  readonly data!: readonly ResolvedIssueResponse[];
}

export class IssuesResponse extends PageResponse {
  @ApiProperty({ type: [IssueResponse], description: 'in the order of `sort`' })
  readonly data!: readonly IssueResponse[];
}

export class IssueTotalsResponse {
  @ApiProperty({ description: 'issues of this filter', example: 12 }) readonly total!: number;
  @ApiProperty({ type: [FailedAmountResponse], description: 'of what they block, each entry once' })
  readonly amounts!: readonly FailedAmountResponse[];
}

export class FailedEntryResponse {
  @ApiProperty({ format: 'uuid' }) readonly accountingEntryId!: string;
  @ApiProperty({ format: 'uuid', description: 'in which it last failed for this issue' })
  readonly exportJobId!: string;
  @ApiProperty({ type: String, nullable: true, example: 'card_purchase' }) readonly itemType!: string | null;
  @ApiProperty({ type: String, nullable: true, example: 'EUR' }) readonly currency!: string | null;
  @ApiProperty({ type: String, nullable: true, example: '125.00' }) readonly amount!: string | null;
  @ApiProperty(MONEY_OR_NULL) readonly money!: MoneyResponse | null;
  @ApiProperty({ format: 'date-time' }) readonly firstSeen!: Date;
  @ApiProperty({ format: 'date-time' }) readonly lastSeen!: Date;
  @ApiProperty({ type: String, format: 'date-time', nullable: true }) readonly clearedAt!: Date | null;
  @ApiProperty({ type: String, format: 'uuid', nullable: true, description: 'the job that cleared it' })
  readonly clearedByJobId!: string | null;
}

export class FailedEntriesResponse extends PageResponse {
  @ApiProperty({ type: [FailedEntryResponse] }) readonly data!: readonly FailedEntryResponse[];
}

export class IssueResolutionResponse {
  @ApiProperty({ type: Number, nullable: true, description: 'the version that resolves it', example: 13 })
  readonly mappingVersion!: number | null;
  @ApiProperty({ type: ReexportResponse }) readonly reexport!: ReexportResponse;
}

export function toIssueResponse(row: InboxRow, language: string): IssueResponse {
  const { key, issue, amounts, state, failureType, reason, entries: count, jobs, jobIds } = row;
  const { firstSeen, lastSeen, closedAt, handling } = row;
  return {
    issueKey: key,
    kind: issue.kind,
    reference: issue.reference,
    group: issue.group ?? null,
    name: issue.name ?? null,
    ...{ state, failureType, reason, entries: count, jobs, jobIds, firstSeen, lastSeen, closedAt, handling },
    amounts: amounts.map(toFailedAmount),
    message: localize(language, problemOf(issue)),
    suggestedResolution: { action: resolutionKindOf(issue), ...localize(language, adviceOn(issue)) },
  };
}

export function toIssueTotals({ total, amounts }: IssueTotals): IssueTotalsResponse {
  return { total, amounts: amounts.map(toFailedAmount) };
}

function toFailedAmount({ currency, minor, entries }: FailedAmount): FailedAmountResponse {
  return { currency, amount: amountOf(minor, currency), money: moneyOf(minor, currency), entries };
}

export function toFailedEntryResponse({ amountMinor, ...rest }: FailedEntry): FailedEntryResponse {
  return { ...rest, amount: amountOf(amountMinor, rest.currency), money: moneyOf(amountMinor, rest.currency) };
}

export function toReexportResponse(view: ReexportView): ReexportResponse {
  return { ...view };
}

function amountOf(minor: string | null, currency: string | null): string | null {
  const code = currency === null ? undefined : parseCurrency(currency);
  return minor === null || code === undefined ? null : formatMinor(BigInt(minor), code);
}
