import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';
import { AppLogger } from '../../../foundation/logging/app-logger.js';
import { findPrincipal } from './principal.js';

const REFUSED: readonly number[] = [401, 403];

/** Logs one line for each refused credential, role or signature (S58). */
@Injectable()
export class RefusalLog implements OnModuleInit {
  constructor(
    private readonly host: HttpAdapterHost,
    private readonly appLogger: AppLogger,
  ) {}

  onModuleInit(): void {
    const log = this.appLogger.of('access');
    this.host.httpAdapter.getInstance<FastifyInstance>().addHook('onResponse', (request, reply, done) => {
      if (REFUSED.includes(reply.statusCode)) {
        const caller = findPrincipal(request);
        log.warn(
          {
            status: reply.statusCode,
            method: request.method,
            // As declared: the address itself may hold a secret or text of a caller.
            route: request.routeOptions.url,
            who: caller?.name ?? 'nobody',
            installationId: caller?.installationId,
            address: request.ip,
            requestId: request.id,
          },
          'access.refused',
        );
      }
      done();
    });
  }
}
