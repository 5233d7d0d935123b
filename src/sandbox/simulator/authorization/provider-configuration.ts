import { errors, type Configuration, type JWTStructured, type KoaContextWithOIDC } from 'oidc-provider';
import type { SimulatorClock } from '../clock/simulator-clock.js';
import { SIGNING_ALGORITHM, type ServerKeys } from './server-keys.js';
import type { OAuthRecordAdapters } from './oauth-record.adapter.js';
import { errorPage } from './authorization.pages.js';

const ACCESS_TOKEN_SECONDS = 15 * 60;
const REFRESH_TOKEN_SECONDS = 60 * 86_400;
const CONSENT_SECONDS = 3_650 * 86_400;
const INTERACTION_SECONDS = 3_600;
const CODE_SECONDS = 60;

export interface ProviderParts {
  readonly adapters: OAuthRecordAdapters;
  readonly clock: SimulatorClock;
  readonly keys: ServerKeys;
  /** Audience of access tokens: the Integration API. */
  readonly resource: string;
  /** The claims of an access token about its consent. */
  readonly claimsOf: (grantId: string) => Promise<Readonly<Record<string, string>>>;
  /** Whether a refresh gives a new refresh token. */
  readonly rotates: () => Promise<boolean>;
  readonly scopesOf: (clientId: string) => Promise<readonly string[]>;
}

/** The rules of P3.1 in the library's words. */
export function providerConfiguration(parts: ProviderParts): Configuration {
  return {
    adapter: (model: string) => parts.adapters.create(model),
    jwks: { keys: [parts.keys.jwk] },
    cookies: { keys: [parts.keys.cookieKey], short: { sameSite: 'lax' }, long: { sameSite: 'lax' } },
    clientDefaults: { id_token_signed_response_alg: SIGNING_ALGORITHM },
    enabledJWA: {
      idTokenSigningAlgValues: [SIGNING_ALGORITHM],
    },
    // Scopes of the API belong to the resource server below; if they were named here as well, consent would never end.
    scopes: [],
    responseTypes: ['code'],
    clientAuthMethods: ['client_secret_basic', 'client_secret_post'],
    pkce: { required: () => true },
    rotateRefreshToken: parts.rotates,
    issueRefreshToken: () => true,
    expiresWithSession: () => false,
    routes: {
      authorization: '/oauth/authorize',
      token: '/oauth/token',
      jwks: '/oauth/jwks',
    },
    discovery: { introspection_endpoint: `${parts.resource}/oauth/token/introspect` },
    interactions: { url: (_context, interaction) => `/oauth/interaction/${interaction.uid}` },
    ttl: {
      AuthorizationCode: CODE_SECONDS,
      AccessToken: ACCESS_TOKEN_SECONDS,
      RefreshToken: REFRESH_TOKEN_SECONDS,
      Grant: CONSENT_SECONDS,
      Interaction: INTERACTION_SECONDS,
      Session: INTERACTION_SECONDS,
    },
    findAccount: (_context, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
    loadExistingGrant: consentOfThisRequest,
    extraTokenClaims: async (_context, token) =>
      'grantId' in token && typeof token.grantId === 'string' ? parts.claimsOf(token.grantId) : undefined,
    formats: {
      customizers: {
        jwt: (_context, _token, jwt) => {
          inSimulatorTime(parts, jwt);
        },
      },
    },
    features: features(parts),
    renderError: (context, out) => {
      context.type = 'html';
      context.body = errorPage(out.error, out.error_description ?? '');
    },
  };
}

function features(parts: ProviderParts): Configuration['features'] {
  return {
    devInteractions: { enabled: false },
    userinfo: { enabled: false },
    // On by default, and announced to clients: the one is not served, and tokens bound by the other would be refused as Bearer.
    pushedAuthorizationRequests: { enabled: false },
    dPoP: { enabled: false },
    rpInitiatedLogout: { enabled: false },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => parts.resource,
      useGrantedResource: () => true,
      getResourceServerInfo: async (context, _resource, client) => {
        const scopes = await parts.scopesOf(client.clientId);
        assertKnownScopes(context, scopes);
        return {
          scope: scopes.join(' '),
          audience: parts.resource,
          accessTokenFormat: 'jwt',
          accessTokenTTL: ACCESS_TOKEN_SECONDS,
          jwt: { sign: { alg: SIGNING_ALGORITHM } },
        };
      },
    },
  };
}

/** The library dates tokens by the computer's clock; tokens that leave the simulator show the simulator's time. */
function inSimulatorTime(parts: ProviderParts, jwt: JWTStructured): void {
  const offset = parts.clock.offsetSeconds;
  const { exp, iat } = jwt.payload;
  jwt.payload = { ...jwt.payload, exp: Number(exp) + offset, iat: Number(iat) + offset };
}

/**
 * The library leaves out scopes it does not know; the person's app should learn of them.
 * @throws InvalidScope at the authorization endpoint
 */
function assertKnownScopes(context: KoaContextWithOIDC, scopes: readonly string[]): void {
  const unknown = [...context.oidc.requestParamScopes].filter((scope) => !scopes.includes(scope));
  if (context.oidc.route === 'authorization' && unknown.length > 0) {
    throw new errors.InvalidScope('the application is not registered for a requested scope', unknown.join(' '));
  }
}

/** A consent counts for the request it was given in only: each connection asks the person again. */
async function consentOfThisRequest(context: KoaContextWithOIDC) {
  const grantId = context.oidc.result?.consent?.grantId;
  return grantId === undefined ? undefined : context.oidc.provider.Grant.find(grantId);
}
