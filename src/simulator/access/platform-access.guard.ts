import { Injectable, SetMetadata, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { ApiError } from '../wire/api-error.js';
import { AuthenticateCaller } from './authenticate-caller.js';

const SCOPE = 'platform:scope';

/** The scope a handler needs (wire-facts §3.2). Handlers without it need a valid credential only. */
export const RequiresScope = (scope: string) => SetMetadata(SCOPE, scope);

/** Lets a request pass when its credential is valid (401 otherwise) and carries the handler's scope (403 otherwise). */
@Injectable()
export class PlatformAccessGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly authentication: AuthenticateCaller,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const caller = await this.authentication.authenticate(request.headers.authorization);
    request.caller = caller;
    const scope = this.reflector.get<string | undefined>(SCOPE, context.getHandler());
    if (scope !== undefined && !caller.scopes.includes(scope)) {
      throw new ApiError(403, 'FORBIDDEN', `The credential lacks the scope ${scope}.`);
    }
    return true;
  }
}
