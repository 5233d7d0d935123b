// The authorization servers of ERPs: where they are, and what the connector is registered as there.
import { z } from 'zod';
import { HttpClient } from '../../../foundation/http/client/http-client.js';
import { isPublicHost } from '../../../foundation/http/client/public-hosts.js';
import { OAuthClient, type OAuthErrors, type TokenResponse } from '../../../foundation/http/oauth/oauth-client.js';
import type { TokenSet } from '../../../foundation/http/oauth/oauth-client.js';
import type { ErpDefinition, ErpOAuth, ErpOAuthServer, ErpSettings } from '../../erp/kit/define-erp.js';
import { parseJson } from '../../erp/kit/erp-http.js';
import { AuthorizationLost } from '../../platform/platform-error.js';
import type { ErpRegistrations } from './erp-client-variables.js';

export interface ErpOAuthOptions {
  /** By kind, as its variables are named: upper case, with underscores. */
  readonly registrations: ErpRegistrations;
  readonly redirectUri: string;
  /** Whether authorization servers may be hosts of the internet only. */
  readonly publicHostsOnly: boolean;
}

/** The authorization server gave no tokens, or cannot be used. `status` is 0 where it did not say no itself. */
export class ErpSignInFailed extends Error {
  constructor(
    message: string,
    readonly status = 0,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'ErpSignInFailed';
  }
}

interface Endpoints {
  readonly issuer: string;
  readonly authorizationEndpoint: string;
  readonly tokenEndpoint: string;
  /** Whether every callback names it (RFC 9207 §3). */
  readonly isAnnounced: boolean;
}

const TIMEOUT_MS = 20_000;
const MAX_RESPONSE_BYTES = 256 * 1_024;
const METADATA = ['/.well-known/openid-configuration', '/.well-known/oauth-authorization-server'];
const metadataSchema = z.object({
  issuer: z.string(),
  authorization_endpoint: z.url({ protocol: /^https?$/ }),
  token_endpoint: z.url({ protocol: /^https?$/ }),
  authorization_response_iss_parameter_supported: z.boolean().default(false),
});

const ERRORS: OAuthErrors = {
  lost: (cause) => new AuthorizationLost('the accounting system says the authorization is no longer valid', { cause }),
  refused: (status, type, message) => new ErpSignInFailed(`${message} (${type})`, status),
  broken: (message, cause) => new ErpSignInFailed(message, 0, { cause }),
};

export class ErpOAuthServers {
  constructor(private readonly options: ErpOAuthOptions) {}

  /** How connections with these settings sign in at the ERP. @returns undefined where the settings have the credentials */
  serverOf({ connection: { auth } }: ErpDefinition, settings: ErpSettings): ErpOAuthServer | undefined {
    return auth?.server(settings);
  }

  isRegistered({ id }: ErpDefinition): boolean {
    return this.options.registrations.has(variableOf(id));
  }

  newAttempt(): { readonly state: string; readonly codeVerifier: string } {
    return OAuthClient.newAttempt();
  }

  /** @returns where the person's browser goes @throws ErpSignInFailed, NoResponse */
  async signInUrl(
    definition: ErpDefinition,
    settings: ErpSettings,
    attempt: { readonly state: string; readonly codeVerifier: string },
  ): Promise<string> {
    return this.withClient(definition, settings, async (client, { scopes, parameters }) =>
      (await client.authorizationUrl(attempt.state, attempt.codeVerifier, scopes, parameters)).toString(),
    );
  }

  /** @param query of the callback @throws ErpSignInFailed, AuthorizationLost for a code that is not valid, NoResponse */
  async exchangeCode(
    definition: ErpDefinition,
    settings: ErpSettings,
    query: URLSearchParams,
    codeVerifier: string,
  ): Promise<TokenSet> {
    return this.withClient(definition, settings, async (client) =>
      tokensOf(client, await client.exchangeCode(query, query.get('state') ?? '', codeVerifier)),
    );
  }

