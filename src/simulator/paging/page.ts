import { encodeCursor } from './cursor.js';
import type { PageRequest } from './page-request.js';
import { placeOf, placeOfCursor, placeOrder, type ListKey, type Place } from './sorting.js';

/** The `pagination` object of a list answer (wire-facts §0.2). */
export interface Pagination {
  readonly currentRequestPagination: Readonly<Record<string, unknown>>;
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
  readonly startCursor?: string;
  readonly endCursor?: string;
  readonly total: number;
}

export interface Page {
  /** Ids of the page's elements, in its order. */
  readonly ids: readonly string[];
  readonly pagination: Pagination;
}

/** Part of a list: elements from index `from` up to but not including `to`. */
export interface PageWindow {
  readonly from: number;
  readonly to: number;
  readonly total: number;
}

/**
 * Cuts one page out of a list.
 * @param keys the whole list in default order
 */
export function planPage(keys: readonly ListKey[], request: PageRequest): Page {
  const { sortingKeys } = request;
  const order = placeOrder(request);
  const places = keys.map((key) => placeOf(key, sortingKeys));
  if (sortingKeys.length > 0) {
    places.sort(order);
  }
  const countWhile = (test: (place: Place) => boolean): number => {
    const end = places.findIndex((place) => !test(place));
    return end < 0 ? places.length : end;
  };
  const window = planWindow(places.length, request, (cursor) => {
    const named = placeOfCursor(cursor, sortingKeys);
    return {
      before: countWhile((place) => order(place, named) < 0),
      through: countWhile((place) => order(place, named) <= 0),
    };
  });
  const shown = places.slice(window.from, window.to);
  return { ids: shown.map(({ id }) => id), pagination: paginationOf(request, window, shown) };
}

/**
 * As `planPage` for a list whose positions are 1, 2, 3, … without a gap, in that order: nothing but its length needs to
 * be known, however long it is.
 */
export function planDenseWindow(total: number, request: PageRequest): PageWindow {
  const within = (count: number) => Math.min(Math.max(count, 0), total);
  return planWindow(total, request, ({ sortKey }) => {
    const position = /^\d+$/.test(sortKey) ? Number(sortKey) : 0;
    return { before: within(position - 1), through: within(position) };
  });
}

/** @param shown the elements of the window, in order */
export function paginationOf(
  request: PageRequest,
  window: PageWindow,
  shown: readonly Pick<Place, 'id' | 'sortKey'>[],
): Pagination {
  const first = shown[0];
  const last = shown.at(-1);
  return {
    currentRequestPagination: echo(request),
    hasNextPage: window.to < window.total,
    hasPreviousPage: window.from > 0,
    ...(first === undefined ? {} : { startCursor: encodeCursor(first.sortKey, first.id) }),
    ...(last === undefined ? {} : { endCursor: encodeCursor(last.sortKey, last.id) }),
    total: window.total,
  };
}

/** @param countTo how many elements stand before a cursor's place, and how many up to and including it */
function planWindow(
  total: number,
  { start, limit }: PageRequest,
  countTo: (cursor: { readonly sortKey: string; readonly id: string }) => {
    readonly before: number;
    readonly through: number;
  },
): PageWindow {
  const forward = (from: number) => ({ from, to: Math.min(from + limit, total), total });
  switch (start.kind) {
    case 'first':
      return forward(0);
    case 'offset':
      return forward(Math.min(start.offset, total));
    case 'after':
      return forward(countTo(start).through);
    case 'before': {
      const to = countTo(start).before;
      return { from: Math.max(0, to - limit), to, total };
    }
  }
}

function echo(request: PageRequest): Readonly<Record<string, unknown>> {
  const { start } = request;
  return {
    parameters: request.parameters,
    ...(start.kind === 'after' || start.kind === 'before' ? { [start.kind]: start.cursor } : {}),
    limit: request.limit,
    ...(start.kind === 'offset' ? { offset: start.offset } : {}),
    sortingKeys: request.sortingKeys,
    sortingOrder: request.sortingOrder,
  };
}

/**
 * Puts loaded rows into the page's order. A row that vanished between planning and loading is left out.
 * @param rows in any order
 */
export function inPageOrder<Row extends { readonly id: string }>(
  page: Page,
  rows: readonly Row[],
): readonly Row[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return page.ids.flatMap((id) => byId.get(id) ?? []);
}
