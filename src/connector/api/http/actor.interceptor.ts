import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Observable } from 'rxjs';
import { onBehalfOf } from '../../../foundation/database/actor.js';
import { findOperator } from './identify-operator.js';
import { findPrincipal } from './principal.js';

/** Passes the caller to the database, for the audit log. The guard identified it before. */
@Injectable()
export class ActorInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const name = findPrincipal(request)?.name ?? findOperator(request);
    return new Observable((subscriber) =>
      onBehalfOf({ name, requestId: request.id }, () => next.handle().subscribe(subscriber)),
    );
  }
}
