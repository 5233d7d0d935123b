// A list of the platform, page by page (P0.2).
import type { z } from 'zod';
import { responseParser, type exactNumbers } from './parse-response.js';
import { InvalidPlatformResponse } from './platform-error.js';
import type { PlatformAuthorization, PlatformHttp, PlatformRequest } from './platform-http.js';
import { page } from './platform.schema.js';

const PAGE_LIMIT = '100';
/** A list that never ends is a fault of the other side, not work for us. */
const MAX_PAGES = 20_000;

/**
 * The elements of a list, whatever method it is requested with: the place in it always stands in the query.
 * @param parse how JSON becomes values; by default `JSON.parse`
 * @throws PlatformRefusal, NoResponse, AuthorizationLost; InvalidPlatformResponse, also for a list without end
 */
export async function* readPages<T extends z.ZodType>(
  http: PlatformHttp,
  auth: PlatformAuthorization,
  request: PlatformRequest,
  element: T,
  parse?: typeof exactNumbers,
): AsyncGenerator<readonly z.output<T>[]> {
  const seen = new Set<string>();
  const query = new URLSearchParams(request.query);
  query.set('limit', PAGE_LIMIT);
  for (let count = 0; count < MAX_PAGES; count += 1) {
    const call = { ...request, query: new URLSearchParams(query) };
    const { data, pagination } = await http.fetch(auth, call, responseParser(page(element), parse));
    yield data;
    if (!pagination.hasNextPage) {
      return;
    }
    const after = pagination.endCursor;
    if (typeof after !== 'string' || seen.has(after)) {
      throw new InvalidPlatformResponse(`${request.path}: says there is a next page but gives no new cursor`);
    }
    seen.add(after);
    query.set('after', after);
  }
  throw new InvalidPlatformResponse(`${request.path}: more than ${MAX_PAGES.toString()} pages`);
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
