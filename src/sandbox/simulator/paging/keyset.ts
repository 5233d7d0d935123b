// How a list is sorted and where a page of it begins, as parts of a statement. A page begins with a comparison of whole rows, so
// that the database finds its place in an index, however far into the list it is.
import { sha256Hex } from '../../../foundation/crypto/sha256.js';
import { sql, sqlList, type SqlStatement } from '../../../foundation/database/sql.js';
import { isUuid } from '../../../kernel/ids.js';
import { badParameter } from '../wire/api-error.js';
import { isStorable } from '../wire/request-fields.js';
import { decodeCursor, encodeCursor } from './cursor.js';
import type { PageRequest } from './page-request.js';

/** What a list can be sorted by. Of a text the first 500 letters count: what an index can keep. */
export interface SortColumn {
  readonly kind: 'text' | 'nullable-text' | 'uuid' | 'instant' | 'position';
  readonly expression: SqlStatement;
}

/** By sorting key. */
export type SortColumns = Readonly<Record<string, SortColumn>>;

export const BY_ID: SortColumns = { id: { kind: 'uuid', expression: sql`id` } };

/** One key of a request's order. */
interface Sorting {
  readonly name: string;
  readonly column: SortColumn;
  readonly falling: boolean;
  readonly nullsFirst: boolean;
}
export type ListOrder = readonly Sorting[];

/** A place in a list: of an element, or of the element a cursor names, which may be gone. One value per key of the order. */
export type PositionValues = readonly (string | null)[];

/** Something to compare by that is never null, and in which direction the list goes by it. */
interface Comparison {
  readonly expression: SqlStatement;
  readonly falling: boolean;
  readonly value: SqlStatement;
}

const POSITION: Sorting = {
  name: 'position',
  column: { kind: 'position', expression: sql`position` },
  falling: false,
  nullsFirst: false,
};

/**
 * The order a request asks for (P0.2); without sorting keys the list's own. `ASC` has nulls last and `DESC` nulls
 * first, as SQL does; elements that are equal by all keys follow each other by id, in the direction of the last key.
 */
export function orderOf({ sortingKeys, sortingOrder }: PageRequest, columns: SortColumns): ListOrder {
  if (sortingKeys.length === 0) {
    return [POSITION];
  }
  const untilId = sortingKeys.includes('id') ? sortingKeys.indexOf('id') + 1 : sortingKeys.length;
  const order = sortingKeys.slice(0, untilId).flatMap((name, index): Sorting[] => {
    const asked = sortingOrder[index] ?? 'ASC';
    const column = columns[name];
    const nullsFirst = asked === 'DESC' || asked.endsWith('NULLS_FIRST');
    return column === undefined ? [] : [{ name, column, falling: asked.startsWith('DESC'), nullsFirst }];
  });
  const falling = order.at(-1)?.falling === true;
  const [id] = Object.values(BY_ID);
  return sortingKeys.includes('id') || id === undefined
    ? order
    : [...order, { name: 'id', column: id, falling, nullsFirst: false }];
}

/** What a page's elements are ordered by. @param forward false: from the end of the list */
export function orderBy(order: ListOrder, forward: boolean): SqlStatement {
  const terms = comparisonsOf(order, []).map(({ expression, falling }) =>
    falling === forward ? sql`${expression} DESC` : sql`${expression}`,
  );
  return sqlList(terms);
}

/** The values of an element that its cursor is made of, as one array. */
export function positionOfElement(order: ListOrder): SqlStatement {
  const values = order.map(({ column: { kind, expression } }) => {
    switch (kind) {
      case 'text':
      case 'nullable-text':
        return sql`left(${expression}, 500)`;
      case 'instant':
        return sql`(extract(epoch FROM ${expression}) * 1000000)::bigint::text`;
      case 'uuid':
      case 'position':
        return sql`${expression}::text`;
    }
  });
  return sql`ARRAY[${sqlList(values)}]`;
}

/**
 * Holds for the elements beyond a place.
 * @param forward towards the end of the list, or towards its beginning
 * @param inclusive the element at the place counts as well
 */
