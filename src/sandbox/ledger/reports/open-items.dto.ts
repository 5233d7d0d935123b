import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import type { ResponseFormat } from '../http/response-format.js';
import { MAX_CODE_LENGTH, OptionalDay, OptionalText } from '../http/field.js';
import { pageOf, PageQuery } from '../http/page.js';
import { Format } from '../http/tabular-response.js';

export class OpenItemsQuery extends PageQuery {
  /** Amounts at the end of this day; today in the company's time zone when absent. */
  @OptionalDay()
  readonly date?: string;

  /** Number of a vendor, to see its items only. */
  @OptionalText(MAX_CODE_LENGTH)
  readonly vendor?: string;

  @ApiPropertyOptional({
    enum: ['open', 'all'],
    default: 'open',
    description: '"all" shows settled ones too',
  })
  @IsIn(['open', 'all'])
  readonly status: 'open' | 'all' = 'open';

  @Format()
  readonly format?: ResponseFormat;
}

/** A vendor's line of a posted entry. Amounts are minor units, debit positive: an amount owed to a vendor is negative. */
export class OpenItemDto {
  @ApiProperty({ type: String })
  readonly vendorNumber!: string;

  @ApiProperty({ type: String })
  readonly vendorName!: string;

  @ApiProperty({ type: String })
  readonly accountCode!: string;

  @ApiProperty({ type: String, format: 'uuid' })
  readonly entryId!: string;

  @ApiProperty({ type: String, example: '2026-000017' })
  readonly number!: string;

  @ApiProperty({ type: Number })
  readonly lineNo!: number;

  @ApiProperty({ type: String })
  readonly role!: string;

  @ApiProperty({ type: String, nullable: true })
  readonly documentNumber!: string | null;

  @ApiProperty({ type: String, format: 'date', nullable: true })
  readonly documentDate!: string | null;

  @ApiProperty({ type: String, format: 'date' })
  readonly postedOn!: string;

  @ApiProperty({
    type: String,
    format: 'date',
    description: 'due date, else document date, else posting date',
  })
  readonly dueOn!: string;

  @ApiProperty({ type: Number, description: 'days after the due date; negative before it' })
  readonly daysOverdue!: number;

  @ApiProperty({ type: String })
  readonly currency!: string;

  @ApiProperty({ type: String })
  readonly amountMinor!: string;

  @ApiProperty({ type: String })
  readonly settledMinor!: string;

  @ApiProperty({ type: String })
  readonly openMinor!: string;

  @ApiProperty({ type: String })
  readonly baseMinor!: string;

  @ApiProperty({ type: String })
  readonly settledBaseMinor!: string;

  @ApiProperty({ type: String })
  readonly openBaseMinor!: string;
}

/** Items by vendor, due date and entry. */
export class OpenItemsDto extends pageOf(OpenItemDto) {
  @ApiProperty({ type: String, format: 'date' })
  readonly date!: string;

  @ApiProperty({ type: String })
  readonly functionalCurrency!: string;
}
