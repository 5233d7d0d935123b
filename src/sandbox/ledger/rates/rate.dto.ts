import { Currency, Day, DecimalText, OptionalCurrency, OptionalDay } from '../http/field.js';
import { bodyOf, PageQuery, pageOf } from '../http/page.js';

export class RateDto {
  @Currency()
  readonly from!: string;

  @Currency()
  readonly to!: string;

  @Day()
  readonly date!: string;

  /** Main units of `to` per one main unit of `from`. */
  @DecimalText('0.9123')
  readonly rate!: string;
}

export class RatesDto extends bodyOf(RateDto, (rate) => JSON.stringify([rate.from, rate.to, rate.date])) {}

export class RateQuery extends PageQuery {
  @OptionalCurrency()
  readonly from?: string;

  @OptionalCurrency()
  readonly to?: string;

  /** First day wanted. */
  @OptionalDay()
  readonly since?: string;

  /** Last day wanted, included. */
  @OptionalDay()
  readonly until?: string;
}

export class RatePage extends pageOf(RateDto) {}
