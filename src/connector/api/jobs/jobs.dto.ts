import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsString, Matches, MaxLength, MinLength } from 'class-validator';
import { OptionalField } from '../../../foundation/http/optional-field.js';
import { message } from '../../../kernel/message.js';
import { MessageResponse } from '../../messages/message.dto.js';
import { hasText, localize } from '../../messages/texts.js';
import { parseCurrency } from '../../../kernel/currency.js';
import { minorFromHundredths } from '../../../kernel/money.js';
import { MAX_ISSUE_KEY_LENGTH } from '../../bookkeeping/item/issues.js';
import { ITEM_SORTS, type ItemView } from '../../exports/lists/item-list.reader.js';
import type { CurrencySum } from '../../exports/stores/currency-sums.js';
import type { JobView } from '../../exports/stores/export-job.reader.js';
import { IsInstant } from '../http/instant.validator.js';
import { AmountQuery, DayQuery } from '../http/list-filters.js';
import { MONEY_OR_NULL, MoneyResponse, moneyOf } from '../http/money.dto.js';
import { LongPageQuery, PageResponse } from '../http/page.dto.js';

const ITEM_STATES = ['pending', 'successful', 'failed'] as const;

const JOB_STATES = [
  'detected',
  'running',
  'verdict_decided',
  'completed',
  'completed_with_errors',
  'failed',
  'expired',
  'closed_by_platform',
] as const;
/** Value of a filter: nobody here, so somebody on the platform. */
export const ON_PLATFORM = 'platform';

export class JobsQuery extends LongPageQuery {
  @ApiPropertyOptional({ enum: JOB_STATES })
  @OptionalField()
  @IsIn(JOB_STATES)
  readonly state?: (typeof JOB_STATES)[number];

  @ApiPropertyOptional({ format: 'date-time', description: 'detected from then on' })
  @OptionalField()
  @IsInstant()
  readonly from?: string;

  @ApiPropertyOptional({ format: 'date-time', description: 'detected before' })
  @OptionalField()
  @IsInstant()
  readonly to?: string;

  @ApiPropertyOptional({ description: 'as in `requestedBy` of a job; `platform` for jobs of somebody there' })
  @OptionalField()
  @IsString()
  @MaxLength(200)
  readonly requestedBy?: string;
}

const SORTS = ITEM_SORTS.flatMap((name) => [name, `-${name}` as const]);

export class ItemQuery extends LongPageQuery {
  @ApiPropertyOptional({ enum: ITEM_STATES })
  @OptionalField()
  @IsIn(ITEM_STATES)
  readonly state?: (typeof ITEM_STATES)[number];

  @ApiPropertyOptional({ description: 'key of an issue that blocks it now', example: 'account:6420' })
  @OptionalField()
  @IsString()
  @MaxLength(MAX_ISSUE_KEY_LENGTH)
  readonly issue?: string;

  @ApiPropertyOptional({ example: 'card_purchase' })
  @OptionalField()
  @Matches(/^\w{1,60}$/)
  readonly type?: string;

  @ApiPropertyOptional({ description: 'code of an account on the platform, of one of its lines', example: '6420' })
  @OptionalField()
  @IsString()
  @MaxLength(100)
  readonly account?: string;

  @ApiPropertyOptional({
    description: 'part of supplier, person, account, document number, number in the ERP or the entry’s id',
  })
  @OptionalField()
  @IsString()
  @MinLength(1)
  @MaxLength(100)
  readonly search?: string;

  @ApiPropertyOptional({ description: 'part of the supplier’s name' })
  @OptionalField()
  @IsString()
  @MinLength(1)
  @MaxLength(100)
  readonly supplier?: string;

  @ApiPropertyOptional({ description: 'part of the person’s code', example: 'E-17' })
  @OptionalField()
  @IsString()
  @MinLength(1)
  @MaxLength(100)
  readonly person?: string;

  @DayQuery('day of the expense, from then on')
  readonly from?: string;

  @DayQuery('day of the expense, until then')
  readonly to?: string;

  @AmountQuery('the least amount, in main units of the wallet’s currency, without sign')
  readonly minAmount?: string;

  @AmountQuery('the greatest amount, in main units of the wallet’s currency, without sign')
  readonly maxAmount?: string;

  @ApiPropertyOptional({ enum: SORTS, default: 'position', description: 'with `-` descending' })
  @IsIn(SORTS)
  readonly sort: (typeof SORTS)[number] = 'position';
}

const FAILURE = { type: MessageResponse, nullable: true, description: 'what kind of failure it is' } as const;

export class JobResponse {
  @ApiProperty({ format: 'uuid' }) readonly id!: string;
  @ApiProperty({ format: 'uuid' }) readonly companyId!: string;
  @ApiProperty({ enum: JOB_STATES })
  readonly state!: string;
  @ApiProperty() readonly numberOfItems!: number;
  @ApiProperty() readonly successful!: number;
  @ApiProperty() readonly failed!: number;
  @ApiProperty({ type: Number, nullable: true }) readonly mappingVersion!: number | null;
  @ApiProperty({ format: 'date-time' }) readonly detectedAt!: Date;
  @ApiProperty({ type: String, format: 'date-time', nullable: true }) readonly startedAt!: Date | null;
  @ApiProperty({ type: String, format: 'date-time', nullable: true }) readonly finishedAt!: Date | null;
  @ApiProperty({ format: 'date-time', description: 'by the platform’s clock' }) readonly expiresAt!: Date;
  @ApiProperty({ type: String, nullable: true }) readonly failureType!: string | null;
  @ApiProperty({ type: String, nullable: true, description: 'what a bookkeeper can do about it' })
  readonly failureReason!: string | null;
  @ApiProperty(FAILURE) readonly failure!: MessageResponse | null;
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'said when it began: that it cannot end in time at the accounting system’s limit, with the figures',
  })
  readonly notice!: string | null;
  @ApiProperty({ type: String, nullable: true, description: 'who asked for it here; null: somebody on the platform' })
  readonly requestedBy!: string | null;
  @ApiProperty({ type: [MoneyResponse], description: 'of its items with a result, by currency' })
  readonly amounts!: readonly MoneyResponse[];
}

