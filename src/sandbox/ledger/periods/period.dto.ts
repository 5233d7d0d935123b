import { ApiProperty } from '@nestjs/swagger';
import { IsInt, Max, Min } from 'class-validator';
import { Day, OneOf } from '../http/field.js';
import { bodyOf, pageOf } from '../http/page.js';
import { field, shape } from '../../../foundation/http/shape.js';

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

export class PeriodsDto extends bodyOf(PeriodDto, (period) => period.from) {}

export class PeriodStateDto {
  @OneOf(['open', 'closed'])
  readonly state!: 'open' | 'closed';
}

export class FiscalYearDto extends shape({
  year: field.number({ example: 2026 }),
  from: field.day(),
  to: field.day(),
  state: field.oneOf(['open', 'closed'], 'closed when all its periods are'),
  lastEntryNumber: field.number('entries posted in it: the last number given'),
}) {}

export class FiscalYearList extends shape({ data: field.many(FiscalYearDto) }) {}

export class PeriodPage extends pageOf(PeriodDto) {}
