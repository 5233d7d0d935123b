import { ApiProperty } from '@nestjs/swagger';
import type { ResponseFormat } from '../http/response-format.js';
import { MAX_CODE_LENGTH, OptionalDay, Text } from '../http/field.js';
import { pageOf, PageQuery } from '../http/page.js';
import { Format } from '../http/tabular-response.js';

export class DimensionBalancesQuery extends PageQuery {
  /** Code of the dimension. */
  @Text(MAX_CODE_LENGTH)
  readonly dimension!: string;

  /** First posting date counted; from the start when absent. */
  @OptionalDay()
  readonly from?: string;

  /** Last posting date counted; to the end when absent. */
  @OptionalDay()
  readonly to?: string;

  @Format()
  readonly format?: ResponseFormat;
}

/** One value of the dimension on one account in one currency. */
export class DimensionBalanceDto {
  @ApiProperty({ type: String, nullable: true, description: 'null for lines without a value' })
  readonly value!: string | null;

  @ApiProperty({ type: String, nullable: true })
  readonly valueName!: string | null;

  @ApiProperty({ type: String })
  readonly accountCode!: string;

  @ApiProperty({ type: String })
  readonly accountName!: string;

  @ApiProperty({ type: String })
  readonly accountType!: string;

  @ApiProperty({ type: String })
  readonly currency!: string;

  @ApiProperty({ type: String, description: 'minor units of the currency' })
  readonly debitMinor!: string;

  @ApiProperty({ type: String })
  readonly creditMinor!: string;

  @ApiProperty({ type: String, description: 'debit minus credit' })
  readonly balanceMinor!: string;

  @ApiProperty({ type: String, description: 'minor units of the functional currency, debit minus credit' })
  readonly baseBalanceMinor!: string;
}

/** Rows by value, account and currency; lines without a value come first. */
export class DimensionBalancesDto extends pageOf(DimensionBalanceDto) {
  @ApiProperty({ type: String })
  readonly dimension!: string;

  @ApiProperty({ type: String })
  readonly functionalCurrency!: string;

  @ApiProperty({ type: String, format: 'date', nullable: true })
  readonly from!: string | null;

  @ApiProperty({ type: String, format: 'date', nullable: true })
  readonly to!: string | null;
}
