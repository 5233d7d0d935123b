import { ApiProperty } from '@nestjs/swagger';
import type { ResponseFormat } from '../http/response-format.js';
import { OptionalDay } from '../http/field.js';
import { pageOf, PageQuery } from '../http/page.js';
import { Format } from '../http/tabular-response.js';

export class ApAgeingQuery extends PageQuery {
  /** Amounts at the end of this day; today in the company's time zone when absent. */
  @OptionalDay()
  readonly date?: string;

  @Format()
  readonly format?: ResponseFormat;
}

/** Minor units, debit positive: an amount owed to a vendor is negative. */
export class AgedAmountDto {
  @ApiProperty({ type: String, description: 'minor units of the row’s currency' })
  readonly amountMinor!: string;

  @ApiProperty({ type: String, description: 'minor units of the functional currency' })
  readonly baseMinor!: string;
}

/** Open amounts by days after the due date. */
class AgedAmounts {
  @ApiProperty({ type: String })
  readonly currency!: string;

  @ApiProperty({ type: AgedAmountDto })
  readonly notDue!: AgedAmountDto;

  @ApiProperty({ type: AgedAmountDto })
  readonly overdue1To30!: AgedAmountDto;

  @ApiProperty({ type: AgedAmountDto })
  readonly overdue31To60!: AgedAmountDto;

  @ApiProperty({ type: AgedAmountDto })
  readonly overdue61To90!: AgedAmountDto;

  @ApiProperty({ type: AgedAmountDto })
  readonly overdueOver90!: AgedAmountDto;

  @ApiProperty({
    type: AgedAmountDto,
    description: 'lines of the vendor in base only that belong to no settlement, such as a corrected rate',
  })
  readonly baseOnly!: AgedAmountDto;

  @ApiProperty({ type: AgedAmountDto, description: 'all of these: the balance of the vendor’s lines' })
  readonly total!: AgedAmountDto;
}

/** One vendor in one currency. */
export class ApAgeingRowDto extends AgedAmounts {
  @ApiProperty({ type: String })
  readonly vendorNumber!: string;

  @ApiProperty({ type: String })
  readonly vendorName!: string;
}

/** All vendors in one currency. */
export class ApAgeingTotalDto extends AgedAmounts {}

/** Rows by vendor and currency. */
export class ApAgeingDto extends pageOf(ApAgeingRowDto) {
  @ApiProperty({ type: String, format: 'date' })
  readonly date!: string;

  @ApiProperty({ type: String })
  readonly functionalCurrency!: string;

  /** Over all pages. */
  @ApiProperty({ type: [ApAgeingTotalDto] })
  readonly totals!: readonly ApAgeingTotalDto[];

  @ApiProperty({
    type: String,
    description: 'minor units of the functional currency, over all pages and currencies',
  })
  readonly baseTotalMinor!: string;
}