export class ItemAccountResponse {
  @ApiProperty({ example: '6420' }) readonly code!: string;
  @ApiProperty({ type: String, nullable: true, example: 'Software' }) readonly name!: string | null;
}

export class ItemResponse {
  @ApiProperty() readonly position!: number;
  @ApiProperty({ format: 'uuid' }) readonly accountingEntryId!: string;
  @ApiProperty({ enum: ITEM_STATES }) readonly state!: string;
  @ApiProperty({
    type: String,
    format: 'date',
    nullable: true,
    description: 'null while or once nothing is kept of it',
  })
  readonly date!: string | null;
  @ApiProperty({ type: String, nullable: true, example: 'card_purchase' }) readonly type!: string | null;
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'the vendor’s name; merchants without a record are not kept',
  })
  readonly supplier!: string | null;
  @ApiProperty({ type: String, nullable: true, description: 'the person’s code; names are not kept' })
  readonly person!: string | null;
  @ApiProperty({ type: String, nullable: true }) readonly documentNumber!: string | null;
  @ApiProperty({ ...MONEY_OR_NULL, description: 'in the wallet’s currency' }) readonly amount!: MoneyResponse | null;
  @ApiProperty({ type: [ItemAccountResponse], description: 'of its lines, on the platform' })
  readonly accounts!: readonly ItemAccountResponse[];
  @ApiProperty({ type: [String], description: 'of the issues that block it now', example: ['account:6420'] })
  readonly issueKeys!: readonly string[];
  @ApiProperty({ type: String, nullable: true, description: 'id of the journal entry in the ERP' })
  readonly externalId!: string | null;
  @ApiProperty({ type: String, nullable: true }) readonly externalUrl!: string | null;
  @ApiProperty({ type: String, format: 'date-time', nullable: true }) readonly exportedAt!: Date | null;
  @ApiProperty({ type: String, nullable: true }) readonly failureType!: string | null;
  @ApiProperty({ type: String, nullable: true, description: 'what a bookkeeper can do about it' })
  readonly failureReason!: string | null;
  @ApiProperty(FAILURE) readonly failure!: MessageResponse | null;
  @ApiProperty({ type: [String] }) readonly warnings!: readonly string[];
  @ApiProperty({ type: String, format: 'date-time', nullable: true }) readonly reportedAt!: Date | null;
  @ApiProperty({ type: String, nullable: true, description: 'why the platform did not take the result' })
  readonly reportProblem!: string | null;
}

export class JobsResponse extends PageResponse {
  @ApiProperty({ type: [JobResponse] }) readonly data!: readonly JobResponse[];
}

export class ItemsResponse extends PageResponse {
  @ApiProperty({ type: JobResponse, description: 'whose items they are' }) readonly job!: JobResponse;
  @ApiProperty({ description: 'items of this filter, on all pages', example: 147 }) readonly total!: number;
  @ApiProperty({ type: [MoneyResponse], description: 'of the items of this filter that have a result, by currency' })
  readonly amounts!: readonly MoneyResponse[];
  @ApiProperty({ type: [ItemResponse] }) readonly data!: readonly ItemResponse[];
}

/** The same job or item, with the kind of its failure in the reader's language. */
export function withFailure<T extends { readonly failureType: string | null }>(
  result: T,
  language: string,
): T & { readonly failure: MessageResponse | null } {
  const code = `failure.${result.failureType ?? ''}`;
  return { ...result, failure: hasText(code) ? localize(language, message(code)) : null };
}

export function toJobResponse(
  { amounts, ...job }: JobView,
  language: string,
): Omit<JobView, 'amounts'> & { readonly amounts: readonly MoneyResponse[]; readonly failure: MessageResponse | null } {
  return {
    ...withFailure(job, language),
    amounts: toAmounts(amounts),
  };
}

export function toAmounts(sums: readonly CurrencySum[]): readonly MoneyResponse[] {
  return sums.flatMap(({ currency, minor }) => moneyOf(minor, currency) ?? []);
}

export function toItemResponse(item: ItemView, language: string): ItemResponse {
  const { position, accountingEntryId, state, date, type, supplier, person, documentNumber, accounts, issueKeys } =
    item;
  const { externalId, externalUrl, exportedAt, failureReason, warnings, reportedAt, reportProblem } = item;
  const { failureType, failure } = withFailure(item, language);
  const currency = item.amount === null ? undefined : parseCurrency(item.amount.currency);
  const minor = item.amount && currency && minorFromHundredths(item.amount.value, currency);
  return {
    ...{ position, accountingEntryId, state, date, type, supplier, person, documentNumber, accounts, issueKeys },
    ...{
      externalId,
      externalUrl,
      exportedAt,
      failureType,
      failure,
      failureReason,
      warnings,
      reportedAt,
      reportProblem,
    },
    amount: moneyOf(minor, currency),
  };
}
