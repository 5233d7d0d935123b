// Lists are read page by page: `limit` rows after the cursor of the last row seen; and written many rows at once.
import type { Type } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type as Converted } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayUnique,
  IsArray,
  IsInt,
  IsOptional,
  Max,
  MaxLength,
  Min,
  ValidateNested,
} from 'class-validator';
import { Problem } from '../../../foundation/http/problem.js';

const MAX_ROWS = 1_000;

export class PageQuery {
  @ApiPropertyOptional({ type: Number, minimum: 1, maximum: MAX_ROWS, default: MAX_ROWS })
  @IsOptional()
  @Converted(() => Number)
  @IsInt()
  @Min(1)
  @Max(MAX_ROWS)
  readonly limit: number = MAX_ROWS;

  @ApiPropertyOptional({ type: String, description: 'nextCursor of the page before' })
  @IsOptional()
  @MaxLength(2_000)
  readonly after?: string;
}

export interface Page<T> {
  readonly data: readonly T[];
  /** Null on the last page. */
  readonly nextCursor: string | null;
}

/** The start of a page, as repositories take it. */
export interface PageStart {
  /** Rows to fetch: one more than requested, to know whether another page follows. */
  readonly rows: number;
  /** The sort key of the last row seen, one text per column; empty texts at the very start. */
  readonly after: readonly string[];
}

/**
 * @param columns number of columns the list is sorted by
 * @param isKey whether a text is valid in a column of the cursor, counted from 0
 * @throws Problem 400 when the cursor does not belong to the list
 */
export function startOfPage(
  query: PageQuery,
  columns: number,
  isKey: (text: string, column: number) => boolean = (text) => !text.includes('\0'),
): PageStart {
  const after = query.after === undefined ? Array<string>(columns).fill('') : parseCursor(query.after);
  if (after?.length !== columns || (query.after !== undefined && !after.every((part, column) => isKey(part, column)))) {
    throw new Problem({
      status: 400,
      type: 'invalid-cursor',
      detail:
        'The value of "after" is not a cursor of this list. Take it from "nextCursor", or omit it to start at the beginning.',
    });
  }
  return { rows: query.limit + 1, after };
}

/** Removes the surplus row and makes the cursor. */
export function toPage<T>(query: PageQuery, rows: readonly T[], keyOf: (row: T) => readonly string[]): Page<T> {
  const data = rows.slice(0, query.limit);
  const last = data.at(-1);
  const hasMore = rows.length > query.limit && last !== undefined;
  return {
    data,
    nextCursor: hasMore ? Buffer.from(JSON.stringify(keyOf(last))).toString('base64url') : null,
  };
}

function parseCursor(text: string): readonly string[] | undefined {
  try {
    const parts: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    return Array.isArray(parts) && parts.every((part): part is string => typeof part === 'string') ? parts : undefined;
  } catch {
    return undefined;
  }
}

/** The documented shape of a page of `item`. */
export function pageOf<T>(item: Type<T>): Type<Page<T>> {
  class DocumentedPage implements Page<T> {
    @ApiProperty({ type: [item] })
    readonly data!: readonly T[];

    @ApiProperty({ type: String, nullable: true })
    readonly nextCursor!: string | null;
  }
  Object.defineProperty(DocumentedPage, 'name', { value: `${item.name}Page` });
  return DocumentedPage;
}

/**
 * The documented shape of a body with many of `item`, which is checked.
 * @param keyOf no two of them have the same
 */
export function bodyOf<T extends object>(
  item: Type<T>,
  keyOf: (one: T) => string,
): Type<{ readonly data: readonly T[] }> {
  class DocumentedBody {
    @ApiProperty({ type: [item], maxItems: MAX_ROWS })
    @IsArray()
    @ArrayMaxSize(MAX_ROWS)
    @ArrayUnique(keyOf)
    @ValidateNested({ each: true })
    @Converted(() => item)
    readonly data!: readonly T[];
  }
  return DocumentedBody;
}
