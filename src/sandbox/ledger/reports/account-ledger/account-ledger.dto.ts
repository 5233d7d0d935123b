import { ApiProperty } from '@nestjs/swagger';
import type { ResponseFormat } from '../../http/response-format.js';
import { Counted, OptionalDay, type CountedEntries } from '../../http/field.js';
import { pageOf, PageQuery } from '../../http/page.js';
import { Format } from '../../http/tabular-response.js';

export class AccountLedgerQuery extends PageQuery {
  /** First posting date wanted; from the start when absent. */
  @OptionalDay()
  readonly from?: string;

  /** Last posting date wanted, included; to the end when absent. */
  @OptionalDay()
  readonly to?: string;

  @Counted()
  readonly state: CountedEntries = 'posted';

  @Format()
  readonly format?: ResponseFormat;
}

export class LedgerLineDto {
  @ApiProperty({ type: String, format: 'date' })
  readonly postingDate!: string;

  @ApiProperty({ type: String, format: 'uuid' })
  readonly entryId!: string;

  @ApiProperty({ type: String, nullable: true, example: '2026-000017', description: 'null for a draft' })
  readonly number!: string | null;

  @ApiProperty({ type: Number })
  readonly lineNo!: number;

  @ApiProperty({ enum: ['draft', 'posted', 'reversed'] })
  readonly state!: 'draft' | 'posted' | 'reversed';

  @ApiProperty({ type: String })
  readonly role!: string;

  @ApiProperty({ type: String, format: 'date', nullable: true })
  readonly documentDate!: string | null;

  @ApiProperty({ type: String, nullable: true })
  readonly documentNumber!: string | null;

  @ApiProperty({ type: String })
  readonly description!: string;

  @ApiProperty({ type: [String], description: 'accounts on the other side of the entry' })
  readonly counterAccounts!: readonly string[];

  @ApiProperty({ type: String, nullable: true })
  readonly vendorNumber!: string | null;

  @ApiProperty({ type: String, nullable: true })
  readonly vendorName!: string | null;

  @ApiProperty({ type: String, nullable: true })
  readonly employee!: string | null;

  @ApiProperty({ type: String })
  readonly currency!: string;

  @ApiProperty({ type: String, description: 'minor units of the currency, debit positive' })
  readonly amountMinor!: string;

  @ApiProperty({ type: String, description: 'minor units of the functional currency, debit positive' })
  readonly baseMinor!: string;

  @ApiProperty({ type: String, description: 'balance of the account in the line’s currency after the line' })
  readonly balanceMinor!: string;

  @ApiProperty({
    type: String,
    description: 'balance of the account in the functional currency, over all currencies, after the line',
  })
  readonly baseBalanceMinor!: string;
}

export class CurrencyBalanceDto {
  @ApiProperty({ type: String })
  readonly currency!: string;

  @ApiProperty({ type: String })
  readonly balanceMinor!: string;

  @ApiProperty({ type: String })
  readonly baseBalanceMinor!: string;
}

/** A balance of the account: per currency, and in the functional currency over all of them. */
export class AccountBalanceDto {
  @ApiProperty({ type: [CurrencyBalanceDto] })
  readonly currencies!: readonly CurrencyBalanceDto[];

  @ApiProperty({ type: String })
  readonly baseBalanceMinor!: string;
}

/** One page of an account: its lines by posting date, number and line; the drafts of a day come last in it. */
export class AccountLedgerDto extends pageOf(LedgerLineDto) {
  @ApiProperty({ type: String })
  readonly accountCode!: string;

  @ApiProperty({ type: String })
  readonly accountName!: string;

  @ApiProperty({ type: String })
  readonly accountType!: string;

  @ApiProperty({ type: String })
  readonly functionalCurrency!: string;

  @ApiProperty({ type: String, format: 'date', nullable: true })
  readonly from!: string | null;

  @ApiProperty({ type: String, format: 'date', nullable: true })
  readonly to!: string | null;

  @ApiProperty({ enum: ['posted', 'all'] })
  readonly state!: CountedEntries;

  /** Before `from`. */
  @ApiProperty({ type: AccountBalanceDto })
  readonly opening!: AccountBalanceDto;

  /** Before the first line of this page. */
  @ApiProperty({ type: AccountBalanceDto })
  readonly broughtForward!: AccountBalanceDto;

  /** After the last line of the last page: the trial balance of `to`. */
  @ApiProperty({ type: AccountBalanceDto })
  readonly closing!: AccountBalanceDto;
}
