import { Injectable } from '@nestjs/common';
import { fastifyPlugin } from 'fastify-plugin';
import type { HttpPlugin } from '../../../foundation/http/http-plugin.js';
import { AppLogger } from '../../../foundation/logging/app-logger.js';
import { findOperator } from './identify-operator.js';
import { findPrincipal } from './principal.js';

const REFUSED: readonly number[] = [401, 403];

/** Logs one line for each refused credential, role or signature (S58). */
@Injectable()
export class RefusalLog {
  readonly plugin: HttpPlugin = fastifyPlugin((fastify, _options, done) => {
    const log = this.appLogger.of('access');
    fastify.addHook('onResponse', (request, reply, next) => {
      if (REFUSED.includes(reply.statusCode)) {
        const caller = findPrincipal(request);
        log.warn(
          {
            status: reply.statusCode,
            method: request.method,
            // As declared: the address itself may hold a secret or text of a caller.
            route: request.routeOptions.url,
            who: caller?.name ?? findOperator(request) ?? 'nobody',
            installationId: caller?.installationId,
            address: request.ip,
            requestId: request.id,
          },
          'access.refused',
        );
      }
      next();
    });
    done();
  });

  constructor(private readonly appLogger: AppLogger) {}
}
