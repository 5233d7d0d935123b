import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { ArrayMaxSize, ArrayUnique, IsArray, ValidateNested } from 'class-validator';
import { Currency, Day, DecimalText, OptionalCurrency, OptionalDay } from '../http/field.js';
import { PageQuery, pageOf } from '../http/page.js';

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

export class RatesDto {
  @ApiProperty({ type: [RateDto], maxItems: 1_000 })
  @IsArray()
  @ArrayMaxSize(1_000)
  @ArrayUnique((rate: RateDto) => JSON.stringify([rate.from, rate.to, rate.date]))
  @ValidateNested({ each: true })
  @Type(() => RateDto)
  readonly data!: readonly RateDto[];
}

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
