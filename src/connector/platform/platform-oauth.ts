// The platform's authorization server: code flow with PKCE and refresh (P3.1), spoken by openid-client.
import * as oauth from 'openid-client';
import { z } from 'zod';
import { NoResponse, type HttpClient, type HttpRequest } from '../../foundation/http/client/http-client.js';
import type { Secret } from '../../foundation/config/secret.js';
import { AuthorizationLost, IncompleteGrant, InvalidPlatformResponse, PlatformRefusal } from './platform-error.js';
import type { ServerMetadata } from './server-metadata.js';
import { retryAfterMs } from './retry-after.js';

export interface PlatformOAuthOptions {
  readonly authUrl: string;
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: Secret;
  /** Our callback, letter by letter as registered with the platform. */
  readonly redirectUri: string;
}

export interface TokenSet {
  readonly accessToken: string;
  readonly refreshToken: string;
  /** Seconds from now. */
  readonly expiresInSeconds: number;
}

/** Who a token was given by, as the platform says. */
export interface TokenPerson {
  /** Never changes. */
  readonly subject: string;
  /** For people to read; undefined where the platform gives none. */
  readonly name: string | undefined;
}

/** What an authorization is asked for: to act for a company from now on, or only to learn who is there. */
export type AuthorizationPurpose =
  | 'connect'
  | 'sign-in'
  /** For what needs a recent sign-in: the platform is asked to let nobody pass whom it has authenticated long before. */
  | 'sign-in-again';

/** How long an authentication counts as recent; asked for as `max_age` (OpenID Connect Core, 3.1.2.1). */
export const RECENT_SECONDS = 15 * 60;

/** What a sign-in brings. */
export interface SignInGrant {
  /** To look around with once; whatever else came is forgotten. */
  readonly accessToken: string;
  /** When the platform last authenticated the person; undefined where it gives no ID token that says so. */
  readonly authenticatedAt: Date | undefined;
}

/** What no export can do without (S24). */
const REQUIRED_SCOPES = ['export-jobs:read', 'export-jobs:write', 'export-items:read', 'companies:read'];
/** What keeping reference data in step needs besides. A connection that was given less still exports. */
const REFERENCE_DATA_SCOPES = ['accounts', 'tax-codes', 'vendors', 'tag-groups'].flatMap((resource) => [
  `${resource}:read`,
  `${resource}:write`,
]);

/** Enough to see the companies that somebody may sign in to. */
const SIGN_IN_SCOPES = ['companies:read'];

/** RFC 7662 §2.2, where `sub` is optional; `username` is what the platform would show of a person. */
const personSchema = z.object({
  active: z.literal(true),
  sub: z
    .string()
    .regex(/^[\x21-\x7e]{1,255}$/)
    .optional(),
  username: z.string().trim().min(1).max(255).optional().catch(undefined),
});

/** @param granted separated by blanks, as the platform writes them */
export function missingScopes(granted: string): readonly string[] {
  const given = new Set(granted.split(' '));
  return REQUIRED_SCOPES.filter((scope) => !given.has(scope));
}

/**
 * Of a refresh: a late answer still brings the tokens, and the old one may be used up. Longer than this a job cannot wait
 * either; the access token in hand is used meanwhile.
 */
const REFRESH_TIMEOUT_MS = 300_000;

/** When the server does not say: short enough to be safe. */
const ASSUMED_LIFETIME_SECONDS = 300;
const MAX_LIFETIME_SECONDS = 86_400 * 30;

export class PlatformOAuth {
  private readonly configuration: oauth.Configuration;
  /** The same client where only its password in the header is documented (P3.1, "Introspection"). */
  private readonly introspecting: oauth.Configuration;

