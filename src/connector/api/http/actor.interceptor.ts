import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { Observable } from 'rxjs';
import { onBehalfOf } from '../../../foundation/database/actor.js';
import { ACCESS, type AccessRequirement } from '../../../foundation/http/access.js';
import { findPrincipal } from './principal.js';

/** Passes the caller to the database, for the audit log. The guard identified it before. */
@Injectable()
export class ActorInterceptor implements NestInterceptor {
  constructor(private readonly reflector: Reflector) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const requirement = this.reflector.getAllAndOverride<AccessRequirement | undefined>(ACCESS, [
      context.getHandler(),
      context.getClass(),
    ]);
    const name = requirement === 'operator' ? 'operator' : findPrincipal(request)?.name;
    return new Observable((subscriber) =>
      onBehalfOf({ name, requestId: request.id }, () => next.handle().subscribe(subscriber)),
    );
  }
}
