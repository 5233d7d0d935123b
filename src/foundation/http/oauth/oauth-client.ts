// One authorization server as its client sees it: code flow with PKCE, refresh and introspection, spoken by openid-client.
import * as oauth from 'openid-client';
import type { Secret } from '../../config/secret.js';
import { NoResponse, type HttpClient, type HttpRequest } from '../client/http-client.js';
import { retryAfterMs } from '../client/retry-after.js';

export interface OAuthClientOptions {
  readonly issuer: string;
  readonly authorizationEndpoint: string;
  /** Base address of the HTTP client; the endpoints of tokens and of introspection are below it. */
  readonly serverUrl: string;
  readonly tokenEndpoint: string;
  readonly introspectionEndpoint?: string;
  readonly clientId: string;
  /** Undefined: a public client, which has none. */
  readonly clientSecret: Secret | undefined;
  /** Where the secret stands in a request to the token endpoint: in the header, or in the form. */
  readonly authentication: 'basic' | 'post';
  /** Our callback, letter by letter as registered there. */
  readonly redirectUri: string;
  /** Whether every callback names its issuer (RFC 9207 §3): then one without is refused. */
  announcesIssuer(): Promise<boolean>;
}

export interface TokenSet {
  readonly accessToken: string;
  readonly refreshToken: string;
  /** Seconds from now. */
  readonly expiresInSeconds: number;
}

/** Each way in which an authorization server fails, as the caller's own errors. */
export interface OAuthErrors {
  /** The grant is dead. */
  lost(cause: unknown): Error;
  /** It has refused. @param type its own code. @param waitMs the wait it asks for */
  refused(status: number, type: string, message: string, waitMs: number | undefined): Error;
  /** It has said what its protocol does not allow. */
  broken(message: string, cause?: unknown): Error;
}

/** What the token endpoint has responded with, not judged yet. */
export interface TokenResponse {
  readonly accessToken: string;
  readonly refreshToken: string | undefined;
  /** Separated by blanks; undefined: those that were requested. */
  readonly scope: string | undefined;
  readonly expiresInSeconds: number | undefined;
  /** When the person was last authenticated; undefined where no ID token says so. */
  readonly authenticatedAt: Date | undefined;
}

/**
 * Of a refresh: a late response still brings the tokens, and the old one may be used up. Longer than this is never waited;
 * the current access token is used meanwhile.
 */
const REFRESH_TIMEOUT_MS = 300_000;
/** When the server does not say: short enough to be safe. */
const ASSUMED_LIFETIME_SECONDS = 300;
/** No token is used for longer: some servers give one for months. */
const MAX_USE_SECONDS = 86_400 * 30;
/** Ten years: more is a mistake of the server. */
const MAX_LIFETIME_SECONDS = 86_400 * 3_653;

/** Besides the errors of its options everything here throws NoResponse. */
export class OAuthClient {
  private readonly configuration: oauth.Configuration;
  /** The same client where only its password in the header is documented. */
  private readonly introspecting: oauth.Configuration;

  /** @param http of the server that has the token endpoint */
  constructor(
    private readonly options: OAuthClientOptions,
    private readonly http: HttpClient,
    private readonly errors: OAuthErrors,
  ) {
    const { clientSecret, authentication } = options;
    const secret = clientSecret?.reveal();
    const inHeader = secret === undefined ? oauth.None() : oauth.ClientSecretBasic(secret);
    const inForm = secret === undefined ? oauth.None() : oauth.ClientSecretPost(secret);
    this.configuration = this.configured(authentication === 'basic' ? inHeader : inForm);
    this.introspecting = this.configured(inHeader);
  }

  /** A fresh `state` and PKCE verifier, 256 bits each. */
  static newAttempt(): { readonly state: string; readonly codeVerifier: string } {
    return { state: oauth.randomState(), codeVerifier: oauth.randomPKCECodeVerifier() };
  }