export function beyond(
  order: ListOrder,
  place: PositionValues,
  { forward, inclusive }: { readonly forward: boolean; readonly inclusive: boolean },
): SqlStatement {
  const runs: Comparison[][] = [];
  for (const comparison of comparisonsOf(order, place)) {
    const last = runs.at(-1);
    if (last?.[0]?.falling === comparison.falling) {
      last.push(comparison);
    } else {
      runs.push([comparison]);
    }
  }
  const of = ([run = [], ...rest]: readonly Comparison[][]): SqlStatement => {
    if (rest.length === 0) {
      return compared(run, forward, inclusive);
    }
    // The first comparison is what an index is good for; the others hold only where it does.
    return sql`(${compared(run, forward, true)} AND (${compared(run, forward, false)} OR ${of(rest)}))`;
  };
  return of(runs);
}

/**
 * The cursor that names a place.
 * @param list as it is read, with its filters and whose it is
 */
export function cursorOf(list: SqlStatement, order: ListOrder, place: PositionValues): string {
  return encodeCursor(JSON.stringify(order.map(({ name }, index) => [name, place[index] ?? null])), digestOf(list));
}

/**
 * @param kind the parameter in which the cursor came
 * @throws ApiError 400 when the text is no cursor of this list in this order
 */
export function positionOfCursor(
  list: SqlStatement,
  order: ListOrder,
  { kind, cursor }: { readonly kind: 'after' | 'before'; readonly cursor: string },
): PositionValues {
  const { sortKey, list: digest } = decodeCursor(cursor) ?? { sortKey: '', list: '' };
  if (digest !== digestOf(list)) {
    throw badParameter(`${kind}: is no cursor of this list`);
  }
  const pairs = parsedPairs(sortKey);
  return order.map(({ name, column }, index) => {
    const [named, value] = pairs.length === order.length ? (pairs[index] ?? []) : [];
    if (named !== name || !isValueOf(column, value)) {
      throw badParameter(`${kind}: is no cursor of this sorting`);
    }
    return value;
  });
}

/** Differs for every list, company and filter. */
function digestOf({ text, values }: SqlStatement): string {
  return sha256Hex(JSON.stringify([text, values])).slice(0, 16);
}

function comparisonsOf(order: ListOrder, place: PositionValues): readonly Comparison[] {
  return order.flatMap(({ column: { kind, expression }, falling, nullsFirst }, index) => {
    const value = place[index] ?? null;
    switch (kind) {
      case 'text':
        return [{ expression: sql`left(${expression}, 500) COLLATE "C"`, falling, value: sql`${value}::text` }];
      case 'nullable-text': {
        const nullsSmall = nullsFirst !== falling;
        const isNull = value === null;
        const rank = nullsSmall ? sql`(${expression} IS NOT NULL)` : sql`(${expression} IS NULL)`;
        return [
          { expression: rank, falling, value: sql`${nullsSmall ? !isNull : isNull}::boolean` },
          {
            expression: sql`coalesce(left(${expression}, 500), '') COLLATE "C"`,
            falling,
            value: sql`${value ?? ''}::text`,
          },
        ];
      }
      case 'uuid':
        return [{ expression, falling, value: sql`${value}::uuid` }];
      case 'instant':
        return [
          {
            expression,
            falling,
            value: sql`timestamptz 'epoch' + ${value}::bigint * interval '1 microsecond'`,
          },
        ];
      case 'position':
        return [{ expression, falling, value: sql`${value}::bigint` }];
    }
  });
}

/** @param run comparisons of one direction */
function compared(run: readonly Comparison[], forward: boolean, inclusive: boolean): SqlStatement {
  const rising = run[0]?.falling !== forward;
  const operator = rising ? (inclusive ? sql`>=` : sql`>`) : inclusive ? sql`<=` : sql`<`;
  const expressions = sqlList(run.map(({ expression }) => expression));
  return sql`(${expressions}) ${operator} (${sqlList(run.map(({ value }) => value))})`;
}

function parsedPairs(text: string): readonly (readonly unknown[])[] {
  try {
    const pairs: unknown = JSON.parse(text);
    return Array.isArray(pairs) && pairs.every((pair) => Array.isArray(pair)) ? pairs : [];
  } catch {
    return [];
  }
}

function isValueOf({ kind }: SortColumn, value: unknown): value is string | null {
  if (typeof value !== 'string') {
    return value === null && kind === 'nullable-text';
  }
  switch (kind) {
    case 'text':
    case 'nullable-text':
      return isStorable(value);
    case 'uuid':
      return isUuid(value);
    case 'instant':
      return /^-?\d{1,16}$/.test(value);
    case 'position':
      return /^\d{1,18}$/.test(value);
  }
}
