import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsString, Length } from 'class-validator';
import { OptionalField } from '../../../foundation/http/optional-field.js';
import { MessageResponse } from '../../messages/message.dto.js';
import { MONEY_OR_NULL, type MoneyResponse } from '../http/money.dto.js';

const FORMATS = ['json', 'csv', 'xlsx', 'html'] as const;
const STATES = ['open', 'signed', 'reopened'];
const COMPANY = {
  minLength: 1,
  maxLength: 255,
  description: 'company of the accounting system, as it names it; the linked one where it is left out',
};

export class MonthEndsQuery {
  @ApiPropertyOptional(COMPANY)
  @OptionalField()
  @IsString()
  @Length(1, 255)
  readonly company?: string;
}

export class MonthEndQuery extends MonthEndsQuery {
  @ApiPropertyOptional({ enum: FORMATS, default: 'json', description: 'html prints on paper' })
  @OptionalField()
  @IsIn(FORMATS)
  readonly format: (typeof FORMATS)[number] = 'json';
}

export class MonthSignOffRequest {
  @ApiPropertyOptional(COMPANY)
  @OptionalField()
  @IsString()
  @Length(1, 255)
  readonly company?: string;

  @ApiPropertyOptional({ maxLength: 1_000, description: 'why, though entries of the month are not in the books' })
  @OptionalField()
  @IsString()
  @Length(1, 1_000)
  readonly reason?: string;
}

export class MonthReopeningRequest {
  @ApiPropertyOptional(COMPANY)
  @OptionalField()
  @IsString()
  @Length(1, 255)
  readonly company?: string;

  @ApiProperty({ minLength: 1, maxLength: 1_000 })
  @IsString()
  @Length(1, 1_000)
  readonly reason!: string;
}

export class MonthEntriesResponse {
  @ApiProperty({ description: 'accounting entries in the books, each once' }) readonly posted!: number;
  @ApiProperty({ description: 'reversed since; in no figure' }) readonly reversed!: number;
  @ApiProperty({ description: 'of the posted ones: handed over as drafts' }) readonly drafts!: number;
}

export class MonthSignOffResponse {
  @ApiProperty() readonly signedBy!: string;
  @ApiProperty({ format: 'date-time' }) readonly signedAt!: Date;
  @ApiProperty({ type: String, nullable: true, description: 'why, though entries were missing' })
  readonly reason!: string | null;
  @ApiProperty({ description: 'entries that were not in the books then' }) readonly missingEntries!: number;
  @ApiProperty({ description: 'SHA-256 of the figures that were signed, hex' }) readonly hash!: string;
  @ApiProperty({ type: String, nullable: true }) readonly reopenedBy!: string | null;
  @ApiProperty({ type: String, format: 'date-time', nullable: true }) readonly reopenedAt!: Date | null;
  @ApiProperty({ type: String, nullable: true }) readonly reopeningReason!: string | null;
}

export class MonthEndRow {
  @ApiProperty({ example: '2026-03' }) readonly month!: string;
  @ApiProperty({ enum: STATES }) readonly state!: string;
  @ApiProperty({ type: MonthEntriesResponse }) readonly entries!: MonthEntriesResponse;
  @ApiProperty({ description: 'entries of the month that are not in the books yet' })
  readonly missingEntries!: number;
  @ApiProperty({ type: MonthSignOffResponse, nullable: true, description: 'the newest' })
  readonly signOff!: MonthSignOffResponse | null;
}

export class MonthEndsResponse {
  @ApiProperty() readonly erpCompanyId!: string;
  @ApiProperty({ type: [MonthEndRow], description: 'newest first, at most 120' })
  readonly data!: readonly MonthEndRow[];
}

export class MonthFiguresResponse {
  @ApiProperty(MONEY_OR_NULL) readonly opening!: MoneyResponse | null;
  @ApiProperty(MONEY_OR_NULL) readonly debit!: MoneyResponse | null;
  @ApiProperty(MONEY_OR_NULL) readonly credit!: MoneyResponse | null;
  @ApiProperty(MONEY_OR_NULL) readonly closing!: MoneyResponse | null;
}

export class MonthAccountResponse {
  @ApiProperty({ example: '1935' }) readonly accountCode!: string;
  @ApiProperty({ type: String, nullable: true }) readonly accountName!: string | null;
  @ApiProperty({ example: 'EUR' }) readonly currency!: string;
  @ApiProperty({
    type: String,
    enum: ['wallet', 'payables'],
    nullable: true,
    description: 'an account that should hold the same on both sides; null: another one',
  })
  readonly role!: string | null;
  @ApiProperty({ type: MonthFiguresResponse, description: 'of our record: what is posted and not reversed' })
  readonly ours!: MonthFiguresResponse;
  @ApiProperty({ type: MonthFiguresResponse, nullable: true, description: 'of the ledger: what anybody has posted' })
  readonly ledger!: MonthFiguresResponse | null;
  @ApiProperty({
    type: String,
    enum: ['not-offered', 'unavailable', 'unknown-account'],
    nullable: true,
    description: 'why there is no figure of the ledger',
  })
  readonly ledgerMissing!: string | null;
  @ApiProperty({ ...MONEY_OR_NULL, description: 'closing balances: ours less the ledger’s' })
  readonly difference!: MoneyResponse | null;
}

