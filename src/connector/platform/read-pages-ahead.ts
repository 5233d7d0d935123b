// A list whose length was announced, page by page: while one page is used, the next ones are on their way.
import { isTransient, PlatformRefusal } from './platform-error.js';
import { PAGE_LIMIT, type Page, type PagedList } from './read-pages.js';

/** Pages that are on their way at the same time: enough that a platform that takes 20 ms for each is no bottleneck. */
const PAGES_AHEAD = 2;
/** By then every page costs the platform the counting of all before it, so the rest is read by cursor. */
const MAX_OFFSET = 20_000;

/**
 * Reads by offset what was announced. A page counts when it is as long as it has to be and has no element of an earlier one. Where one
 * does not, or the platform refuses an offset, cursors decide: the list is read by them, from its beginning when offsets may have skipped
 * something; then elements come again.
 * @param announced how many elements the list has
 * @throws as `PagedList.pagesAfter`
 */
export async function* readPagesAhead<T>(
  list: PagedList<T>,
  idOf: (element: T) => string,
  announced: number,
): AsyncGenerator<readonly T[]> {
  const first = await list.pageAt();
  yield first.data;
  const seen = new Set(first.data.map(idOf));
  let last = first;
  let count = PAGE_LIMIT;
  // The second of two pages has nothing to be ahead of.
  const isWorthIt = announced > 2 * PAGE_LIMIT && first.data.length === PAGE_LIMIT && seen.size === PAGE_LIMIT;
  for await (const page of isWorthIt ? pagesByOffset(list, Math.min(announced, MAX_OFFSET)) : []) {
    const expected = Math.min(PAGE_LIMIT, announced - count);
    count += expected;
    page?.data.forEach((element) => seen.add(idOf(element)));
    if (page?.data.length !== expected || seen.size !== count) {
      yield* list.pagesAfter(last === first ? first : undefined);
      return;
    }
    yield page.data;
    last = page;
  }
  yield* list.pagesAfter(last);
}

/** Every page from the second on. @returns undefined for one that the platform refuses */
async function* pagesByOffset<T>(list: PagedList<T>, end: number): AsyncGenerator<Page<T> | undefined> {
  const underWay: Promise<Page<T> | undefined>[] = [];
  for (let offset = PAGE_LIMIT; offset < end || underWay.length > 0;) {
    for (; offset < end && underWay.length < PAGES_AHEAD; offset += PAGE_LIMIT) {
      const page = list.pageAt({ offset: offset.toString() }).catch(undefinedIfRefused);
      // Awaited below, unless the reader leaves before.
      page.catch(() => undefined);
      underWay.push(page);
    }
    yield await underWay.shift();
  }
}

function undefinedIfRefused(error: unknown): undefined {
  if (!(error instanceof PlatformRefusal) || isTransient(error)) {
    throw error;
  }
}
