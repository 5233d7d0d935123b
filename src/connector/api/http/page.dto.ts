import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsInt, IsString, Max, MaxLength, Min } from 'class-validator';
import { OptionalField } from '../../../foundation/http/optional-field.js';
import { NumberInDigits } from '../../../foundation/http/number-in-digits.js';

/** Of every list that is read page by page. */
export class PageQuery {
  @ApiPropertyOptional({ minimum: 1, maximum: 100, default: 50 })
  @OptionalField()
  @NumberInDigits()
  @IsInt()
  @Min(1)
  @Max(100)
  readonly limit: number = 50;

  @ApiPropertyOptional({ description: '`nextCursor` of the previous page' })
  @OptionalField()
  @IsString()
  @MaxLength(200)
  readonly after?: string;
}

export abstract class PageResponse {
  @ApiProperty({ type: String, nullable: true, description: '`after` of the next page; null at the end' })
  readonly nextCursor!: string | null;
}
