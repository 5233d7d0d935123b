import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { map, type Observable } from 'rxjs';
import { sha256Hex } from '../../../foundation/crypto/sha256.js';
import { findPrincipal } from './principal.js';

type Query = Record<string, unknown>;

/** Enough to tell lists apart. A cursor holds nothing that its list would not show anyway. */
const DIGEST_LENGTH = 12;

/** Has a cursor lead on only in the list that issued it: at the same path, of the same installation and with the same filter. */
@Injectable()
export class BoundCursorsInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler<unknown>): Observable<unknown> {
    const request = context.switchToHttp().getRequest<FastifyRequest<{ Querystring: Query }>>();
    if (request.method !== 'GET') {
      return next.handle();
    }
    const { query, url } = request;
    const suffix = cursorSuffix(findPrincipal(request)?.installationId, url.split('?', 1)[0] ?? '', query);
    const { after } = query;
    if (typeof after === 'string') {
      // No list issues the empty one, and each refuses it in its own form.
      query['after'] = after.endsWith(suffix) ? after.slice(0, -suffix.length) : '';
    }
    return next.handle().pipe(map((answer) => withSuffix(answer, suffix)));
  }
}

function withSuffix(answer: unknown, suffix: string): unknown {
  if (typeof answer !== 'object' || answer === null) {
    return answer;
  }
  const cursor: unknown = Reflect.get(answer, 'nextCursor');
  return typeof cursor === 'string' ? { ...answer, nextCursor: cursor + suffix } : answer;
}

/** What the cursors of a list end with. @param query with the list's filter; where its pages begin and end does not count */
export function cursorSuffix(installationId: string | undefined, path: string, query: Readonly<Query>): string {
  const filter = Object.entries(query)
    .filter(([name]) => name !== 'after' && name !== 'limit')
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return `.${sha256Hex(JSON.stringify([installationId, path, filter])).slice(0, DIGEST_LENGTH)}`;
}
