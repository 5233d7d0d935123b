import { AuthorizationLost } from '../../platform/platform-error.js';
import type { ApiKey, PlatformAuthorization } from '../../platform/platform-http.js';
import type { TokenSet } from '../../platform/platform-oauth.js';

/** Acts with a fresh grant before it belongs to an installation: it is used as it is, never refreshed. */
export function unstoredTokens({ accessToken }: Pick<TokenSet, 'accessToken'>): PlatformAuthorization {
  return authorizationWith(accessToken);
}

/** Acts with an API key that is still to be verified. */
export function unstoredKey(key: ApiKey): PlatformAuthorization {
  return authorizationWith(key);
}

function authorizationWith(credential: string | ApiKey): PlatformAuthorization {
  return {
    accessToken: () => Promise.resolve(credential),
    renewed: () => Promise.reject(new AuthorizationLost('the platform does not accept the credential')),
  };
}
