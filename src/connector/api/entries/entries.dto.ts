import { ApiProperty, ApiPropertyOptional, IntersectionType } from '@nestjs/swagger';
import { IsIn, IsString, Matches, MaxLength, MinLength } from 'class-validator';
import { OptionalField } from '../../../foundation/http/optional-field.js';
import { parseCurrency } from '../../../kernel/currency.js';
import { minorFromHundredths } from '../../../kernel/money.js';
import type { WireMoney } from '../../bookkeeping/item/export-item.js';
import type { EntryHistory } from '../../exports/lists/entry-history.reader.js';
import {
  ENTRY_SORTS,
  ENTRY_STATES,
  type EntrySort,
  type EntryState,
  type EntryView,
} from '../../exports/lists/entry-list.reader.js';
import type { EntryTotals } from '../../exports/lists/entry-totals.reader.js';
import { MessageResponse } from '../../messages/message.dto.js';
import { AmountQuery, DayQuery } from '../http/list-filters.js';
import { MONEY_OR_NULL, MoneyResponse, moneyOf } from '../http/money.dto.js';
import { LongPageQuery, PageResponse } from '../http/page.dto.js';
import { ItemAccountResponse, toAmounts, withFailure } from '../jobs/jobs.dto.js';

export class EntryFilterQuery {
  @ApiPropertyOptional({
    description:
      'part of supplier, person, account, document number or number in the accounting system; or the entry’s id',
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

  @AmountQuery('in main units of the wallet’s currency, of either sign')
  readonly amount?: string;

  @ApiPropertyOptional({ description: 'code of an account on the platform, of one of its lines', example: '6420' })
  @OptionalField()
  @IsString()
  @MinLength(1)
  @MaxLength(100)
  readonly account?: string;

  @ApiPropertyOptional({ example: 'card_purchase' })
  @OptionalField()
  @Matches(/^\w{1,60}$/)
  readonly type?: string;

  @ApiPropertyOptional({ enum: ENTRY_STATES })
  @OptionalField()
  @IsIn(ENTRY_STATES)
  readonly state?: EntryState;

  @AmountQuery('the least amount, in main units of the wallet’s currency, without sign')
  readonly minAmount?: string;

  @AmountQuery('the greatest amount, in main units of the wallet’s currency, without sign')
  readonly maxAmount?: string;

  @DayQuery('day of the expense, from then on')
  readonly from?: string;

  @DayQuery('day of the expense, until then')
  readonly to?: string;
}

export class EntriesQuery extends IntersectionType(EntryFilterQuery, LongPageQuery) {
  @ApiPropertyOptional({
    enum: ENTRY_SORTS,
    default: 'newest',
    description: 'newest export first; with `-` descending',
  })
  @IsIn(ENTRY_SORTS)
  readonly sort: EntrySort = 'newest';
}

const FAILURE = { type: MessageResponse, nullable: true, description: 'what kind of failure it is' } as const;
const NUMBER_IN_ERP = { type: String, nullable: true, description: 'id of the journal entry in the ERP' } as const;

class EntryFactsResponse {
  @ApiProperty({ format: 'uuid' }) readonly accountingEntryId!: string;
  @ApiProperty({ type: String, format: 'date', nullable: true, description: 'null once nothing is kept of it' })
  readonly date!: string | null;
  @ApiProperty({ type: String, nullable: true, example: 'card_purchase' }) readonly type!: string | null;
  @ApiProperty({ type: String, nullable: true }) readonly supplier!: string | null;
  @ApiProperty({ type: String, nullable: true, description: 'the person’s code; names are not kept' })
  readonly person!: string | null;
  @ApiProperty({ type: String, nullable: true }) readonly documentNumber!: string | null;
  @ApiProperty({ type: [ItemAccountResponse], description: 'of its lines, on the platform' })
  readonly accounts!: readonly ItemAccountResponse[];
}

export class EntryResponse extends EntryFactsResponse {
  @ApiProperty({ enum: ENTRY_STATES, description: 'uncertain: it may be in the books, which is not known yet' })
  readonly state!: EntryState;
  @ApiProperty({ ...MONEY_OR_NULL, description: 'in the wallet’s currency' }) readonly amount!: MoneyResponse | null;
  @ApiProperty({ format: 'uuid', description: 'the newest export with a result for it' }) readonly exportJobId!: string;
  @ApiProperty({ format: 'date-time', description: 'when that export was detected' }) readonly detectedAt!: Date;
  @ApiProperty({ description: '0: nothing was sent to the ERP', example: 1 }) readonly revision!: number;
  @ApiProperty(NUMBER_IN_ERP) readonly externalId!: string | null;
  @ApiProperty({ type: String, nullable: true }) readonly externalUrl!: string | null;
  @ApiProperty({ type: String, format: 'date-time', nullable: true }) readonly exportedAt!: Date | null;
  @ApiProperty({ type: String, nullable: true }) readonly failureType!: string | null;
  @ApiProperty({ type: String, nullable: true, description: 'what a bookkeeper can do about it' })
  readonly failureReason!: string | null;
  @ApiProperty(FAILURE) readonly failure!: MessageResponse | null;
  @ApiProperty({ type: [String], description: 'of the issues that block it now', example: ['account:6420'] })
  readonly issueKeys!: readonly string[];
}

export class EntriesResponse extends PageResponse {
  @ApiProperty({ type: [EntryResponse] }) readonly data!: readonly EntryResponse[];
}

export class EntryTotalsResponse {
  @ApiProperty({ description: 'entries of this search', example: 147 }) readonly total!: number;
  @ApiProperty({ type: [MoneyResponse], description: 'of those whose amount is known, by currency' })
  readonly amounts!: readonly MoneyResponse[];
}

export class EntryExportResponse {
  @ApiProperty({ format: 'uuid' }) readonly exportJobId!: string;
  @ApiProperty() readonly position!: number;
  @ApiProperty({ format: 'date-time' }) readonly detectedAt!: Date;
  @ApiProperty({ type: String, nullable: true, description: 'who asked for it here; null: somebody on the platform' })
  readonly requestedBy!: string | null;
  @ApiProperty({ enum: ['pending', 'successful', 'failed'] }) readonly state!: string;
  @ApiProperty(MONEY_OR_NULL) readonly amount!: MoneyResponse | null;
  @ApiProperty(NUMBER_IN_ERP) readonly externalId!: string | null;
  @ApiProperty({ type: String, nullable: true }) readonly externalUrl!: string | null;
  @ApiProperty({ type: String, format: 'date-time', nullable: true }) readonly exportedAt!: Date | null;
  @ApiProperty({ type: String, nullable: true }) readonly failureType!: string | null;
  @ApiProperty({ type: String, nullable: true }) readonly failureReason!: string | null;
  @ApiProperty(FAILURE) readonly failure!: MessageResponse | null;
  @ApiProperty({ type: [String] }) readonly warnings!: readonly string[];
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'number of the certificate that proves the export (GET /api/v1/certificates/{exportJobId})',
  })
  readonly certificate!: string | null;
}