  /** @throws AuthorizationLost when the grant is dead, ErpSignInFailed, NoResponse */
  async refresh(definition: ErpDefinition, settings: ErpSettings, refreshToken: string): Promise<TokenSet> {
    return this.withClient(definition, settings, async (client) =>
      tokensOf(client, await client.refresh(refreshToken)),
    );
  }

  private async withClient<T>(
    definition: ErpDefinition,
    settings: ErpSettings,
    use: (client: OAuthClient, auth: ErpOAuth) => Promise<T>,
  ): Promise<T> {
    const { auth } = definition.connection;
    const server = auth?.server(settings);
    const registration = this.options.registrations.get(variableOf(definition.id));
    if (auth === undefined || server === undefined || registration === undefined) {
      throw new ErpSignInFailed('this deployment is not registered with the accounting system');
    }
    const endpoints =
      'tokenEndpoint' in server
        ? { issuer: originOf(server.tokenEndpoint), isAnnounced: false, ...server }
        : await this.discover(server);
    const { tokenEndpoint, isAnnounced, ...rest } = endpoints;
    // A browser is sent there with our client id: to no inner address of the customer's network either.
    this.assertUsable(rest.authorizationEndpoint);
    const serverUrl = originOf(tokenEndpoint);
    const { servers, ...client } = registration;
    // A customer's settings may name the server, and the client's secret is that of all customers (S41).
    if (servers?.includes(serverUrl) === false) {
      throw new ErpSignInFailed(`this deployment is not registered with the authorization server at ${serverUrl}`);
    }
    return this.withHttp(serverUrl, (http) =>
      use(
        new OAuthClient(
          {
            ...rest,
            ...client,
            tokenEndpoint,
            serverUrl,
            authentication: auth.clientAuthentication,
            redirectUri: this.options.redirectUri,
            announcesIssuer: () => Promise.resolve(isAnnounced),
          },
          http,
          ERRORS,
        ),
        auth,
      ),
    );
  }

  private async discover({ issuer }: { readonly issuer: string }): Promise<Endpoints> {
    const base = issuer.replace(/\/+$/, '');
    for (const path of METADATA) {
      const { status, text } = await this.withHttp(base, (http) => http.send({ method: 'GET', path }));
      const found = status === 200 ? metadataSchema.safeParse(parseJson(text)) : undefined;
      // Another issuer's metadata must not name the endpoints (RFC 8414 §3.3).
      if (found?.success === true && found.data.issuer.replace(/\/+$/, '') === base) {
        const {
          issuer: named,
          authorization_endpoint: authorizationEndpoint,
          token_endpoint: tokenEndpoint,
        } = found.data;
        const isAnnounced = found.data.authorization_response_iss_parameter_supported;
        return { issuer: named, authorizationEndpoint, tokenEndpoint, isAnnounced };
      }
    }
    throw new ErpSignInFailed('the accounting system does not say where people sign in');
  }

  private assertUsable(address: string): void {
    const url = new URL(address);
    if (this.options.publicHostsOnly && (url.protocol !== 'https:' || !isPublicHost(url))) {
      throw new ErpSignInFailed('the address where people sign in is no https address of the internet');
    }
  }

  private async withHttp<T>(baseUrl: string, use: (http: HttpClient) => Promise<T>): Promise<T> {
    const http = new HttpClient({
      baseUrl,
      peer: 'erp-authorization',
      timeoutMs: TIMEOUT_MS,
      maxResponseBytes: MAX_RESPONSE_BYTES,
      maxConnections: 1,
      publicHostsOnly: this.options.publicHostsOnly,
    });
    try {
      return await use(http);
    } finally {
      http.close();
    }
  }
}

/** The part of the variables' names that says the kind. */
export function variableOf(kind: string): string {
  return kind.toUpperCase().replaceAll('-', '_');
}

function originOf(address: string): string {
  return new URL(address).origin;
}

function tokensOf(client: OAuthClient, response: TokenResponse): TokenSet {
  if (response.refreshToken === undefined) {
    throw new ErpSignInFailed(
      'the accounting system gave no refresh token, without which exports would end within the hour',
    );
  }
  return client.tokensOf(response, response.refreshToken);
}
