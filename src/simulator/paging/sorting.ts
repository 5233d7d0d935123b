import { badParameter } from '../wire/api-error.js';
import type { PageRequest } from './page-request.js';

/** One element of a whole list, in its default order: where it stands and what it is. */
export interface ListKey {
  readonly id: string;
  /** Rises along the default order. */
  readonly position: bigint;
  /** By sorting key; read only when the request sorts. */
  readonly sortValues?: Readonly<Record<string, string | null>> | null;
}

/** A place in a list: of an element, or of the element a cursor names, which may be gone. */
export interface Place {
  readonly id: string;
  /** Goes into the cursor. */
  readonly sortKey: string;
  /** What the place is sorted by, one value per sorting key; null is no value. */
  readonly values: readonly (string | null)[];
}

/** Negative when the first place comes before the second, 0 for the same place. */
export type PlaceOrder = (a: Place, b: Place) => number;

const POSITION_DIGITS = 19;
/** So many digits, and less than a bigint of PostgreSQL can be. */
const POSITION = /^[0-8]\d{18}$/;

/** Text that sorts as the position does. */
export function sortKeyOf(position: bigint | number): string {
  return position.toString().padStart(POSITION_DIGITS, '0');
}

/** Where an element stands in the order a request asks for; without sorting keys by its position. */
export function placeOf(key: ListKey, sortingKeys: readonly string[]): Place {
  if (sortingKeys.length === 0) {
    const sortKey = sortKeyOf(key.position);
    return { id: key.id, sortKey, values: [sortKey] };
  }
  const values = sortingKeys.map((name) => (name === 'id' ? key.id : (key.sortValues?.[name] ?? null)));
  return { id: key.id, sortKey: JSON.stringify(values), values };
}

/**
 * The place a cursor names.
 * @throws ApiError 400 when the cursor was made under other sorting keys
 */
export function placeOfCursor(
  cursor: { readonly sortKey: string; readonly id: string },
  sortingKeys: readonly string[],
): Place {
  const values = sortingKeys.length === 0 ? positionOf(cursor.sortKey) : parseValues(cursor.sortKey);
  if (values?.length !== Math.max(sortingKeys.length, 1)) {
    throw badParameter('the cursor is none of this sorting');
  }
  return { ...cursor, values };
}

/**
 * The order a request asks for (wire-facts §0.2). `ASC` has nulls last and `DESC` nulls first, as SQL does; places that
 * are equal by all keys are told apart by their ids.
 */
export function placeOrder({ sortingKeys, sortingOrder }: PageRequest): PlaceOrder {
  const orders =
    sortingKeys.length === 0 ? ['ASC'] : sortingKeys.map((_, index) => sortingOrder[index] ?? 'ASC');
  const comparisons = orders.map(valueOrder);
  return (a, b) => {
    for (const [index, compare] of comparisons.entries()) {
      const order = compare(a.values[index] ?? null, b.values[index] ?? null);
      if (order !== 0) {
        return order;
      }
    }
    return sortingKeys.length === 0 ? 0 : compareText(a.id, b.id);
  };
}

function valueOrder(order: string): (a: string | null, b: string | null) => number {
  const descending = order.startsWith('DESC');
  const nullsFirst = order === 'DESC' || order.endsWith('NULLS_FIRST');
  return (a, b) => {
    if (a === null || b === null) {
      return a === b ? 0 : (a === null) === nullsFirst ? -1 : 1;
    }
    return descending ? compareText(b, a) : compareText(a, b);
  };
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** A position that `sortKeyOf` wrote. */
function positionOf(text: string): readonly string[] | undefined {
  return POSITION.test(text) ? [text] : undefined;
}

function parseValues(text: string): readonly (string | null)[] | undefined {
  try {
    const values: unknown = JSON.parse(text);
    return Array.isArray(values) && values.every((value) => value === null || typeof value === 'string')
      ? values
      : undefined;
  } catch {
    return undefined;
  }
}
