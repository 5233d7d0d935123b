import type { Type } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsInt, IsString, Max, MaxLength, Min } from 'class-validator';
import { field, shape, shapeWith } from '../../../foundation/http/shape.js';
import { OptionalField } from '../../../foundation/http/optional-field.js';
import { NumberInDigits } from '../../../foundation/http/number-in-digits.js';

abstract class CursorQuery {
  @ApiPropertyOptional({ description: '`nextCursor` of the previous page' })
  @OptionalField()
  @IsString()
  @MaxLength(200)
  readonly after?: string;
}

/** Of every list that is read page by page. */
export class PageQuery extends CursorQuery {
  @ApiPropertyOptional({ minimum: 1, maximum: 100, default: 50 })
  @OptionalField()
  @NumberInDigits()
  @IsInt()
  @Min(1)
  @Max(100)
  readonly limit: number = 50;
}

/** Of lists that people scroll through: a row of theirs is little work. */
export class LongPageQuery extends CursorQuery {
  @ApiPropertyOptional({ minimum: 1, maximum: 1_000, default: 50 })
  @OptionalField()
  @NumberInDigits()
  @IsInt()
  @Min(1)
  @Max(1_000)
  readonly limit: number = 50;
}

export class PageResponse extends shape({
  nextCursor: field.text('`after` of the next page; null at the end').nullable(),
}) {}

/** @param description of the items, or what else is said of them */
export const pageOf = <T>(item: Type<T>, description?: Parameters<typeof field.many>[1]) =>
  shapeWith(PageResponse, { data: field.many(item, description) });