  constructor(
    private readonly options: PlatformOAuthOptions,
    http: HttpClient,
    private readonly metadata?: ServerMetadata,
  ) {
    const server: oauth.ServerMetadata = {
      issuer: options.issuer,
      authorization_endpoint: `${options.authUrl}/oauth/authorize`,
      token_endpoint: `${options.authUrl}/oauth/token`,
      introspection_endpoint: `${options.authUrl}/oauth/token/introspect`,
    };
    const secret = options.clientSecret.reveal();
    const configured = (authentication: oauth.ClientAuth) => {
      const configuration = new oauth.Configuration(server, options.clientId, undefined, authentication);
      configuration[oauth.customFetch] = (url, request) =>
        viaHttpClient(http, url.slice(options.authUrl.length), request);
      if (options.authUrl.startsWith('http://')) {
        // Production refuses such an address at start; on a developer's machine everything is loopback.
        oauth.allowInsecureRequests(configuration);
      }
      return configuration;
    };
    this.configuration = configured(oauth.ClientSecretPost(secret));
    this.introspecting = configured(oauth.ClientSecretBasic(secret));
  }

  /** A fresh `state` and PKCE verifier, 256 bits each. */
  newAttempt(): { readonly state: string; readonly codeVerifier: string } {
    return { state: oauth.randomState(), codeVerifier: oauth.randomPKCECodeVerifier() };
  }

  /** Where the person's browser goes to consent. */
  async authorizationUrl(state: string, codeVerifier: string, purpose: AuthorizationPurpose): Promise<URL> {
    const scopes = purpose === 'connect' ? [...REQUIRED_SCOPES, ...REFERENCE_DATA_SCOPES] : SIGN_IN_SCOPES;
    return oauth.buildAuthorizationUrl(this.configuration, {
      redirect_uri: this.options.redirectUri,
      scope: scopes.join(' '),
      state,
      code_challenge: await oauth.calculatePKCECodeChallenge(codeVerifier),
      code_challenge_method: 'S256',
      ...(purpose === 'sign-in-again' && { max_age: RECENT_SECONDS.toString() }),
    });
  }

  /**
   * Exchanges the code of a callback.
   * @param query of the callback; `state` and `iss` are checked again here; `iss` is demanded of a server that announces it
   * @throws PlatformRefusal when the server says no, IncompleteGrant when it gives less than is needed, InvalidPlatformResponse
   *   when the grant is unusable, NoResponse
   */
  async exchangeCode(query: URLSearchParams, state: string, codeVerifier: string): Promise<TokenSet> {
    return tokensOf(await this.requestGrant(query, state, codeVerifier));
  }

  /** As `exchangeCode`, for somebody who only signs in. */
  async exchangeSignInCode(query: URLSearchParams, state: string, codeVerifier: string): Promise<SignInGrant> {
    const grant = await this.requestGrant(query, state, codeVerifier);
    const authTime = grant.claims()?.auth_time;
    return {
      accessToken: usableToken(grant.access_token),
      authenticatedAt: authTime === undefined ? undefined : new Date(authTime * 1_000),
    };
  }

  /**
   * Asks who gave an access token (RFC 7662).
   * @returns undefined when the platform names nobody
   * @throws PlatformRefusal, InvalidPlatformResponse when the answer is unusable, NoResponse
   */
  async personOf(accessToken: string): Promise<TokenPerson | undefined> {
    const answer = await oauth.tokenIntrospection(this.introspecting, accessToken).catch((error: unknown) => {
      throw refusalOf(error);
    });
    const person = personSchema.safeParse(answer);
    if (!person.success) {
      throw new InvalidPlatformResponse('the authorization server gave no usable answer about its own token');
    }
    const { sub: subject, username: name } = person.data;
    return subject === undefined ? undefined : { subject, name };
  }

  /**
   * Uses a refresh token, once. A server that does not rotate may leave it out of its answer: then it stays (RFC 6749 §6).
   * @throws AuthorizationLost when the server says the grant is dead; others as `exchangeCode`
   */
  async refresh(refreshToken: string): Promise<TokenSet> {
    const answer = await oauth.refreshTokenGrant(this.configuration, refreshToken).catch((error: unknown) => {
      throw refusalOf(error);
    });
    return tokensOf(answer, refreshToken);
  }

