import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Counter } from 'prom-client';
import { httpPlugin, type HttpPlugin } from '../../../foundation/http/http-plugin.js';
import { AppLogger } from '../../../foundation/logging/app-logger.js';
import { findOperator } from './identify-operator.js';
import { findPrincipal } from './principal.js';

const REFUSED: readonly number[] = [401, 403];
const NOT_FOUND = 404;

const unknownIds = new Counter({
  name: 'connector_unknown_ids_total',
  help: 'Requests of known callers for an id that is not theirs: of another installation, or of none',
});

/**
 * Logs one line for each refused credential, role or signature, and for each id that is not the caller's: whether it is another
 * installation's is not looked up, so that the time of the response does not reveal it (S2, S58).
 */
@Injectable()
export class RefusalLog {
  readonly plugin: HttpPlugin = httpPlugin('refusal-log', (fastify, _options, done) => {
    const log = this.appLogger.of('access');
    fastify.addHook('onResponse', (request, { statusCode: status }, next) => {
      const who = findPrincipal(request)?.name ?? findOperator(request);
      if (REFUSED.includes(status)) {
        log.warn({ status, ...circumstancesOf(request), who: who ?? 'nobody' }, 'access.refused');
      } else if (status === NOT_FOUND && who !== undefined && !request.is404) {
        unknownIds.inc();
        log.info({ status, ...circumstancesOf(request), who }, 'access.unknown_id');
      }
      next();
    });
    done();
  });

  constructor(private readonly appLogger: AppLogger) {}
}

function circumstancesOf(request: FastifyRequest) {
  return {
    method: request.method,
    // As declared: the address itself may hold a secret or text of a caller.
    route: request.routeOptions.url,
    installationId: findPrincipal(request)?.installationId,
    address: request.ip,
    requestId: request.id,
  };
}
