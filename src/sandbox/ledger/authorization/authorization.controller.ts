import { Body, Controller, Get, Header, Headers, HttpCode, Post, Query, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { isSameSecret } from '../../../foundation/crypto/secret-text.js';
import { Problem } from '../../../foundation/http/problem.js';
import { Public } from '../access/public.decorator.js';
import { LedgerConfig, type LedgerClient } from '../ledger-config.js';
import { CONSENT_POLICY, consentPage } from './consent.page.js';
import { IssueTokens, type TokenResponse } from './issue-tokens.js';

const text = z.string().max(2_000);
const requestSchema = z.object({
  response_type: z.literal('code'),
  state: text.min(1),
  code_challenge: z.string().regex(/^[\w-]{43}$/),
  code_challenge_method: z.literal('S256'),
});
const consentSchema = z.object({ key: text.default(''), decision: z.enum(['approve', 'deny']) });
const GRANT_TYPES = ['authorization_code', 'refresh_token'] as const;
const tokenSchema = z.discriminatedUnion('grant_type', [
  z.object({ grant_type: z.literal('authorization_code'), code: text, redirect_uri: text, code_verifier: text }),
  z.object({ grant_type: z.literal('refresh_token'), refresh_token: text }),
]);
const otherGrantSchema = z.object({
  grant_type: text.min(1).refine((type) => !GRANT_TYPES.some((known) => known === type)),
});
type Fields = Readonly<Record<string, unknown>>;

/** The sign-in of people who connect a program: code flow with PKCE for the one client that is registered (RFC 6749, 7636). */
@ApiExcludeController()
@Public()
@Controller()
export class AuthorizationController {
  constructor(
    private readonly ledgerConfig: LedgerConfig,
    private readonly issueTokens: IssueTokens,
  ) {}

  @Get('.well-known/oauth-authorization-server')
  metadata(): object {
    this.client();
    const { url } = this.ledgerConfig;
    return {
      issuer: url,
      authorization_endpoint: `${url}/oauth/authorize`,
      token_endpoint: `${url}/oauth/token`,
      response_types_supported: ['code'],
      grant_types_supported: GRANT_TYPES,
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['client_secret_basic'],
      authorization_response_iss_parameter_supported: true,
    };
  }

  @Get('oauth/authorize')
  @Header('content-type', 'text/html; charset=utf-8')
  @Header('content-security-policy', CONSENT_POLICY)
  show(@Query() query: Fields): string {
    const { clientId } = this.clientOf(query);
    return consentPage(clientId);
  }

  @Post('oauth/authorize')
  async consent(@Query() query: Fields, @Body() form: Fields, @Res() reply: FastifyReply): Promise<void> {
    const { clientId, redirectUri } = this.clientOf(query);
    const back = new URL(redirectUri);
    const request = requestSchema.safeParse(query);
    const consent = consentSchema.safeParse(form).data ?? { key: '', decision: 'approve' };
    if (!request.success) {
      back.searchParams.set('error', 'invalid_request');
    } else if (consent.decision === 'deny') {
      back.searchParams.set('error', 'access_denied');
    } else {
      const code = await this.issueTokens.giveCode(consent.key, request.data.code_challenge);
      if (code === undefined) {
        const page = consentPage(clientId, 'This is no key of a company.');
        await reply
          .status(400)
          .headers({ 'content-type': 'text/html; charset=utf-8', 'content-security-policy': CONSENT_POLICY })
          .send(page);
        return;
      }
      back.searchParams.set('code', code);
    }
    const state = text.safeParse(query['state']).data;
    if (state !== undefined) {
      back.searchParams.set('state', state);
    }
    back.searchParams.set('iss', this.ledgerConfig.url);
    await reply.status(303).header('location', back.toString()).send();
  }

  /** A refusal is reported according to RFC 6749 §5.2. */
  @Post('oauth/token')
  @HttpCode(200)
  async token(
    @Headers('authorization') authorization: string | undefined,
    @Body() form: Fields,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<TokenResponse | { readonly error: string }> {
    const client = this.client();
    if (!isClient(client, authorization ?? '')) {
      void reply.status(401).header('www-authenticate', 'Basic realm="Ledger"');
      return { error: 'invalid_client' };
    }
    const request = tokenSchema.safeParse(form).data;
    if (request === undefined) {
      void reply.status(400);
      return { error: otherGrantSchema.safeParse(form).success ? 'unsupported_grant_type' : 'invalid_request' };
    }
    const answer =
      request.grant_type === 'refresh_token'
        ? await this.issueTokens.refresh(request.refresh_token)
        : request.redirect_uri === client.redirectUri
          ? await this.issueTokens.exchangeCode(request.code, request.code_verifier)
          : undefined;
    if (answer === undefined) {
      void reply.status(400);
    }
    return answer ?? { error: 'invalid_grant' };
  }

  /** @throws Problem 400 for another client or another redirect address: the browser is not redirected then */
  private clientOf(query: Fields): LedgerClient {
    const client = this.client();
    if (query['client_id'] !== client.clientId || query['redirect_uri'] !== client.redirectUri) {
      throw new Problem({ status: 400, type: 'unknown-client', detail: 'No such client is registered here.' });
    }
    return client;
  }

  private client(): LedgerClient {
    const { client } = this.ledgerConfig;
    if (client === undefined) {
      throw new Problem({
        status: 404,
        type: 'not-found',
        detail: 'There is no sign-in here: no client is registered.',
      });
    }
    return client;
  }
}

/** Each part of the credentials is a form's value before Base64 (RFC 6749 §2.3.1). */
function isClient({ clientId, clientSecret }: LedgerClient, authorization: string): boolean {
  const [, encoded = ''] = /^basic (\S+)$/i.exec(authorization) ?? [];
  const parts = new URLSearchParams(`x=${Buffer.from(encoded, 'base64').toString('utf8').replaceAll('&', '%26')}`);
  return isSameSecret(`${clientId}:${clientSecret.reveal()}`, parts.get('x') ?? '');
}
