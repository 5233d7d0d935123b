import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { httpPlugin, type HttpPlugin } from '../../../foundation/http/http-plugin.js';
import type { Provider } from 'oidc-provider';
import { AppLogger } from '../../../foundation/logging/app-logger.js';
import { AuthorizationServer } from '../authorization/authorization-server.js';
import { PLATFORM_SCOPES } from '../authorization/scopes.js';
import { keepCookiesForSession } from '../authorization/session-cookies.js';
import { SimulatorClock } from '../clock/simulator-clock.js';
import { overtakenRefusal } from '../control/request-gate.plugin.js';
import { brokenBody, switchedBody } from '../failures/broken-response.js';
import { changeResponse } from '../failures/changed-response.js';
import type { FailureSwitch } from '../failures/failure-switch.repository.js';
import { refusalOf } from '../wire/exception-info.filter.js';
import { hold, retryAfter, switchOf } from './failure.plugin.js';
import { takeForms } from './request-forms.plugin.js';

type ProviderContext = Parameters<Parameters<Provider['use']>[0]>[0];

const PROVIDER_ROUTES = [
  ['GET', '/oauth/authorize'],
  ['GET', '/oauth/authorize/:uid'],
  ['POST', '/oauth/token'],
  ['GET', '/oauth/jwks'],
  ['GET', '/.well-known/openid-configuration'],
  ['GET', '/.well-known/oauth-authorization-server'],
] as const;

/**
 * Mounts the authorization server beside Nest's routes. It parses forms itself, with what is refused of them
 * refused before.
 */
@Injectable()
export class OAuthPlugin {
  readonly plugin: HttpPlugin = httpPlugin('oauth', (fastify, _options, done) => {
    const { provider } = this.authorizationServer;
    provider.on('server_error', (_context, error) => {
      this.appLogger.of('authorization').error({ err: error }, 'oauth.failed');
    });
    keepCookiesForSession(provider);
    provider.use(async (context, next) => {
      ignoreMaxAge(context);
      await next();
      announceScopes(context);
      const matched = switchOf(context.req);
      if (matched !== undefined) {
        await this.fail(matched, context);
      }
      const refusal = overtakenRefusal(context.req);
      if (refusal !== undefined) {
        context.status = refusal.status;
        context.body = refusal.body;
        context.set(refusal.headers);
      }
    });
    this.mount(fastify);
    done();
  });

  constructor(
    private readonly authorizationServer: AuthorizationServer,
    private readonly simulatorClock: SimulatorClock,
    private readonly appLogger: AppLogger,
  ) {}

  private mount(fastify: FastifyInstance): void {
    const respond = this.authorizationServer.provider.callback();
    void fastify.register((scope, _options, done) => {
      // What was refused before, for Nest's filter is behind its own routes only.
      scope.setErrorHandler((error, _request, reply) => {
        const { status, headers, body } = refusalOf(error);
        return reply.status(status).headers(headers).type('application/json').send(body);
      });
      scope.removeAllContentTypeParsers();
      takeForms(scope, ({ raw }, text) => unread(raw, text));
      scope.addContentTypeParser('*', (_request, _payload, parsed) => {
        parsed(null);
      });
      for (const [method, url] of PROVIDER_ROUTES) {
        scope.route({
          method,
          url,
          handler: async (request, reply) => {
            // It writes its answers itself, with the headers that every answer has.
            reply.raw.setHeaders(
              new Map(Object.entries(reply.getHeaders()).map(([name, value]) => [name, String(value)])),
            );
            reply.hijack();
            await respond(request.raw, reply.raw);
          },
        });
      }
      done();
    });
  }

  /** The authorization server bypasses Fastify's hooks; its failures after the effect are made here. */
  private async fail(matched: FailureSwitch, context: ProviderContext): Promise<void> {
    if (matched.effect === 'after') {
      await hold(matched, context.req, this.simulatorClock);
      if (matched.status !== null) {
        context.body = switchedBody(matched.status);
        context.status = matched.status;
        context.set(retryAfter(matched));
      }
    }
    if (matched.answer !== null) {
      context.body = changeResponse(matched.answer, textOf(context.body), null);
    }
    if (matched.truncateAt !== null) {
      const text = textOf(context.body);
      context.body = brokenBody(text, matched.truncateAt, context.req.socket, this.simulatorClock);
      context.set('content-length', Buffer.byteLength(text).toString());
    }
  }
}

/**
 * Each request for authorization asks the person anew, which satisfies any `max_age`. The library takes the parameter only with the
 * scope `openid`, which the platform does not know; a server ignores parameters that it does not know (RFC 6749 §3.1).
 */
function ignoreMaxAge(context: ProviderContext): void {
  const { max_age: maxAge, ...others } = context.query;
  if (maxAge !== undefined) {
    context.query = others;
  }
}

/** The library announces the scopes of its own configuration, of which there are none, and `openid`, which no client may ask for. */
function announceScopes(context: ProviderContext): void {
  if (context.path.startsWith('/.well-known/')) {
    const announced: unknown = context.body;
    context.body = Object.assign({}, announced, { scopes_supported: PLATFORM_SCOPES });
  }
}

/** The authorization server reads bodies itself: gives the request back as it was before its form was looked at. */
function unread(request: FastifyRequest['raw'], text: string): FastifyRequest['raw'] {
  return Object.defineProperties(request, {
    readable: { value: true },
    iterator: { value: () => Readable.from([Buffer.from(text)]) },
  });
}

function textOf(body: unknown): string {
  return typeof body === 'string' ? body : JSON.stringify(body ?? '');
}
