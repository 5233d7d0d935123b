/** What a column says of the order of its list. */
export interface OrderedColumn {
  readonly header: string;
  readonly sort?: string;
  readonly isSortedDownOnly?: boolean;
}

/** @param by the order of the list, as the API names it */
export function shownDirection(
  { sort, isSortedDownOnly }: OrderedColumn,
  by: string,
): 'ascending' | 'descending' | 'none' {
  if (sort === undefined) return 'none';
  if (by === sort) return isSortedDownOnly === true ? 'descending' : 'ascending';
  return by === `-${sort}` ? 'descending' : 'none';
}

/** The order after a click on the column's header. @param by the order of now */
export function turnedOrder(column: OrderedColumn, by: string): string {
  const { sort = by, isSortedDownOnly } = column;
  return shownDirection(column, by) === 'ascending' && isSortedDownOnly !== true ? `-${sort}` : sort;
}

/** Every order that a list can have, by how the API names it. */
export function orderNames(columns: readonly OrderedColumn[]): ReadonlyMap<string, string> {
  return new Map(
    columns.flatMap(({ header, sort, isSortedDownOnly }) => {
      if (sort === undefined) return [];
      const down = `${header} ↓`;
      return isSortedDownOnly === true
        ? [[sort, down] as const]
        : [[sort, `${header} ↑`] as const, [`-${sort}`, down] as const];
    }),
  );
}
