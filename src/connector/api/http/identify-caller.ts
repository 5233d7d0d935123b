import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { bearerTokenOf } from '../../../foundation/http/bearer-token.js';
import { LookedUp, markCallerKnown } from '../../../foundation/http/known-caller.js';
import type { Problem } from '../../../foundation/http/problem.js';
import type { InstallationId } from '../../../kernel/ids.js';
import { message } from '../../../kernel/message.js';
import { ApiTokensService } from '../../access/api-tokens.service.js';
import { ConnectorSite } from '../../access/connector-site.js';
import { SessionsService } from '../../access/sessions.service.js';
import { chooseReaderLanguage } from '../../messages/reader-language.js';
import type { Principal } from './principal.js';
import { problem } from './problems.js';

/** The response to a request without a valid credential (RFC 6750 §3). */
export function authenticationRequired({ headers }: FastifyRequest): Problem {
  const challenge = headers.authorization === undefined ? 'Bearer' : 'Bearer error="invalid_token"';
  const detail = message('problem.not-authenticated.detail');
  return problem('not-authenticated', detail, { headers: { 'www-authenticate': challenge } });
}

/** Identifies the caller of a request: a program with an API token, or a member with a session. */
@Injectable()
export class IdentifyCaller {
  private readonly identified = new LookedUp<Principal | undefined>();

  constructor(
    private readonly apiTokensService: ApiTokensService,
    private readonly sessionsService: SessionsService,
    private readonly connectorSite: ConnectorSite,
  ) {}

  /**
   * Looks once for a request, before its body is read; and once more when that took a while.
   * @returns undefined when there is no valid credential
   * @throws Problem 400 when there are two, since they may belong to different callers
   */
  async identify(request: FastifyRequest): Promise<Principal | undefined> {
    const found = await this.identified.find(request, () => this.find(request));
    if (found !== undefined) {
      markCallerKnown(request);
    }
    return found;
  }

  /**
   * Looks anew each time, for a request that takes long; it counts as a use of the credential.
   * @returns undefined when there is no valid credential, or none any more
   * @throws Problem 400 when there are two
   */
  async find(request: FastifyRequest): Promise<Principal | undefined> {
    const sessionId = this.connectorSite.sessionIdOf(request);
    if (sessionId === undefined) {
      const token = bearerTokenOf(request);
      return token === undefined ? undefined : this.principalOfToken(token);
    }
    if (request.headers.authorization !== undefined) {
      const detail = message('problem.two-credentials.detail');
      throw problem('two-credentials', detail);
    }
    return this.principalOfSession(sessionId, request);
  }

  /** Whether the credential of a request that was let in still counts; no use of it is recorded. */
  async isStillValid(request: FastifyRequest, installationId: InstallationId): Promise<boolean> {
    const sessionId = this.connectorSite.sessionIdOf(request);
    return sessionId === undefined
      ? this.apiTokensService.isValid(installationId, bearerTokenOf(request) ?? '')
      : this.sessionsService.isValid(sessionId);
  }

  private async principalOfToken(token: string): Promise<Principal | undefined> {
    const found = await this.apiTokensService.find(token);
    return (
      found && {
        installationId: found.installationId,
        role: found.role,
        name: `token ${found.id}`,
        memberId: found.memberId,
        language: null,
        csrfToken: undefined,
        signedInRecently: undefined,
        token: { id: found.id, expiresAt: found.expiresAt },
      }
    );
  }

  private async principalOfSession(sessionId: string, request: FastifyRequest): Promise<Principal | undefined> {
    const found = await this.sessionsService.find(sessionId);
    if (found?.language != null) {
      chooseReaderLanguage(request, found.language);
    }
    return (
      found && {
        installationId: found.installationId,
        role: found.role,
        name: `person ${found.memberId}`,
        memberId: found.memberId,
        language: found.language,
        csrfToken: found.csrfToken,
        signedInRecently: found.signedInRecently,
        token: undefined,
      }
    );
  }
}
