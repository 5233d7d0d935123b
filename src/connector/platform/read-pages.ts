// A list of the platform, page by page (P0.2).
import type { z } from 'zod';
import { responseParser } from './parse-response.js';
import { InvalidPlatformResponse } from './platform-error.js';
import { ResponseTooLong, type HttpResponse } from '../../foundation/http/client/http-client.js';
import type { PlatformAuthorization, PlatformHttp, PlatformRequest } from './platform-http.js';
import { page } from './platform.schema.js';

export const PAGE_LIMIT = 100;
/** A list that never ends is a fault of the other side, not work for us. */
const MAX_PAGES = 20_000;

export interface Page<T> {
  readonly data: readonly T[];
  readonly pagination: { readonly hasNextPage: boolean; readonly endCursor?: string | null | undefined };
}

/** A list, whatever method it is requested with: the place in it always stands in the query. */
export class PagedList<T> {
  /** Elements of the next page; fewer after a page that was too long. */
  private limit = PAGE_LIMIT;

  /** @param read makes a page of a response, or throws */
  constructor(
    private readonly http: PlatformHttp,
    private readonly auth: PlatformAuthorization,
    private readonly request: PlatformRequest,
    private readonly read: (response: HttpResponse) => Page<T>,
  ) {}

  /**
   * A page that is too long to be read is requested again with half as many elements.
   * @param place where the page begins; by default at the beginning of the list
   * @throws PlatformRefusal, NoResponse, AuthorizationLost, InvalidPlatformResponse
   */
  async pageAt(place: { readonly after?: string; readonly offset?: string } = {}): Promise<Page<T>> {
    for (let { limit } = this; ; limit = Math.ceil(limit / 2)) {
      const query = new URLSearchParams(this.request.query);
      for (const [name, value] of Object.entries({ ...place, limit: limit.toString() })) {
        query.set(name, value);
      }
      try {
        const page = await this.http.fetch(this.auth, { ...this.request, query }, this.read);
        this.limit = Math.min(2 * limit, PAGE_LIMIT);
        return page;
      } catch (error) {
        if (!(error instanceof ResponseTooLong) || limit === 1) {
          throw error;
        }
      }
    }
  }

  /**
   * By cursors. @param start the page before; by default all are read
   * @throws as `pageAt`; InvalidPlatformResponse also for a list without end
   */
  async *pagesAfter(start?: Page<T>): AsyncGenerator<readonly T[]> {
    const seen = new Set<string>();
    let last = start;
    for (let count = 0; count < MAX_PAGES; count += 1) {
      if (last?.pagination.hasNextPage === false) {
        return;
      }
      last = await this.pageAt(last === undefined ? {} : { after: this.nextCursor(last, seen) });
      yield last.data;
    }
    throw new InvalidPlatformResponse(`${this.request.path}: more than ${MAX_PAGES.toString()} pages`);
  }

  private nextCursor({ pagination: { endCursor } }: Page<T>, seen: Set<string>): string {
    if (typeof endCursor !== 'string' || seen.has(endCursor)) {
      throw new InvalidPlatformResponse(`${this.request.path}: says there is a next page but gives no new cursor`);
    }
    seen.add(endCursor);
    return endCursor;
  }
}

/** The elements of a list, page by page. @throws as `PagedList.pagesAfter` */
export function readPages<T extends z.ZodType>(
  http: PlatformHttp,
  auth: PlatformAuthorization,
  request: PlatformRequest,
  element: T,
): AsyncGenerator<readonly z.output<T>[]> {
  return new PagedList<z.output<T>>(http, auth, request, responseParser(page(element))).pagesAfter();
}

/**
 * All elements of a list. One that moved to a later page while the list was read is there once, as it was read last.
 * @throws as `readPages`
 */
export async function fetchAll<T extends z.ZodType<{ readonly id: string }>>(
  http: PlatformHttp,
  auth: PlatformAuthorization,
  request: PlatformRequest,
  element: T,
): Promise<readonly z.output<T>[]> {
  const all = new Map<string, z.output<T>>();
  for await (const elements of readPages(http, auth, request, element)) {
    for (const each of elements) {
      all.set(each.id, each);
    }
  }
  return [...all.values()];
}
