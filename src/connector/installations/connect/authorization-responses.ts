import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppLogger } from '../../../foundation/logging/app-logger.js';
import { message } from '../../../kernel/message.js';
import { deviceOf } from '../../access/domain/device.js';
import { ConnectorSite } from '../../access/connector-site.js';
import { SessionsService } from '../../access/sessions.service.js';
import { SignIn } from '../../access/sign-in.js';
import { readerLanguage } from '../../messages/reader-language.js';
import { AttemptCookie } from './attempt-cookie.js';
import type { CompletedAuthorization, RefusedAuthorization } from './complete-authorization.js';
import type { CompletedSignIn } from './complete-sign-in.js';
import { CONNECT_RESPONSES, SIGN_IN } from './connect.responses.js';
import { choicePage, resultPage, signInChoicePage } from './connect.page.js';

/** How an authorization ended. */
type AuthorizationOutcome = CompletedAuthorization | RefusedAuthorization | { readonly outcome: 'removed' };

/**
 * Any site can send the browser to the callback with a state of its own, and an earlier tab may come back late: neither ends
 * the attempt that is under way, whose cookie therefore stays.
 */
const MAY_BE_OF_NO_ATTEMPT: ReadonlySet<AuthorizationOutcome['outcome']> = new Set(['attempt-unknown', 'denied']);

/** Responds to the browser at the end of an authorization: a page, a choice, or a session and a redirect to the page for people. */
@Injectable()
export class AuthorizationResponses {
  constructor(
    private readonly sessionsService: SessionsService,
    private readonly signIn: SignIn,
    private readonly connectorSite: ConnectorSite,
    private readonly attemptCookie: AttemptCookie,
    private readonly appLogger: AppLogger,
  ) {}

  async send(request: FastifyRequest, reply: FastifyReply, result: AuthorizationOutcome): Promise<void> {
    void reply.header('cache-control', 'no-store');
    if (result.outcome === 'signed-in') {
      await this.startSession(request, reply, result);
      return;
    }
    if (result.outcome === 'sign-in-anew') {
      await reply.redirect(this.signInAddress(request), 302);
      return;
    }
    const { status, next } = CONNECT_RESPONSES[result.outcome];
    const title = message(`connecting.${result.outcome}`);
    const language = readerLanguage(request, reply);
    void reply.status(status).type('text/html; charset=utf-8');
    switch (result.outcome) {
      case 'choose-company':
        await reply.send(choicePage(language, result));
        return;
      case 'choose-sign-in':
        await reply.send(signInChoicePage(language, result.state, result.companies));
        return;
      case 'connected':
        void reply.header('set-cookie', this.attemptCookie.clearCookieHeader());
        await reply.send(
          resultPage(language, {
            title,
            text: [message('connecting.connected.text', { company: result.companyName })],
            next,
            installationId: result.installationId,
          }),
        );
        return;
      default: {
        if (!MAY_BE_OF_NO_ATTEMPT.has(result.outcome)) {
          void reply.header('set-cookie', this.attemptCookie.clearCookieHeader());
        }
        this.appLogger.of('connecting').warn({ outcome: result.outcome }, 'connection.refused');
        const missing = result.outcome === 'incomplete-grant' ? result.missingScopes : [];
        const text = [
          message(`connecting.${result.outcome}.text`),
          ...(missing.length === 0 ? [] : [message('connecting.missing', { scopes: missing.join(', ') })]),
        ];
        const way = next === SIGN_IN ? { ...next, path: this.signInAddress(request) } : next;
        await reply.send(resultPage(language, { title, text, next: way }));
      }
    }
  }

  /** Of a sign-in that ends where the one before was begun. */
  private signInAddress(request: FastifyRequest): string {
    return `${SIGN_IN.path}?to=${encodeURIComponent(this.connectorSite.returnFrom(request).path)}`;
  }

  /** An earlier session of the browser ends: no session id from before the sign-in stays valid (session fixation). */
  private async startSession(
    request: FastifyRequest,
    reply: FastifyReply,
    { installationId, person, authenticatedSecondsAgo }: Extract<CompletedSignIn, { readonly outcome: 'signed-in' }>,
  ): Promise<void> {
    const before = this.connectorSite.sessionIdOf(request);
    if (before !== undefined) {
      await this.sessionsService.end(before);
    }
    const place = { device: deviceOf(request.headers['user-agent']), address: request.ip };
    const session = await this.signIn.startSession(installationId, person, place, authenticatedSecondsAgo);
    if (session.outcome !== 'started') {
      await this.send(request, reply, session);
      return;
    }
    const { path, cookies } = this.connectorSite.returnFrom(request);
    const ofSession = [this.attemptCookie.clearCookieHeader(), this.connectorSite.setCookieHeader(session.id)];
    await reply.header('set-cookie', [...ofSession, ...cookies]).redirect(path, 302);
  }
}
