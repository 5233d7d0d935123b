// What production is not started with: defaults of a developer's machine, keys that everybody knows, and secrets that would
// cross the internet readable (I40, S36).
import { isPublicHost } from '../foundation/http/client/public-hosts.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** What production must be told, because its default belongs to a developer's machine. */
const REQUIRED = [
  'DATABASE_URL',
  'PUBLIC_URL',
  'PLATFORM_API_URL',
  'PLATFORM_AUTH_URL',
  'PLATFORM_CLIENT_ID',
  'PLATFORM_CLIENT_SECRET',
  'LEDGER_URL',
  'LEDGER_API_KEY',
  'CREDENTIAL_KEYS',
] as const;
const HTTPS = ['PUBLIC_URL', 'PLATFORM_API_URL', 'PLATFORM_AUTH_URL', 'PLATFORM_ISSUER'] as const;

export const DEVELOPMENT_CLIENT_SECRET = 'development-client-secret';
export const DEVELOPMENT_LEDGER_KEY = 'development-ledger-key';
/** Id of the generated key under `.data/`. */
export const DEVELOPMENT_KEY_ID = 'development';
const KNOWN_SECRETS = ['PLATFORM_CLIENT_SECRET', 'LEDGER_API_KEY', 'OPERATOR_TOKEN'] as const;
const KNOWN = /^(development-|change-?me|example|password|secret)/i;

/** @returns a sentence per problem; none outside production */
export function productionProblems(set: Environment): readonly string[] {
  if (set['NODE_ENV'] !== 'production') {
    return [];
  }
  return [
    ...REQUIRED.filter((name) => set[name] === undefined).map((name) => `${name}: is required in production`),
    ...HTTPS.filter((name) => set[name]?.startsWith('http://')).map((name) => `${name}: needs https in production`),
    ...(isReadableOutside(set['LEDGER_URL']) ? ['LEDGER_URL: needs https to a host of the internet'] : []),
    ...KNOWN_SECRETS.filter((name) => KNOWN.test(set[name] ?? '')).map(
      (name) => `${name}: is one that everybody knows`,
    ),
    ...(new RegExp(`(^|,)\\s*${DEVELOPMENT_KEY_ID}:`).test(set['CREDENTIAL_KEYS'] ?? '')
      ? ['CREDENTIAL_KEYS: the generated development key is not for production']
      : []),
    ...(set['NODE_TLS_REJECT_UNAUTHORIZED'] === '0'
      ? ['NODE_TLS_REJECT_UNAUTHORIZED: certificates have to be checked in production']
      : []),
  ];
}

/** Within one's own network the ledger may speak http. */
function isReadableOutside(url: string | undefined): boolean {
  return url?.startsWith('http://') === true && URL.canParse(url) && isPublicHost(new URL(url));
}