export class EntryDecisionResponse {
  @ApiProperty({ enum: ['in-the-books', 'not-in-the-books'] }) readonly outcome!: string;
  @ApiProperty({ type: String, nullable: true }) readonly note!: string | null;
  @ApiProperty({ description: 'who decided' }) readonly by!: string;
  @ApiProperty({ format: 'date-time' }) readonly at!: string;
}

export class EntryPostingResponse {
  @ApiProperty({ description: 'from 1; a later one follows when the one before is out of the books' })
  readonly revision!: number;
  @ApiProperty({ format: 'uuid' }) readonly exportJobId!: string;
  @ApiProperty() readonly erpCompanyId!: string;
  @ApiProperty() readonly mappingVersion!: number;
  @ApiProperty({ enum: ['sent', 'uncertain', 'posted', 'rejected', 'reversed'] }) readonly state!: string;
  @ApiProperty(NUMBER_IN_ERP) readonly externalId!: string | null;
  @ApiProperty({ type: String, nullable: true }) readonly externalUrl!: string | null;
  @ApiProperty({ format: 'date-time' }) readonly firstSentAt!: Date;
  @ApiProperty({ type: String, format: 'date-time', nullable: true }) readonly postedAt!: Date | null;
  @ApiProperty({ type: String, format: 'date-time', nullable: true }) readonly reversalSentAt!: Date | null;
  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'since when the accounting system has it no more, as a person has noted',
  })
  readonly lostAt!: Date | null;
  @ApiProperty({ type: [EntryDecisionResponse], description: 'what persons found in the books where no search could' })
  readonly decisions!: readonly EntryDecisionResponse[];
}