  /** Where the person's browser goes to consent. @param more parameters that this server wants besides */
  async authorizationUrl(
    state: string,
    codeVerifier: string,
    scopes: readonly string[],
    more: Readonly<Record<string, string>> = {},
  ): Promise<URL> {
    return oauth.buildAuthorizationUrl(this.configuration, {
      ...more,
      redirect_uri: this.options.redirectUri,
      scope: scopes.join(' '),
      state,
      code_challenge: await oauth.calculatePKCECodeChallenge(codeVerifier),
      code_challenge_method: 'S256',
    });
  }

  /** Exchanges the code of a callback. @param query of the callback; `state` and, when present, `iss` are checked again here */
  async exchangeCode(query: URLSearchParams, state: string, codeVerifier: string): Promise<TokenResponse> {
    const issuer = query.get('iss');
    const isMissing = issuer === null && (await this.options.announcesIssuer());
    if (isMissing || (issuer !== null && issuer !== this.options.issuer)) {
      // A mix-up: another server's response must not lead our code to it (RFC 9207). Without `iss` it may be one, where ours sends it.
      throw this.errors.refused(400, 'wrong_issuer', 'the callback is of another issuer', undefined);
    }
    const callback = new URL(this.options.redirectUri);
    callback.search = query.toString();
    const checks = { expectedState: state, pkceCodeVerifier: codeVerifier };
    return this.granted(oauth.authorizationCodeGrant(this.configuration, callback, checks));
  }

  /**
   * Uses a refresh token, once. A server that does not rotate may leave it out of its response: then it stays (RFC 6749 §6). A lifetime
   * that cannot be counts as none: the old refresh token may be used up, so the new one must not be lost for it.
   */
  async refresh(refreshToken: string): Promise<TokenResponse> {
    const response = await this.granted(oauth.refreshTokenGrant(this.configuration, refreshToken));
    const { expiresInSeconds = 0 } = response;
    return {
      ...response,
      refreshToken: response.refreshToken ?? refreshToken,
      expiresInSeconds: isLifetime(expiresInSeconds) ? expiresInSeconds : undefined,
    };
  }

  /** Introspects an access token (RFC 7662). */
  async introspect(accessToken: string): Promise<unknown> {
    return oauth.tokenIntrospection(this.introspecting, accessToken).catch((error: unknown) => {
      throw this.errorOf(error);
    });
  }

  /** @throws what `broken` of the options makes, for unusable tokens */
  tokensOf(
    { accessToken, expiresInSeconds = ASSUMED_LIFETIME_SECONDS }: TokenResponse,
    refreshToken: string,
  ): TokenSet {
    if (!isLifetime(expiresInSeconds)) {
      throw this.errors.broken(`the authorization server gave a token for ${expiresInSeconds.toString()} seconds`);
    }
    return {
      accessToken: this.usableToken(accessToken),
      refreshToken: this.usableToken(refreshToken),
      expiresInSeconds: Math.min(expiresInSeconds, MAX_USE_SECONDS),
    };
  }

  usableToken(token: string): string {
    if (!/^[\x21-\x7e]+$/.test(token)) {
      throw this.errors.broken('the authorization server gave no usable token');
    }
    return token;
  }

  private configured(authentication: oauth.ClientAuth): oauth.Configuration {
    const { issuer, clientId, authorizationEndpoint, tokenEndpoint, introspectionEndpoint } = this.options;
    const server: oauth.ServerMetadata = {
      issuer,
      authorization_endpoint: authorizationEndpoint,
      token_endpoint: tokenEndpoint,
      ...(introspectionEndpoint !== undefined && { introspection_endpoint: introspectionEndpoint }),
    };
    const configuration = new oauth.Configuration(server, clientId, undefined, authentication);
    configuration[oauth.customFetch] = (url, request) =>
      viaHttpClient(this.http, url.slice(this.options.serverUrl.length), request);
    if (tokenEndpoint.startsWith('http://')) {
      // Production refuses such an address before; on a developer's machine everything is loopback.
      oauth.allowInsecureRequests(configuration);
    }
    return configuration;
  }

