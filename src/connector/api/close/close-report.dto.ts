import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { OptionalField } from '../../../foundation/http/optional-field.js';
import { MONEY_OR_NULL, type MoneyResponse } from '../http/money.dto.js';

const FORMATS = ['json', 'csv', 'html', 'xlsx', 'xlsx'] as const;

export class CloseReportQuery {
  @ApiPropertyOptional({ enum: FORMATS, default: 'json', description: 'html prints on paper' })
  @OptionalField()
  @IsIn(FORMATS)
  readonly format: (typeof FORMATS)[number] = 'json';
}

export class CloseReportItems {
  @ApiProperty() readonly exported!: number;
  @ApiProperty() readonly posted!: number;
  @ApiProperty() readonly failed!: number;
  @ApiProperty({ description: 'without a result' }) readonly open!: number;
}

export class CloseReportAccount {
  @ApiProperty({ example: 'EUR' }) readonly currency!: string;
  @ApiProperty() readonly accountCode!: string;
  @ApiProperty({ description: 'main units', example: '1250.00' }) readonly debit!: string;
  @ApiProperty({ description: 'main units' }) readonly credit!: string;
  @ApiProperty(MONEY_OR_NULL) readonly debitMoney!: MoneyResponse | null;
  @ApiProperty(MONEY_OR_NULL) readonly creditMoney!: MoneyResponse | null;
}

export class CloseReportExplained {
  @ApiProperty({ example: 'EUR' }) readonly currency!: string;
  @ApiProperty({ description: 'sum of the debits that any side knows of, main units' })
  readonly total!: string;
  @ApiProperty({ description: 'main units' }) readonly explained!: string;
  @ApiProperty(MONEY_OR_NULL) readonly totalMoney!: MoneyResponse | null;
  @ApiProperty(MONEY_OR_NULL) readonly explainedMoney!: MoneyResponse | null;
  @ApiProperty({ example: '0.999987500', description: '1 only when nothing is left' })
  readonly fraction!: string;
}

export class CloseReportDiscrepancy {
  @ApiProperty({ format: 'uuid' }) readonly id!: string;
  @ApiProperty() readonly class!: string;
  @ApiProperty() readonly subject!: string;
  @ApiProperty({ enum: ['open', 'accepted'] }) readonly state!: string;
  @ApiProperty() readonly ageDays!: number;
  @ApiProperty({ type: String, nullable: true }) readonly currency!: string | null;
  @ApiProperty({ type: String, nullable: true, description: 'main units' }) readonly amount!: string | null;
  @ApiProperty(MONEY_OR_NULL) readonly money!: MoneyResponse | null;
  @ApiProperty({ type: String, nullable: true }) readonly note!: string | null;
}

export class CloseReportResponse {
  @ApiProperty({ example: '2026-03' }) readonly month!: string;
  @ApiProperty() readonly companyName!: string;
  @ApiProperty({ description: 'in which the month begins and ends' }) readonly timeZone!: string;
  @ApiProperty({ format: 'date-time' }) readonly madeAt!: Date;
  @ApiProperty({ type: String, format: 'date-time', nullable: true, description: 'of the whole month' })
  readonly reconciledAt!: Date | null;
  @ApiProperty() readonly jobs!: number;
  @ApiProperty({ type: CloseReportItems }) readonly items!: CloseReportItems;
  @ApiProperty({ type: [CloseReportExplained] }) readonly explained!: readonly CloseReportExplained[];
  @ApiProperty({ type: [CloseReportAccount] }) readonly accounts!: readonly CloseReportAccount[];
  @ApiProperty({ description: 'open discrepancies of unknown amount: in no figure, and no fraction is 1' })
  readonly withoutAmount!: number;
  @ApiProperty({ type: [CloseReportDiscrepancy], description: 'the first 1,000, oldest first' })
  readonly discrepancies!: readonly CloseReportDiscrepancy[];
  @ApiProperty({ description: 'there are more' }) readonly discrepanciesTruncated!: boolean;
}
