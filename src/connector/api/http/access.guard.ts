import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { ACCESS, type AccessRequirement } from '../../../foundation/http/access.js';
import { bearerTokenOf } from '../../../foundation/http/bearer-token.js';
import { markCallerKnown } from '../../../foundation/http/known-caller.js';
import { Problem } from '../../../foundation/http/problem.js';
import { includesRole, type Role } from '../../access/domain/role.js';
import { SettingsSite } from '../../access/settings-site.service.js';
import { hasValidCsrfToken } from './csrf-token.js';
import { IdentifyCaller, authenticationRequired } from './identify-caller.js';
import { OperatorToken } from './operator-token.js';
import { findPrincipal, setPrincipal } from './principal.js';
import { RECENT_SIGN_IN, signInAgain } from './recent-sign-in.js';

/** What changes nothing and needs no CSRF token. */
const READING: readonly string[] = ['GET', 'HEAD'];

/** Stands before every route. One that declares no access is refused, whoever calls. */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly identifyCaller: IdentifyCaller,
    private readonly settingsSite: SettingsSite,
    private readonly operatorToken: OperatorToken,
  ) {}

  /** @throws Problem 401 without a valid token or session, 403 when its role or its sign-in does not suffice, or another site asks */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const requirement = this.reflector.getAllAndOverride<AccessRequirement | undefined>(ACCESS, [
      context.getHandler(),
      context.getClass(),
    ]);
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    switch (requirement) {
      case 'public':
        return true;
      case 'operator':
        return this.checkOperator(request);
      case 'viewer':
      case 'bookkeeper':
      case 'admin':
        await this.checkRole(request, requirement);
        this.checkSignIn(request, this.reflector.get(RECENT_SIGN_IN, context.getHandler()) === true);
        return true;
      case undefined:
        throw forbidden('This route is not open to anybody.');
    }
  }

  private checkOperator(request: FastifyRequest): boolean {
    if (!this.operatorToken.isSet) {
      throw new Problem({ status: 404, type: 'not-found', detail: 'There is nothing at this address.' });
    }
    const token = bearerTokenOf(request);
    if (token === undefined || !this.operatorToken.matches(token)) {
      throw notAuthenticated('Send the operator token as "Authorization: Bearer <token>".');
    }
    markCallerKnown(request);
    return true;
  }

  private async checkRole(request: FastifyRequest, needed: Role): Promise<void> {
    const caller = await this.identifyCaller.identify(request);
    if (caller === undefined) {
      throw authenticationRequired(request);
    }
    setPrincipal(request, caller);
    if (caller.csrfToken !== undefined) {
      this.assertOwnPage(request, caller.csrfToken);
    }
    if (!includesRole(caller.role, needed)) {
      throw forbidden(`This needs the role "${needed}"; you have the role "${caller.role}".`);
    }
  }

  private checkSignIn(request: FastifyRequest, mustBeRecent: boolean): void {
    if (mustBeRecent && findPrincipal(request)?.signedInRecently === false) {
      throw signInAgain(this.settingsSite.signInAddress);
    }
  }

  /** A browser sends its cookie along whoever made it send the request. */
  private assertOwnPage(request: FastifyRequest, csrfToken: string): void {
    if (this.settingsSite.isCrossSite(request)) {
      throw new Problem({ status: 403, type: 'cross-site', detail: 'Requests of other sites are refused.' });
    }
    if (!READING.includes(request.method) && !hasValidCsrfToken(request, csrfToken)) {
      const detail =
        'Send the token of the session, which GET /api/v1/me tells, as X-CSRF-Token; or load the page again.';
      throw new Problem({ status: 403, type: 'csrf-token', detail });
    }
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
