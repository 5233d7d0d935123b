import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsInt, IsTimeZone, Max, Min, ValidateBy, ValidateIf, type ValidationArguments } from 'class-validator';
import { MAX_CODE_LENGTH, Currency, OptionalCountry, OptionalText, Text } from '../http/field.js';
import { pageOf } from '../http/page.js';
import type { Idempotency } from '../journal/domain/idempotency.js';
import { field, shapeWith } from '../../../foundation/http/shape.js';

const MAX_LAG_SECONDS = 3_600;
const MODES = ['forever', 'short', 'reference-only', 'none'] as const;

export class CompanyDto {
  @Text()
  readonly name!: string;

  @OptionalText(MAX_CODE_LENGTH)
  readonly registrationNumber?: string | null;

  @Currency()
  readonly functionalCurrency!: string;

  @ApiProperty({ type: String, example: 'Europe/Copenhagen' })
  @IsTimeZone()
  readonly timeZone!: string;

  @OptionalCountry()
  readonly country?: string | null;

  /** What a posting key guarantees: a real ERP offers one of these. */
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

  /** Seconds after which a look-up by key shows a posting; for the mode "reference-only" only. */
  @ApiPropertyOptional({ type: Number, minimum: 0, maximum: MAX_LAG_SECONDS, default: 0 })
  @IsInt()
  @Min(0)
  @Max(MAX_LAG_SECONDS)
  @ValidateBy({
    name: 'lagOfReferences',
    validator: {
      validate: (value: unknown, about?: ValidationArguments) =>
        value === 0 || (about?.object as CompanyDto | undefined)?.idempotency === 'reference-only',
      defaultMessage: () => 'searchLagSeconds needs idempotency "reference-only"',
    },
  })
  readonly searchLagSeconds: number = 0;
}

export class StoredCompanyDto extends shapeWith(CompanyDto, { id: field.uuid() }) {
  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string' },
    example: { accounts: '3', vendors: '17' },
    description: 'How often each list of master data has changed; a list without rows has none.',
  })
  readonly revisions!: Readonly<Record<string, string>>;
}

export class CompanyPage extends pageOf(StoredCompanyDto) {}
