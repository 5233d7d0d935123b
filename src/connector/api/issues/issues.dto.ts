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
import { field, shape } from '../../../foundation/http/shape.js';
import { NullableField, OptionalField } from '../../../foundation/http/optional-field.js';
import { parseCurrency } from '../../../kernel/currency.js';
import { formatMinor } from '../../../kernel/money.js';
import { MessageResponse } from '../../messages/message.dto.js';
import { localize } from '../../messages/texts.js';
import { adviceOn, problemOf, resolutionKindOf } from '../../review/domain/issue-resolution.js';
import { moneyOf, moneyOrNull } from '../http/money.dto.js';
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

export class IssueHandlingResponse extends shape({
  assignee: field.text().nullable(),
  note: field.text().nullable(),
  snoozedUntil: field.day().nullable(),
  bookedByHand: field.flag(),
}) {}

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

export class ReexportResponse extends shape({
  id: field.uuid(),
  state: field.oneOf(
    [
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
    'waiting, requested: the platform has not created the job yet; from `detected` on the state of the job',
  ),
  entries: field.number({ example: 500 }),
  exportJobId: field.uuid().nullable(),
  successful: field.number({ example: 500 }),
  failed: field.number({ example: 0 }),
  problem: field.text().nullable(),
  requestedBy: field.text({ example: 'token 0198c0de-…' }),
  createdAt: field.instant(),
}) {}

export class SuggestedResolutionResponse extends shape(
  {
    action: field.oneOf(['rule', 'setting', 'outside'], 'what the resolution takes'),
  },
  MessageResponse,
) {}

export class FailedAmountResponse extends shape({
  currency: field.text({ example: 'EUR' }).nullable(),
  amount: field.text({ description: 'decimal text, main units', example: '62500.00' }).nullable(),
  money: moneyOrNull(),
  entries: field.number({ example: 500 }),
}) {}

export class IssueResponse extends shape({
  issueKey: field.text({ description: 'stable; may be used in a path', example: 'account:6420' }),
  kind: field.text({ example: 'account' }),
  reference: field.text({ example: '6420' }),
  group: field.text('of a tag').nullable(),
  name: field.text({ example: 'Software' }).nullable(),
  state: field.oneOf(ISSUE_STATES, 'closed by the system when it blocks no entry; left: booked by hand'),
  failureType: field.text({ example: 'account_unknown' }),
  reason: field.text('why the last of its entries failed, in English, as the platform was told'),
  message: field.one(MessageResponse, 'what is wrong'),
  entries: field.number({ example: 500 }),
  amounts: field.many(FailedAmountResponse),
  jobs: field.number({ description: 'how many export jobs', example: 2 }),
  jobIds: field.texts('at most 10 of them, the newest first'),
  firstSeen: field.instant(),
  lastSeen: field.instant(),
  closedAt: field.instant().nullable(),
  handling: field.one(IssueHandlingResponse),
  suggestedResolution: field.one(SuggestedResolutionResponse),
}) {}

export class IssueDetailResponse extends shape(
  {
    latestReexport: field.one(ReexportResponse, 'the latest re-export of its entries').nullable(),
  },
  IssueResponse,
) {}

export class ResolvedIssueResponse extends shape({
  issueKey: field.text({ example: 'period:2026-02' }),
  outcome: field.oneOf(
    ['resolved', 'unknown', 'closed', 'in-progress', 'refused'],
    'resolved: its entries are exported again · in-progress: they were already',
  ),
  reexport: field.one(ReexportResponse).nullable(),
}) {}

export class IssueResolutionsResponse extends shape({
  data: field.many(ResolvedIssueResponse, 'each issue once, in the order of the request'),
}) {}

export class IssuesResponse extends shape(
  {
    data: field.many(IssueResponse, 'in the order of `sort`'),
  },
  PageResponse,
) {}

export class IssueTotalsResponse extends shape({
  total: field.number({ description: 'issues of this filter', example: 12 }),
  amounts: field.many(FailedAmountResponse, 'of what they block, each entry once'),
}) {}

export class FailedEntryResponse extends shape({
  accountingEntryId: field.uuid(),
  exportJobId: field.uuid('in which it last failed for this issue'),
  itemType: field.text({ example: 'card_purchase' }).nullable(),
  currency: field.text({ example: 'EUR' }).nullable(),
  amount: field.text({ example: '125.00' }).nullable(),
  money: moneyOrNull(),
  firstSeen: field.instant(),
  lastSeen: field.instant(),
  clearedAt: field.instant().nullable(),
  clearedByJobId: field.uuid('the job that cleared it').nullable(),
}) {}

export class FailedEntriesResponse extends shape(
  {
    data: field.many(FailedEntryResponse),
  },
  PageResponse,
) {}

export class IssueResolutionResponse extends shape({
  mappingVersion: field.number({ description: 'the version that resolves it', example: 13 }).nullable(),
  reexport: field.one(ReexportResponse),
}) {}

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
