import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Bug } from '../../../kernel/faults.js';
import type { InstallationId } from '../../../kernel/ids.js';
import type { TokenCreator } from '../../access/create-api-token.js';
import type { Role } from '../../access/domain/role.js';

/** Who calls: the tenant and the role come from the verified token or session and from nowhere else (S1). */
export interface Principal {
  readonly installationId: InstallationId;
  readonly role: Role;
  /** Name for the record of who changed something. */
  readonly name: string;
  /** Who signed in, or whose token it is; undefined for a token of the operator. */
  readonly memberId: string | undefined;
  /** Of a session: what its writes have to bring along, since a browser sends its cookie with any request. */
  readonly csrfToken: string | undefined;
  /** Of a session: whether the platform has vouched for the person lately; undefined for an API token. */
  readonly signedInRecently: boolean | undefined;
  /** The API token it came with; undefined for a session. */
  readonly token: TokenCreator['token'];
}

const principals = new WeakMap<FastifyRequest, Principal>();

export function setPrincipal(request: FastifyRequest, principal: Principal): void {
  principals.set(request, principal);
}

/** The caller as the guard has found it; undefined on routes that anybody may call. */
export function findPrincipal(request: FastifyRequest): Principal | undefined {
  return principals.get(request);
}

/** The caller as the maker of an API token. */
export function tokenCreatorOf({ role, memberId, token }: Principal): TokenCreator {
  return { role, memberId, token };
}

/** Hands the caller to a controller method. */
export const Caller = createParamDecorator((_: unknown, context: ExecutionContext): Principal => {
  const principal = findPrincipal(context.switchToHttp().getRequest<FastifyRequest>());
  if (principal === undefined) {
    throw new Bug('a route asks for its caller but declares no role');
  }
  return principal;
});
