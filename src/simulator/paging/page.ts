import { encodeCursor } from './cursor.js';
import type { PageRequest } from './page-request.js';

/** One element of a whole list, in its default order: where it stands and what it is. */
export interface ListKey {
  readonly id: string;
  /** Rises along the default order. */
  readonly position: bigint;
}

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

const POSITION_DIGITS = 19;

/**
 * Cuts one page out of a list.
 * @param keys the whole list in default order; a list of the simulator is short enough to be known whole
 */
export function planPage(keys: readonly ListKey[], request: PageRequest): Page {
  const byId = request.sortingKeys.length > 0;
  const descending = request.sortingOrder[0]?.startsWith('DESC') ?? false;
  const placed = keys.map((key) => ({ id: key.id, sortKey: byId ? key.id : paddedPosition(key.position) }));
  if (byId) {
    placed.sort((a, b) => (a.sortKey < b.sortKey ? -1 : 1));
  }
  if (descending) {
    placed.reverse();
  }
  const [from, to] = bounds(placed, request, descending);
  const shown = placed.slice(from, to);
  const first = shown[0];
  const last = shown.at(-1);
  return {
    ids: shown.map(({ id }) => id),
    pagination: {
      currentRequestPagination: echo(request),
      hasNextPage: to < placed.length,
      hasPreviousPage: from > 0,
      ...(first === undefined ? {} : { startCursor: encodeCursor(first.sortKey, first.id) }),
      ...(last === undefined ? {} : { endCursor: encodeCursor(last.sortKey, last.id) }),
      total: placed.length,
    },
  };
}

/** Index of the first element of the page and of the first one after it. */
function bounds(
  placed: readonly { readonly sortKey: string }[],
  { start, limit }: PageRequest,
  descending: boolean,
): readonly [number, number] {
  const countWhile = (test: (sortKey: string) => boolean): number => {
    const end = placed.findIndex(({ sortKey }) => !test(sortKey));
    return end < 0 ? placed.length : end;
  };
  switch (start.kind) {
    case 'first':
      return [0, Math.min(limit, placed.length)];
    case 'offset': {
      const from = Math.min(start.offset, placed.length);
      return [from, Math.min(from + limit, placed.length)];
    }
    case 'after': {
      const from = countWhile((key) => (descending ? key >= start.sortKey : key <= start.sortKey));
      return [from, Math.min(from + limit, placed.length)];
    }
    case 'before': {
      const to = countWhile((key) => (descending ? key > start.sortKey : key < start.sortKey));
      return [Math.max(0, to - limit), to];
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

/** Text that sorts as the number does. */
function paddedPosition(position: bigint): string {
  return position.toString().padStart(POSITION_DIGITS, '0');
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
