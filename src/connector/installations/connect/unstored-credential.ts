import { AuthorisationLost } from '../../platform/platform-error.js';
import type { ApiKey, PlatformAuthorisation } from '../../platform/platform-http.js';
import type { TokenSet } from '../../platform/platform-oauth.js';

/** Acts with a fresh grant before it belongs to an installation: it is used as it is, never refreshed. */
export function unstoredTokens({ accessToken }: Pick<TokenSet, 'accessToken'>): PlatformAuthorisation {
  return authorisationWith(accessToken);
}

/** Acts with an API key that is still to be verified. */
export function unstoredKey(key: ApiKey): PlatformAuthorisation {
  return authorisationWith(key);
}

function authorisationWith(credential: string | ApiKey): PlatformAuthorisation {
  return {
    accessToken: () => Promise.resolve(credential),
    renewed: () => Promise.reject(new AuthorisationLost('the platform does not accept the credential')),
  };
}
