import type { PageRequest } from './page-request.js';

/** The `pagination` object of a list response (P0.2). */
export interface Pagination {
  readonly currentRequestPagination: Readonly<Record<string, unknown>>;
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
  readonly startCursor?: string;
  readonly endCursor?: string;
  readonly total: number;
}

/** The request as its response repeats it. */
export function echoOf(request: PageRequest): Readonly<Record<string, unknown>> {
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
  ids: readonly string[],
  rows: readonly Row[],
): readonly Row[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}
