import { ApiProperty } from '@nestjs/swagger';
import type { ResponseFormat } from '../http/response-format.js';
import { Counted, OptionalDay, type CountedEntries } from '../http/field.js';
import { Format } from '../http/tabular-response.js';

export class TrialBalanceQuery {
  /** Last posting date counted; everything when absent. */
  @OptionalDay()
  readonly date?: string;

  @Counted()
  readonly state: CountedEntries = 'posted';

  @Format()
  readonly format?: ResponseFormat;
}

/** Minor units as decimal text. */
export class TotalDto {
  @ApiProperty({ type: String })
  readonly currency!: string;

  @ApiProperty({ type: String })
  readonly debitMinor!: string;

  @ApiProperty({ type: String })
  readonly creditMinor!: string;
}

/** One account in one currency. */
export class TrialBalanceRowDto extends TotalDto {
  @ApiProperty({ type: String })
  readonly accountCode!: string;

  @ApiProperty({ type: String })
  readonly accountName!: string;

  @ApiProperty({ type: String })
  readonly accountType!: string;

  /** Debit minus credit. */
  @ApiProperty({ type: String })
  readonly balanceMinor!: string;

  @ApiProperty({ type: String })
  readonly baseDebitMinor!: string;

  @ApiProperty({ type: String })
  readonly baseCreditMinor!: string;

  @ApiProperty({ type: String })
  readonly baseBalanceMinor!: string;
}

export class TrialBalanceDto {
  @ApiProperty({ type: String, format: 'date', nullable: true })
  readonly date!: string | null;

  @ApiProperty({ enum: ['posted', 'all'] })
  readonly state!: CountedEntries;

  @ApiProperty({ type: Number })
  readonly entries!: number;

  @ApiProperty({ type: [TrialBalanceRowDto] })
  readonly rows!: readonly TrialBalanceRowDto[];

  /** Per transaction currency. */
  @ApiProperty({ type: [TotalDto] })
  readonly totals!: readonly TotalDto[];

  /** In the functional currency. */
  @ApiProperty({ type: TotalDto })
  readonly baseTotal!: TotalDto;
}
