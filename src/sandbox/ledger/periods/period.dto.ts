import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { ArrayMaxSize, ArrayUnique, IsArray, IsInt, Max, Min, ValidateNested } from 'class-validator';
import { Day, OneOf } from '../http/field.js';
import { pageOf } from '../http/page.js';

export class PeriodDto {
  @ApiProperty({ type: Number, example: 2026 })
  @IsInt()
  @Min(1900)
  @Max(9999)
  readonly fiscalYear!: number;

  /** First day; names the period. */
  @Day()
  readonly from!: string;

  /** Last day, included. */
  @Day()
  readonly to!: string;

  @OneOf(['open', 'closed'])
  readonly state!: 'open' | 'closed';
}

export class PeriodsDto {
  @ApiProperty({ type: [PeriodDto], maxItems: 1_000 })
  @IsArray()
  @ArrayMaxSize(1_000)
  @ArrayUnique((period: PeriodDto) => period.from)
  @ValidateNested({ each: true })
  @Type(() => PeriodDto)
  readonly data!: readonly PeriodDto[];
}

export class PeriodStateDto {
  @OneOf(['open', 'closed'])
  readonly state!: 'open' | 'closed';
}

export class FiscalYearDto {
  @ApiProperty({ type: Number, example: 2026 })
  readonly year!: number;

  @ApiProperty({ type: String, format: 'date' })
  readonly from!: string;

  @ApiProperty({ type: String, format: 'date' })
  readonly to!: string;

  @ApiProperty({ enum: ['open', 'closed'], description: 'closed when all its periods are' })
  readonly state!: 'open' | 'closed';

  @ApiProperty({ type: Number, description: 'entries posted in it: the last number given' })
  readonly lastEntryNumber!: number;
}

export class FiscalYearList {
  @ApiProperty({ type: [FiscalYearDto] })
  readonly data!: readonly FiscalYearDto[];
}

export class PeriodPage extends pageOf(PeriodDto) {}