  private async requestGrant(query: URLSearchParams, state: string, codeVerifier: string): Promise<TokenResponse> {
    const issuer = query.get('iss');
    const isMissing = issuer === null && (await this.metadata?.announcesIssuer()) === true;
    if (isMissing || (issuer !== null && issuer !== this.options.issuer)) {
      // A mix-up: another server's answer must not lead our code to it (RFC 9207). Without `iss` it may be one, where ours sends it.
      throw new PlatformRefusal(400, 'wrong_issuer', 'the callback is of another issuer', undefined);
    }
    const callback = new URL(this.options.redirectUri);
    callback.search = query.toString();
    const checks = { expectedState: state, pkceCodeVerifier: codeVerifier };
    return oauth.authorizationCodeGrant(this.configuration, callback, checks).catch((error: unknown) => {
      throw refusalOf(error);
    });
  }
}

type TokenResponse = oauth.TokenEndpointResponse & oauth.TokenEndpointResponseHelpers;

/** @param before the refresh token that was used, which stays when none comes */
function tokensOf(answer: TokenResponse, before?: string): TokenSet {
  const { access_token: accessToken, refresh_token: refreshToken = before } = answer;
  if (refreshToken === undefined) {
    throw new IncompleteGrant('the authorization server gave no refresh token', []);
  }
  const missing = answer.scope === undefined ? [] : missingScopes(answer.scope);
  if (missing.length > 0) {
    throw new IncompleteGrant(`the authorization lacks the scopes ${missing.join(', ')}`, missing);
  }
  const lifetime = answer.expiresIn() ?? ASSUMED_LIFETIME_SECONDS;
  if (lifetime <= 0 || lifetime > MAX_LIFETIME_SECONDS) {
    throw new InvalidPlatformResponse(`the authorization server gave a token for ${lifetime.toString()} seconds`);
  }
  return {
    accessToken: usableToken(accessToken),
    refreshToken: usableToken(refreshToken),
    expiresInSeconds: lifetime,
  };
}

function usableToken(token: string): string {
  if (!/^[\x21-\x7e]+$/.test(token)) {
    throw new InvalidPlatformResponse('the authorization server gave no usable token');
  }
  return token;
}

/** Tells "no", "something broke" and "the grant is dead" apart; the library has a class for each way of saying them. */
function refusalOf(error: unknown): unknown {
  if (error instanceof oauth.ResponseBodyError) {
    return error.error === 'invalid_grant'
      ? new AuthorizationLost('the platform says the authorization is no longer valid', { cause: error })
      : refusal(error.response, error.error, error.error_description);
  }
  if (error instanceof oauth.AuthorizationResponseError) {
    return new PlatformRefusal(400, error.error, error.error_description ?? error.error, undefined);
  }
  if (error instanceof oauth.WWWAuthenticateChallengeError) {
    return refusal(error.response, 'invalid_client', 'the platform does not accept the client’s credentials');
  }
  if (!(error instanceof oauth.ClientError)) {
    return error;
  }
  if (error.cause instanceof NoResponse) {
    return error.cause;
  }
  return error.cause instanceof Response && error.cause.status >= 500
    ? refusal(error.cause, 'server_error', undefined)
    : new InvalidPlatformResponse(`the authorization server broke the protocol: ${error.message}`, {
        cause: error,
      });
}

function refusal(response: Response, type: string, description: string | undefined): PlatformRefusal {
  const answeredAt = new Date(response.headers.get('date') ?? '');
  const wait = retryAfterMs(response.headers.get('retry-after'), answeredAt);
  return new PlatformRefusal(response.status, type, description ?? type, wait);
}

/** Lets the library's calls go through the one door out, with its limits; `path` is below the server's address. */
async function viaHttpClient(http: HttpClient, path: string, request: oauth.CustomFetchOptions): Promise<Response> {
  const method = request.method as HttpRequest['method'];
  const body = request.body instanceof URLSearchParams ? request.body.toString() : undefined;
  const answer = await http.send({
    method,
    path,
    headers: request.headers,
    ...(body === undefined ? {} : { body }),
    ...(isRefresh(request.body) && { timeoutMs: REFRESH_TIMEOUT_MS }),
  });
  const bodyAllowed = answer.status !== 204 && answer.status !== 304;
  return new Response(bodyAllowed ? answer.text : null, { status: answer.status, headers: answer.headers });
}

function isRefresh(body: unknown): boolean {
  return body instanceof URLSearchParams && body.get('grant_type') === 'refresh_token';
}
