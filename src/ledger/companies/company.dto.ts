import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsInt, IsTimeZone, Max, Min, ValidateIf } from 'class-validator';
import { CODE_LENGTH, Currency, OptionalCountry, OptionalText, Text } from '../http/field.js';
import { pageOf } from '../http/page.js';
import type { Idempotency } from '../journal/domain/idempotency.js';

const MODES = ['forever', 'short', 'reference-only', 'none'] as const;

/** A company as it is written. */
export class CompanyDto {
  @Text()
  readonly name!: string;

  @OptionalText(CODE_LENGTH)
  readonly registrationNumber?: string | null;

  @Currency()
  readonly functionalCurrency!: string;

  @ApiProperty({ type: String, example: 'Europe/Copenhagen' })
  @IsTimeZone()
  readonly timeZone!: string;

  @OptionalCountry()
  readonly country?: string | null;

  /** What a posting key is worth: a real ERP offers one of these. */
  @ApiPropertyOptional({ enum: MODES, default: 'forever' })
  @IsIn(MODES)
  readonly idempotency: Idempotency['mode'] = 'forever';

  /** Life of a key in seconds; for the mode "short" only. */
  @ApiPropertyOptional({ type: Number, minimum: 1, nullable: true })
  @ValidateIf((company: CompanyDto) => company.idempotency === 'short' || company.idempotencySeconds != null)
  @IsInt()
  @Min(1)
  @Max(86_400)
  readonly idempotencySeconds?: number | null;
}

export class StoredCompanyDto extends CompanyDto {
  @ApiProperty({ type: String, format: 'uuid' })
  readonly id!: string;
}

export class CompanyPage extends pageOf(StoredCompanyDto) {}
