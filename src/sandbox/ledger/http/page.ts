// Lists are read page by page: `limit` rows after the cursor of the last row seen; and written many rows at once.
import type { Type as Class } from '@nestjs/common';
import { Type } from 'class-transformer';
import { ArrayUnique, IsInt, IsOptional, Max, MaxLength, Min } from 'class-validator';
import { input } from '../../../foundation/http/input.js';
import { Problem } from '../../../foundation/http/problem.js';
import { field, shape } from '../../../foundation/http/shape.js';

const MAX_ROWS = 1_000;

export class PageQuery extends shape({
  limit: input.of<number>(
    { type: Number, minimum: 1, maximum: MAX_ROWS, default: MAX_ROWS },
    Type(() => Number),
    IsInt(),
    Min(1),
    Max(MAX_ROWS),
  ),
  after: input
    .of<string>({ type: String, description: 'nextCursor of the page before' }, MaxLength(2_000))
    .optional(IsOptional()),
}) {}

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
export function pageOf<T>(item: Class<T>): Class<Page<T>> {
  const documented = shape({ data: field.many(item), nextCursor: field.text().nullable() });
  Object.defineProperty(documented, 'name', { value: `${item.name}Page` });
  return documented;
}

/**
 * The documented shape of a body with many of `item`, which is checked.
 * @param keyOf no two of them have the same
 */
export const bodyOf = <T extends object>(item: Class<T>, keyOf: (one: T) => string) =>
  shape({ data: input.many(item, { maxItems: MAX_ROWS }, ArrayUnique(keyOf)) });
