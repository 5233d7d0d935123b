import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { map, type Observable } from 'rxjs';
import { sha256Hex } from '../crypto/sha256.js';

type Query = Record<string, unknown>;

/** Enough to tell lists apart. A cursor holds nothing that its list would not show anyway. */
const DIGEST_LENGTH = 12;

/** Where a page begins and ends, and the form it is sent in: none of them makes another list. */
const NO_FILTER: ReadonlySet<string> = new Set(['after', 'limit', 'format']);

/** Has a cursor lead on only in the list that issued it: at the same path, for the same tenant and with the same filter. */
export class BoundCursorsInterceptor implements NestInterceptor {
  /** @param tenantOf whose list a request reads, as far as its path does not tell */
  constructor(private readonly tenantOf: (request: FastifyRequest) => string | undefined) {}

  intercept(context: ExecutionContext, next: CallHandler<unknown>): Observable<unknown> {
    const request = context.switchToHttp().getRequest<FastifyRequest<{ Querystring: Query }>>();
    if (request.method !== 'GET') {
      return next.handle();
    }
    const { query, url } = request;
    const suffix = cursorSuffix(this.tenantOf(request), url.split('?', 1)[0] ?? '', query);
    const { after } = query;
    if (typeof after === 'string') {
      // No list issues the empty one, and each refuses it in its own form.
      query['after'] = after.endsWith(suffix) ? after.slice(0, -suffix.length) : '';
    }
    return next.handle().pipe(map((response) => withSuffix(response, suffix)));
  }
}

function withSuffix(response: unknown, suffix: string): unknown {
  if (typeof response !== 'object' || response === null) {
    return response;
  }
  const cursor: unknown = Reflect.get(response, 'nextCursor');
  return typeof cursor === 'string' ? { ...response, nextCursor: cursor + suffix } : response;
}

/** What the cursors of a list end with. @param query with the list's filter */
export function cursorSuffix(tenant: string | undefined, path: string, query: Readonly<Query>): string {
  const filter = Object.entries(query)
    .filter(([name]) => !NO_FILTER.has(name))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return `.${sha256Hex(JSON.stringify([tenant, path, filter])).slice(0, DIGEST_LENGTH)}`;
}
