import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import { ACCESS, type AccessRequirement } from '../../foundation/http/access.js';
import { Problem } from '../../foundation/http/problem.js';
import { ApiTokenRepository, type Role } from './api-token.repository.js';
import { OperatorToken } from './operator-token.js';
import { setPrincipal, type Principal } from './principal.js';

const RANK: Readonly<Record<Role, number>> = { viewer: 1, bookkeeper: 2, admin: 3 };
const BEARER = /^bearer ([\x21-\x7e]{1,512})$/i;

/** Stands before every route. One that declares no access is refused, whoever calls. */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly database: TenantDatabase,
    private readonly tokens: ApiTokenRepository,
    private readonly operator: OperatorToken,
  ) {}

  /** @throws Problem 401 without a valid token, 403 when its role does not suffice */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const requirement = this.reflector.getAllAndOverride<AccessRequirement | undefined>(ACCESS, [
      context.getHandler(),
      context.getClass(),
    ]);
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const token = BEARER.exec(request.headers.authorization ?? '')?.[1];
    switch (requirement) {
      case 'public':
        return true;
      case 'operator':
        return this.checkOperator(token);
      case 'viewer':
      case 'bookkeeper':
      case 'admin':
        setPrincipal(request, await this.checkRole(token, requirement));
        return true;
      case undefined:
        throw forbidden('This route is not open to anybody.');
    }
  }

  private checkOperator(token: string | undefined): boolean {
    if (!this.operator.isSet) {
      throw new Problem({ status: 404, type: 'not-found', detail: 'There is nothing at this address.' });
    }
    if (token === undefined || !this.operator.matches(token)) {
      throw notAuthenticated('Send the operator token as "Authorization: Bearer <token>".');
    }
    return true;
  }

  private async checkRole(token: string | undefined, needed: Role): Promise<Principal> {
    const caller = token === undefined ? undefined : await this.find(token);
    if (caller === undefined) {
      throw notAuthenticated(
        'Send a valid API token of the installation as "Authorization: Bearer <token>".',
      );
    }
    if (RANK[caller.role] < RANK[needed]) {
      throw forbidden(`This needs the role "${needed}"; the token has the role "${caller.role}".`);
    }
    return caller;
  }

  private async find(token: string): Promise<Principal | undefined> {
    const installationId = await this.database.acrossInstallations('find API token', (tx) =>
      this.tokens.findInstallation(tx, token),
    );
    if (installationId === undefined) {
      return undefined;
    }
    const found = await this.database.inInstallation('check API token', installationId, (tx) =>
      this.tokens.findValid(tx, token),
    );
    return found && { installationId, role: found.role, name: `token ${found.id}` };
  }
}

function notAuthenticated(detail: string): Problem {
  return new Problem({
    status: 401,
    type: 'not-authenticated',
    detail,
    headers: { 'www-authenticate': 'Bearer' },
  });
}

function forbidden(detail: string): Problem {
  return new Problem({ status: 403, type: 'forbidden', detail });
}
