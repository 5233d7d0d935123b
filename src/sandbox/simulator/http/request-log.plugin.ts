import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { httpPlugin, type HttpPlugin } from '../../../foundation/http/http-plugin.js';
import { SimulatorClock } from '../clock/simulator-clock.js';
import { RequestLog } from '../request-log/request-log.js';
import { switchOf } from './failure.plugin.js';
import { isControlOrPage, pathOf } from './request-paths.js';

/** Logs every request of the platform's API. */
@Injectable()
export class RequestLogPlugin {
  readonly plugin: HttpPlugin = httpPlugin('request-log', (fastify, _options, done) => {
    fastify.addHook('onResponse', (request, reply, next) => {
      if (!isControlOrPage(request)) {
        this.log(request, reply);
      }
      next();
    });
    done();
  });

  constructor(
    private readonly requestLog: RequestLog,
    private readonly simulatorClock: SimulatorClock,
  ) {}

  private log(request: FastifyRequest, reply: FastifyReply): void {
    const companyIds = request.caller?.companyIds ?? [];
    this.requestLog.add({
      requestedAt: this.simulatorClock.now(),
      method: request.method,
      // The queries of the authorization server contain secrets of one person's request.
      path: pathOf(request).startsWith('/oauth') ? pathOf(request) : request.url,
      status: reply.raw.statusCode,
      companyId: companyIds.length === 1 ? (companyIds[0] ?? null) : null,
      clientId: request.caller?.clientId ?? null,
      failureSwitchId: switchOf(request.raw)?.id ?? null,
    });
  }
}
