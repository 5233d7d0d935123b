import type { FastifyRequest } from 'fastify';
import { httpPlugin, type HttpPlugin } from '../../foundation/http/http-plugin.js';
import { Problem } from '../../foundation/http/problem.js';

/**
 * What a process can serve. `webhooks` on their own have an event loop of their own, which no request of a person keeps busy;
 * `operator` and `documents` need not be reachable from everywhere.
 */
export const ROUTE_GROUPS = ['webhooks', 'administration', 'operator', 'documents'] as const;
export type RouteGroup = (typeof ROUTE_GROUPS)[number];

/** Below these addresses; what is below none of them is administration. */
const PREFIXES: readonly (readonly [prefix: string, group: RouteGroup])[] = [
  ['/webhooks/', 'webhooks'],
  ['/api/v1/operator/', 'operator'],
  ['/operator', 'operator'],
  ['/api/docs', 'documents'],
  ['/api/openapi', 'documents'],
  ['/problems', 'documents'],
];

/** Responds with 404, as where nothing is, to a request for what another process serves. */
export function servedRoutes(served: readonly RouteGroup[]): HttpPlugin {
  return httpPlugin('served-routes', (fastify, _options, done) => {
    fastify.addHook('onRequest', (request, _reply, next) => {
      const isServed = request.is404 || served.includes(groupOf(request));
      next(
        isServed
          ? undefined
          : new Problem({ status: 404, type: 'not-found', detail: 'There is nothing at this address.' }),
      );
    });
    done();
  });
}

/** By the route as declared, since an address can be spelled in many ways. */
function groupOf({ routeOptions: { url = '' } }: FastifyRequest): RouteGroup {
  return PREFIXES.find(([prefix]) => url.startsWith(prefix))?.[1] ?? 'administration';
}