  private async granted(
    asking: Promise<oauth.TokenEndpointResponse & oauth.TokenEndpointResponseHelpers>,
  ): Promise<TokenResponse> {
    const response = await asking.catch((error: unknown) => {
      throw this.errorOf(error);
    });
    const { access_token: accessToken, refresh_token: refreshToken, scope } = response;
    const authTime = response.claims()?.auth_time;
    const authenticatedAt = authTime === undefined ? undefined : new Date(authTime * 1_000);
    return { accessToken, refreshToken, scope, expiresInSeconds: response.expiresIn(), authenticatedAt };
  }

  /** Distinguishes a refusal, a fault and a dead grant, for which the library has several classes each. */
  private errorOf(error: unknown): unknown {
    if (error instanceof oauth.ResponseBodyError) {
      return error.error === 'invalid_grant'
        ? this.errors.lost(error)
        : this.refusalOf(error.response, error.error, error.error_description);
    }
    if (error instanceof oauth.AuthorizationResponseError) {
      return this.errors.refused(400, error.error, error.error_description ?? error.error, undefined);
    }
    if (error instanceof oauth.WWWAuthenticateChallengeError) {
      return this.refusalOf(error.response, 'invalid_client', 'the client’s credentials are not accepted');
    }
    if (!(error instanceof oauth.ClientError)) {
      return error;
    }
    if (error.cause instanceof NoResponse) {
      return error.cause;
    }
    return error.cause instanceof Response && error.cause.status >= 500
      ? this.refusalOf(error.cause, 'server_error', undefined)
      : this.errors.broken(`the authorization server broke the protocol: ${error.message}`, error);
  }

  private refusalOf(response: Response, type: string, description: string | undefined): Error {
    const answeredAt = new Date(response.headers.get('date') ?? '');
    const waitMs = retryAfterMs(response.headers.get('retry-after'), answeredAt);
    return this.errors.refused(response.status, type, description ?? type, waitMs);
  }
}

function isLifetime(seconds: number): boolean {
  return seconds > 0 && seconds <= MAX_LIFETIME_SECONDS;
}

/** A Response cannot be made of one of these and a body, not even an empty one. */
const NULL_BODY_STATUSES = [204, 205, 304];

/** Lets the library's calls go through the one door out, with its limits; `path` is below the server's address. */
async function viaHttpClient(http: HttpClient, path: string, request: oauth.CustomFetchOptions): Promise<Response> {
  const method = request.method as HttpRequest['method'];
  const body = request.body instanceof URLSearchParams ? request.body.toString() : undefined;
  const response = await http.send({
    method,
    path,
    headers: request.headers,
    ...(body === undefined ? {} : { body }),
    ...(isRefresh(request.body) && { timeoutMs: REFRESH_TIMEOUT_MS }),
  });
  const isBodyAllowed = !NULL_BODY_STATUSES.includes(response.status);
  const text = isGrant(request.body) && response.status === 200 ? completed(response.text) : response.text;
  return new Response(isBodyAllowed ? text : null, { status: response.status, headers: response.headers });
}

function isRefresh(body: unknown): boolean {
  return body instanceof URLSearchParams && body.get('grant_type') === 'refresh_token';
}

function isGrant(body: unknown): boolean {
  return body instanceof URLSearchParams && body.has('grant_type');
}

/**
 * A grant without members that are null, and of the type Bearer where it says none: the library refuses such a grant as a whole, and
 * with it would be lost the refresh token that has taken the place of the used one.
 */
function completed(text: string): string {
  try {
    const grant: unknown = JSON.parse(text);
    const given = Object.entries(grant as object).filter(([, value]) => value !== null);
    return Array.isArray(grant) ? text : JSON.stringify({ token_type: 'Bearer', ...Object.fromEntries(given) });
  } catch {
    return text;
  }
}
