import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Bug } from '../../kernel/faults.js';
import type { InstallationId } from '../../kernel/ids.js';
import type { Role } from './api-token.repository.js';

/** Who calls: the tenant and the role come from the verified token and from nowhere else (spec: reliability §e1 S1). */
export interface Principal {
  readonly installationId: InstallationId;
  readonly role: Role;
  /** Name for the record of who changed something. */
  readonly name: string;
}

const principals = new WeakMap<FastifyRequest, Principal>();

export function setPrincipal(request: FastifyRequest, principal: Principal): void {
  principals.set(request, principal);
}

/** Hands the caller to a controller method. */
export const Caller = createParamDecorator((_: unknown, context: ExecutionContext): Principal => {
  const principal = principals.get(context.switchToHttp().getRequest<FastifyRequest>());
  if (principal === undefined) {
    throw new Bug('a route asks for its caller but declares no role');
  }
  return principal;
});
