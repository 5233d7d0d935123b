import type { InfiniteData } from '@tanstack/react-query';

/** How the API pages: `nextCursor` of one page is `after` of the next. */
export const PAGED = {
  pageParamName: 'after',
  initialPageParam: null,
  getNextPageParam: ({ nextCursor }: { readonly nextCursor: string | null }) => nextCursor ?? undefined,
} as const;

/** The rows of all pages that are loaded. */
export function rowsOf<Row>(data: InfiniteData<{ readonly data: Row[] }> | undefined): readonly Row[] | undefined {
  return data?.pages.flatMap((page) => page.data);
}
