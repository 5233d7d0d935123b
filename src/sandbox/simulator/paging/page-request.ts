import { badParameter } from '../wire/api-error.js';
import { queryList, queryValue, type Query } from '../wire/parse-request.js';

const SORTING_ORDERS = [
  'ASC',
  'ASC_NULLS_FIRST',
  'ASC_NULLS_LAST',
  'DESC',
  'DESC_NULLS_FIRST',
  'DESC_NULLS_LAST',
] as const;
const PAGING_PARAMETERS = new Set(['before', 'after', 'offset', 'limit', 'sorting_keys', 'sorting_order']);
const CURSOR = /^[A-Z2-7=~]+$/;
const DEFAULT_LIMIT = 20;
const MAX_INT32 = 2n ** 31n - 1n;
const MAX_INT64 = 2n ** 63n - 1n;

export type PageStart =
  | { readonly kind: 'first' }
  | { readonly kind: 'offset'; readonly offset: number }
  | { readonly kind: 'after' | 'before'; readonly cursor: string };

export interface PageRequest {
  readonly start: PageStart;
  readonly limit: number;
  readonly sortingKeys: readonly string[];
  readonly sortingOrder: readonly string[];
  /** The other query parameters, repeated in the response. */
  readonly parameters: Readonly<Record<string, readonly string[]>>;
}

/**
 * Reads the paging parameters of a list (P0.2).
 * @param largestPage maximum number of elements of a page; a larger limit is reduced to it
 * @param sortable sorting keys of the list
 * @throws ApiError 400 when parameters exclude each other or break their pattern
 */
export function parsePageRequest(query: Query, largestPage: number, sortable: readonly string[] = ['id']): PageRequest {
  const sortingKeys = queryList(query, 'sorting_keys').flatMap((text) => text.split(','));
  const sortingOrder = queryList(query, 'sorting_order').flatMap((text) => text.split(','));
  if (!sortingKeys.every((key) => sortable.includes(key)) || new Set(sortingKeys).size < sortingKeys.length) {
    throw badParameter(`sorting_keys: may be ${sortable.join(', ')}, each once`);
  }
  if (!sortingOrder.every((order) => SORTING_ORDERS.some((known) => known === order))) {
    throw badParameter(`sorting_order: may be ${SORTING_ORDERS.join(', ')}`);
  }
  if (sortingOrder.length > 0 && sortingOrder.length !== sortingKeys.length) {
    throw badParameter('sorting_order: needs one order per sorting key');
  }
  const parameters = Object.keys(query)
    .filter((name) => !PAGING_PARAMETERS.has(name))
    .map((name) => [name, queryList(query, name)] as const);
  return {
    start: parseStart(query),
    limit: Math.min(wholeNumber(query, 'limit', MAX_INT32) ?? DEFAULT_LIMIT, largestPage),
    sortingKeys,
    sortingOrder,
    parameters: Object.fromEntries(parameters),
  };
}

function parseStart(query: Query): PageStart {
  const after = queryValue(query, 'after');
  const before = queryValue(query, 'before');
  const offset = wholeNumber(query, 'offset', MAX_INT64);
  if ([after, before, offset].filter((value) => value !== undefined).length > 1) {
    throw badParameter('before, after and offset cannot be used together');
  }
  if (offset !== undefined) {
    return { kind: 'offset', offset };
  }
  const kind = after === undefined ? 'before' : 'after';
  const cursor = after ?? before;
  if (cursor === undefined) {
    return { kind: 'first' };
  }
  if (!CURSOR.test(cursor)) {
    throw badParameter(`${kind}: is not a cursor`);
  }
  return { kind, cursor };
}

/** @returns at most what a number holds exactly: no list is longer */
function wholeNumber(query: Query, name: string, largest: bigint): number | undefined {
  const text = queryValue(query, name);
  if (text === undefined) {
    return undefined;
  }
  if (!/^\d{1,19}$/.test(text) || BigInt(text) > largest) {
    throw badParameter(`${name}: is not a whole number from 0 to ${largest.toString()}`);
  }
  return Math.min(Number(text), Number.MAX_SAFE_INTEGER);
}
