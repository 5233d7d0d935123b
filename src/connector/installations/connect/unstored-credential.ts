import { AuthorizationLost } from '../../platform/platform-error.js';
import type { ApiKey, PlatformAuthorization } from '../../platform/platform-http.js';
import type { TokenSet } from '../../../foundation/http/oauth/oauth-client.js';

/** Authorizes requests with tokens that no installation has stored: they are never refreshed. */
export function unstoredTokens({ accessToken }: Pick<TokenSet, 'accessToken'>): PlatformAuthorization {
  return authorizationWith(accessToken);
}

/** Authorizes requests with an API key that no installation has stored. */
export function unstoredKey(key: ApiKey): PlatformAuthorization {
  return authorizationWith(key);
}

function authorizationWith(credential: string | ApiKey): PlatformAuthorization {
  return {
    accessToken: () => Promise.resolve(credential),
    renewed: () => Promise.reject(new AuthorizationLost('the platform does not accept the credential')),
  };
}