export class EntryIssueResponse {
  @ApiProperty({ example: 'account:6420' }) readonly issueKey!: string;
  @ApiProperty({ type: String, nullable: true }) readonly name!: string | null;
  @ApiProperty() readonly reason!: string;
  @ApiProperty({ format: 'date-time' }) readonly firstSeenAt!: Date;
  @ApiProperty({ type: String, format: 'date-time', nullable: true }) readonly clearedAt!: Date | null;
  @ApiProperty({ type: String, format: 'uuid', nullable: true }) readonly clearedByJobId!: string | null;
}

export class EntryDiscrepancyResponse {
  @ApiProperty({ format: 'uuid' }) readonly id!: string;
  @ApiProperty() readonly class!: string;
  @ApiProperty({ enum: ['open', 'accepted', 'repaired'] }) readonly state!: string;
  @ApiProperty({ format: 'date-time' }) readonly firstSeenAt!: Date;
  @ApiProperty({ type: String, format: 'date-time', nullable: true }) readonly settledAt!: Date | null;
  @ApiProperty({ type: String, nullable: true }) readonly settledBy!: string | null;
  @ApiProperty({ type: String, nullable: true, description: 'what was done' }) readonly settledAs!: string | null;
  @ApiProperty({ type: String, nullable: true }) readonly note!: string | null;
}

export class EntryHistoryResponse extends EntryFactsResponse {
  @ApiProperty({ type: [EntryExportResponse], description: 'exports that had it, newest first' })
  readonly exports!: readonly EntryExportResponse[];
  @ApiProperty({ type: [EntryPostingResponse], description: 'what was sent to the accounting system, newest first' })
  readonly postings!: readonly EntryPostingResponse[];
  @ApiProperty({ type: [EntryIssueResponse], description: 'what has kept it from the books, newest first' })
  readonly issues!: readonly EntryIssueResponse[];
  @ApiProperty({ type: [EntryDiscrepancyResponse], description: 'what reconciliation has found, newest first' })
  readonly discrepancies!: readonly EntryDiscrepancyResponse[];
}

export function toEntryResponse(entry: EntryView, language: string): EntryResponse {
  const { accountingEntryId, date, type, supplier, person, documentNumber, accounts, state, exportJobId } = entry;
  const { detectedAt, revision, externalId, externalUrl, exportedAt, failureReason, issueKeys } = entry;
  const { failureType, failure } = withFailure(entry, language);
  return {
    ...{ accountingEntryId, date, type, supplier, person, documentNumber, accounts, state, exportJobId, detectedAt },
    ...{ revision, externalId, externalUrl, exportedAt, failureType, failureReason, failure, issueKeys },
    amount: moneyOfWire(entry.amount),
  };
}

export function toEntryTotals({ total, sums }: EntryTotals): EntryTotalsResponse {
  return { total, amounts: toAmounts(sums) };
}

export function toEntryHistory(history: EntryHistory, language: string): EntryHistoryResponse {
  return {
    ...history,
    exports: history.exports.map((each) => {
      const { exportJobId, position, detectedAt, requestedBy, state, externalId, externalUrl, exportedAt } = each;
      const { failureReason, warnings, certificate } = each;
      const { failureType, failure } = withFailure(each, language);
      return {
        ...{ exportJobId, position, detectedAt, requestedBy, state, externalId, externalUrl, exportedAt },
        ...{ failureType, failureReason, failure, warnings, certificate, amount: moneyOfWire(each.amount) },
      };
    }),
  };
}

function moneyOfWire(amount: WireMoney | null): MoneyResponse | null {
  const currency = amount === null ? undefined : parseCurrency(amount.currency);
  return moneyOf(amount && currency && minorFromHundredths(amount.value, currency), currency);
}
