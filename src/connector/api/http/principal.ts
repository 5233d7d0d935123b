import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Bug } from '../../../kernel/faults.js';
import type { InstallationId } from '../../../kernel/ids.js';
import type { TokenCreator } from '../../access/create-api-token.js';
import type { Role } from '../../access/domain/role.js';

/** The caller: tenant and role come only from the verified token or session (S1). */
export interface Principal {
  readonly installationId: InstallationId;
  readonly role: Role;
  /** Name for the audit log. */
  readonly name: string;
  /** The member who signed in or owns the token; undefined for a token that the operator created. */
  readonly memberId: string | undefined;
  /** That the member has chosen; null: none, or an API token. */
  readonly language: string | null;
  /** Of a session: required with its writes, since a browser sends its cookie with any request. */
  readonly csrfToken: string | undefined;
  /** Of a session: whether the sign-in was recent; undefined for an API token. */
  readonly signedInRecently: boolean | undefined;
  /** The API token of the request; undefined for a session. */
  readonly token: TokenCreator['token'];
}

const principals = new WeakMap<FastifyRequest, Principal>();

export function setPrincipal(request: FastifyRequest, principal: Principal): void {
  principals.set(request, principal);
}

/** The caller as the guard identified it; undefined on public routes. */
export function findPrincipal(request: FastifyRequest): Principal | undefined {
  return principals.get(request);
}

/** The caller as the creator of an API token. */
export function tokenCreatorOf({ role, memberId, token }: Principal): TokenCreator {
  return { role, memberId, token };
}

/** Parameter of a controller method: the caller. */
export const Caller = createParamDecorator((_: unknown, context: ExecutionContext): Principal => {
  const principal = findPrincipal(context.switchToHttp().getRequest<FastifyRequest>());
  if (principal === undefined) {
    throw new Bug('a route asks for its caller but declares no role');
  }
  return principal;
});
