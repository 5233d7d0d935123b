import { Bug } from '../../kernel/faults.js';
import { paginationOf, planPage, type Page } from './page.js';
import type { PageRequest } from './page-request.js';
import { placeOf, placeOfCursor } from './sorting.js';

/**
 * Which keys of a list a statement has to give. In default order it cuts the page itself, so that a page of a long list
 * costs little more than one of a short list; for other orders it gives all keys, with their sort values.
 */
export interface KeyWindow {
  /** Keys carry their sort values; an id needs none. */
  readonly isSorted: boolean;
  /** The page begins after the elements below this position, moved by `shift` elements. */
  readonly below: bigint;
  readonly shift: number;
  /** No element from this position on. */
  readonly upTo: bigint;
  /** Null: all. */
  readonly limit: number | null;
}

/** A row of such a statement: a key, or none in the only row of an empty page, and what the whole list is like. */
export interface WindowedKey {
  readonly id: string | null;
  readonly position: bigint | null;
  readonly sortValues: Readonly<Record<string, string | null>> | null;
  readonly total: number;
  /** Elements before the first one shown. */
  readonly from: number;
}

const END = 2n ** 63n - 1n;
const WHOLE: KeyWindow = { isSorted: false, below: 0n, shift: 0, upTo: END, limit: null };

/** @throws ApiError 400 when a cursor was made under other sorting keys */
export function keyWindowOf({ start, limit, sortingKeys }: PageRequest): KeyWindow {
  if (sortingKeys.length > 0) {
    return { ...WHOLE, isSorted: sortingKeys.some((name) => name !== 'id') };
  }
  switch (start.kind) {
    case 'first':
      return { ...WHOLE, limit };
    case 'offset':
      return { ...WHOLE, shift: start.offset, limit };
    case 'after':
      return { ...WHOLE, below: BigInt(placeOfCursor(start, sortingKeys).sortKey) + 1n, limit };
    case 'before': {
      const place = BigInt(placeOfCursor(start, sortingKeys).sortKey);
      return { ...WHOLE, below: place, shift: -limit, upTo: place, limit };
    }
  }
}

/** @param rows what the statement gave for `keyWindowOf(request)`, in default order */
export function pageOfKeys(rows: readonly WindowedKey[], request: PageRequest): Page {
  const [first] = rows;
  if (first === undefined) {
    throw new Bug('a statement over keys gives at least one row');
  }
  const keys = rows.flatMap(({ id, position, sortValues }) =>
    id === null || position === null ? [] : [{ id, position, sortValues }],
  );
  if (request.sortingKeys.length > 0) {
    return planPage(keys, request);
  }
  const places = keys.map((key) => placeOf(key, []));
  const from = Math.min(first.from, first.total);
  const window = { from, to: from + places.length, total: first.total };
  return { ids: places.map(({ id }) => id), pagination: paginationOf(request, window, places) };
}
