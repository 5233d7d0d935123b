// The platform's authorization server: code flow with PKCE and refresh (P3.1).
import { z } from 'zod';
import type { HttpClient } from '../../foundation/http/client/http-client.js';
import type { Secret } from '../../foundation/config/secret.js';
import {
  OAuthClient,
  type OAuthErrors,
  type TokenResponse,
  type TokenSet,
} from '../../foundation/http/oauth/oauth-client.js';
import { AuthorizationLost, IncompleteGrant, InvalidPlatformResponse, PlatformRefusal } from './platform-error.js';
import type { ServerMetadata } from './server-metadata.js';

export interface PlatformOAuthOptions {
  readonly authUrl: string;
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: Secret;
  /** Our callback, letter by letter as registered with the platform. */
  readonly redirectUri: string;
}

/** Who a token was given by, as the platform says. */
export interface TokenPerson {
  /** Never changes. */
  readonly subject: string;
  /** For people to read; undefined where the platform gives none. */
  readonly name: string | undefined;
  /** Mail address; undefined where the platform gives none. */
  readonly mail?: string | undefined;
}

/** What an authorization is asked for: to act for a company from now on, or only to learn who is there. */
export type AuthorizationPurpose =
  | 'connect'
  | 'sign-in'
  /** For what needs a recent sign-in: the platform must authenticate again anyone whose last authentication is too old. */
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

/** Enough to see the companies that a person may sign in to. */
const SIGN_IN_SCOPES = ['companies:read'];

/** RFC 7662 §2.2, where `sub` is optional; `username` is what the platform would show of a person. */
const personSchema = z.object({
  active: z.literal(true),
  sub: z
    .string()
    .regex(/^[\x21-\x7e]{1,255}$/)
    .optional(),
  username: z.string().trim().min(1).max(255).optional().catch(undefined),
  // A member of OpenID Connect, which an introspection may have as well (RFC 7662 §2.2).
  email: z.email().max(320).optional().catch(undefined),
});

/** @param granted separated by blanks, as the platform writes them */
export function missingScopes(granted: string): readonly string[] {
  const given = new Set(granted.split(' '));
  return REQUIRED_SCOPES.filter((scope) => !given.has(scope));
}

const ERRORS: OAuthErrors = {
  lost: (cause) => new AuthorizationLost('the platform says the authorization is no longer valid', { cause }),
  refused: (status, type, message, waitMs) => new PlatformRefusal(status, type, message, waitMs),
  broken: (message, cause) => new InvalidPlatformResponse(message, { cause }),
};

export class PlatformOAuth {
  private readonly client: OAuthClient;

  constructor({ authUrl, ...options }: PlatformOAuthOptions, http: HttpClient, metadata?: ServerMetadata) {
    const endpoints = {
      serverUrl: authUrl,
      authorizationEndpoint: `${authUrl}/oauth/authorize`,
      tokenEndpoint: `${authUrl}/oauth/token`,
      introspectionEndpoint: `${authUrl}/oauth/token/introspect`,
    };
    const announcesIssuer = async () => (await metadata?.announcesIssuer()) === true;
    this.client = new OAuthClient({ ...options, ...endpoints, announcesIssuer, authentication: 'post' }, http, ERRORS);
  }

  /** A fresh `state` and PKCE verifier, 256 bits each. */
  newAttempt(): { readonly state: string; readonly codeVerifier: string } {
    return OAuthClient.newAttempt();
  }

  /** Where the person's browser goes to consent. */
  async authorizationUrl(state: string, codeVerifier: string, purpose: AuthorizationPurpose): Promise<URL> {
    const scopes = purpose === 'connect' ? [...REQUIRED_SCOPES, ...REFERENCE_DATA_SCOPES] : SIGN_IN_SCOPES;
    const more = purpose === 'sign-in-again' ? { max_age: RECENT_SECONDS.toString() } : {};
    return this.client.authorizationUrl(state, codeVerifier, scopes, more);
  }

  /**
   * Exchanges the code of a callback.
   * @param query of the callback; `state` and `iss` are checked again here; `iss` is demanded of a server that announces it
   * @throws PlatformRefusal when the server says no, IncompleteGrant when it gives less than is needed, InvalidPlatformResponse
   *   when the grant is unusable, NoResponse
   */
  async exchangeCode(query: URLSearchParams, state: string, codeVerifier: string): Promise<TokenSet> {
    return this.completeTokensOf(await this.client.exchangeCode(query, state, codeVerifier));
  }

  /** As `exchangeCode`, for a person who only signs in. */
  async exchangeSignInCode(query: URLSearchParams, state: string, codeVerifier: string): Promise<SignInGrant> {
    const { accessToken, authenticatedAt } = await this.client.exchangeCode(query, state, codeVerifier);
    return { accessToken: this.client.usableToken(accessToken), authenticatedAt };
  }

  /**
   * Introspects an access token (RFC 7662).
   * @returns undefined when the platform names no person
   * @throws PlatformRefusal, InvalidPlatformResponse when the response is unusable, NoResponse
   */
  async personOf(accessToken: string): Promise<TokenPerson | undefined> {
    const person = personSchema.safeParse(await this.client.introspect(accessToken));
    if (!person.success) {
      throw new InvalidPlatformResponse('the authorization server gave no usable answer about its own token');
    }
    const { sub: subject, username: name, email: mail } = person.data;
    return subject === undefined ? undefined : { subject, name, ...(mail !== undefined && { mail }) };
  }

  /**
   * Uses a refresh token, once. Tokens with fewer scopes count as well: the old ones are used up.
   * @throws AuthorizationLost when the server says the grant is dead; PlatformRefusal, InvalidPlatformResponse, NoResponse
   */
  async refresh(refreshToken: string): Promise<TokenSet> {
    return this.tokensOf(await this.client.refresh(refreshToken));
  }

  private completeTokensOf(response: TokenResponse): TokenSet {
    const missing = response.scope === undefined ? [] : missingScopes(response.scope);
    if (missing.length > 0) {
      throw new IncompleteGrant(`the authorization lacks the scopes ${missing.join(', ')}`, missing);
    }
    return this.tokensOf(response);
  }

  private tokensOf(response: TokenResponse): TokenSet {
    if (response.refreshToken === undefined) {
      throw new IncompleteGrant('the authorization server gave no refresh token', []);
    }
    return this.client.tokensOf(response, response.refreshToken);
  }
}
