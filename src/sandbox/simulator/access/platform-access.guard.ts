import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { ApiError } from '../wire/api-error.js';
import { AuthenticateCaller } from './authenticate-caller.js';
import { RequestBudget } from './request-budget.js';
import { SCOPE } from './requires-scope.js';

/**
 * Lets a request pass when its credential is valid (401 otherwise), has requests left in this minute (429 otherwise) and
 * carries the handler's scope (403 otherwise).
 */
@Injectable()
export class PlatformAccessGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly authenticateCaller: AuthenticateCaller,
    private readonly requestBudget: RequestBudget,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const caller = await this.authenticateCaller.authenticate(request.headers.authorization);
    request.caller = caller;
    this.requestBudget.consume(caller);
    const scopes = this.reflector.get<readonly string[] | undefined>(SCOPE, context.getHandler());
    if (scopes !== undefined && !scopes.some((scope) => caller.scopes.includes(scope))) {
      throw new ApiError(403, 'FORBIDDEN', `The credential lacks the scope ${scopes.join(' or ')}.`);
    }
    return true;
  }
}
