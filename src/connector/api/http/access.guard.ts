import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { ACCESS, FROM_OTHER_SITE, type AccessRequirement } from '../../../foundation/http/access.js';
import { message } from '../../../kernel/message.js';
import { includesRole, type Role } from '../../access/domain/role.js';
import { ConnectorSite } from '../../access/connector-site.js';
import { hasValidCsrfToken } from './csrf-token.js';
import { IdentifyCaller, authenticationRequired } from './identify-caller.js';
import { IdentifyOperator } from './identify-operator.js';
import { findPrincipal, setPrincipal } from './principal.js';
import { problem } from './problems.js';
import { RECENT_SIGN_IN, signInAgain } from './recent-sign-in.js';

/** Methods that change nothing and need no CSRF token. */
const READING: readonly string[] = ['GET', 'HEAD'];

/** Guards every route. A route that declares no access refuses every caller. */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly identifyCaller: IdentifyCaller,
    private readonly connectorSite: ConnectorSite,
    private readonly identifyOperator: IdentifyOperator,
  ) {}

  /** @throws Problem 401 without a valid token or session, 403 when its role or sign-in does not suffice, or another site sent the request */
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
        await this.identifyOperator.assertPresented(request);
        return true;
      case 'viewer':
      case 'bookkeeper':
      case 'admin':
        await this.checkRole(request, requirement, this.reflector.get(FROM_OTHER_SITE, context.getHandler()) === true);
        this.checkSignIn(request, this.reflector.get(RECENT_SIGN_IN, context.getHandler()) === true);
        return true;
      case undefined:
        throw problem('forbidden', message('problem.forbidden.undeclared'));
    }
  }

  private async checkRole(request: FastifyRequest, needed: Role, isFromOtherSite: boolean): Promise<void> {
    const caller = await this.identifyCaller.identify(request);
    if (caller === undefined) {
      throw authenticationRequired(request);
    }
    setPrincipal(request, caller);
    if (caller.csrfToken !== undefined && !isFromOtherSite) {
      this.assertOwnPage(request, caller.csrfToken);
    }
    if (!includesRole(caller.role, needed)) {
      throw problem('forbidden', message('problem.forbidden.detail', { needed, role: caller.role }));
    }
  }

  private checkSignIn(request: FastifyRequest, mustBeRecent: boolean): void {
    if (mustBeRecent && findPrincipal(request)?.signedInRecently === false) {
      throw signInAgain(this.connectorSite.signInAddress);
    }
  }

  /** A browser sends its cookie with requests of other sites too. */
  private assertOwnPage(request: FastifyRequest, csrfToken: string): void {
    if (this.connectorSite.isCrossSite(request)) {
      throw problem('cross-site', message('problem.cross-site.detail'));
    }
    if (!READING.includes(request.method) && !hasValidCsrfToken(request, csrfToken)) {
      throw problem('csrf-token', message('problem.csrf-token.detail'));
    }
  }
}