export class MonthTotalResponse {
  @ApiProperty({ example: 'EUR' }) readonly currency!: string;
  @ApiProperty(MONEY_OR_NULL) readonly debit!: MoneyResponse | null;
  @ApiProperty(MONEY_OR_NULL) readonly credit!: MoneyResponse | null;
}

export class MissingEntryResponse {
  @ApiProperty({ format: 'uuid' }) readonly accountingEntryId!: string;
  @ApiProperty({ format: 'uuid' }) readonly exportJobId!: string;
  @ApiProperty({ enum: ['failed', 'waiting', 'uncertain'] }) readonly why!: string;
  @ApiProperty({ enum: ['bookkeeper', 'accounting-system', 'platform', 'nobody'], description: 'who has to act' })
  readonly who!: string;
  @ApiProperty({ format: 'date' }) readonly date!: string;
  @ApiProperty({ type: String, nullable: true }) readonly supplier!: string | null;
  @ApiProperty(MONEY_OR_NULL) readonly money!: MoneyResponse | null;
  @ApiProperty({ type: String, nullable: true, description: 'of what has failed' })
  readonly issueKey!: string | null;
  @ApiProperty({ type: MessageResponse }) readonly reason!: MessageResponse;
  @ApiProperty({ type: MessageResponse, description: 'what to do about it' }) readonly advice!: MessageResponse;
}

export class MissingTotalResponse {
  @ApiProperty({ enum: ['failed', 'waiting', 'uncertain'] }) readonly why!: string;
  @ApiProperty() readonly entries!: number;
  @ApiProperty({ ...MONEY_OR_NULL, description: 'of those whose amount is known; null without a currency' })
  readonly money!: MoneyResponse | null;
}

export class MonthDiscrepancyResponse {
  @ApiProperty({ format: 'uuid' }) readonly id!: string;
  @ApiProperty() readonly class!: string;
  @ApiProperty() readonly subject!: string;
  @ApiProperty({ enum: ['open', 'accepted'] }) readonly state!: string;
  @ApiProperty() readonly ageDays!: number;
  @ApiProperty(MONEY_OR_NULL) readonly money!: MoneyResponse | null;
  @ApiProperty({ type: String, nullable: true }) readonly note!: string | null;
  @ApiProperty({ type: MessageResponse }) readonly message!: MessageResponse;
}

export class ChangedFigureResponse {
  @ApiProperty() readonly accountCode!: string;
  @ApiProperty({ type: String, nullable: true }) readonly accountName!: string | null;
  @ApiProperty({ enum: ['ours', 'ledger'] }) readonly side!: string;
  @ApiProperty({ ...MONEY_OR_NULL, description: 'closing balance when it was signed' })
  readonly signed!: MoneyResponse | null;
  @ApiProperty(MONEY_OR_NULL) readonly now!: MoneyResponse | null;
}

export class MonthEndResponse {
  @ApiProperty({ example: '2026-03', description: 'of posting dates' }) readonly month!: string;
  @ApiProperty() readonly erpCompanyId!: string;
  @ApiProperty() readonly companyName!: string;
  @ApiProperty({ format: 'date-time' }) readonly madeAt!: Date;
  @ApiProperty({ enum: STATES }) readonly state!: string;
  @ApiProperty({
    type: MonthSignOffResponse,
    nullable: true,
    description: 'the newest, also when it was reopened since',
  })
  readonly signOff!: MonthSignOffResponse | null;
  @ApiProperty({ type: [ChangedFigureResponse], description: 'closing balances that are not as they were signed' })
  readonly changedSinceSignOff!: readonly ChangedFigureResponse[];
  @ApiProperty({ type: String, format: 'date-time', nullable: true, description: 'compared as a whole, last' })
  readonly reconciledAt!: Date | null;
  @ApiProperty({ type: MonthEntriesResponse }) readonly entries!: MonthEntriesResponse;
  @ApiProperty({
    type: [MonthAccountResponse],
    description: 'wallets, payables, then the others, by currency and code',
  })
  readonly accounts!: readonly MonthAccountResponse[];
  @ApiProperty({ type: [MonthTotalResponse], description: 'our debits and credits of the month' })
  readonly totals!: readonly MonthTotalResponse[];
  @ApiProperty({ type: [MissingEntryResponse], description: 'not in the books yet: the first 1,000 by date' })
  readonly missing!: readonly MissingEntryResponse[];
  @ApiProperty({ type: [MissingTotalResponse], description: 'of all that is missing' })
  readonly missingTotals!: readonly MissingTotalResponse[];
  @ApiProperty({ type: [MonthDiscrepancyResponse], description: 'the first 1,000, oldest first' })
  readonly discrepancies!: readonly MonthDiscrepancyResponse[];
  @ApiProperty({ description: 'there are more entries or discrepancies than are listed' })
  readonly truncated!: boolean;
}
