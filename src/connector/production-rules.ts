// What production is not started with: defaults of a developer's machine, keys that everybody knows, and secrets that would
// cross the internet readable (I40, S36).
type Environment = Readonly<Record<string, string | undefined>>;

/** What production must be told, because its default belongs to a developer's machine. */
const REQUIRED = [
  'DATABASE_URL',
  'PUBLIC_URL',
  'PLATFORM_API_URL',
  'PLATFORM_AUTH_URL',
  'PLATFORM_CLIENT_ID',
  'PLATFORM_CLIENT_SECRET',
  'CREDENTIAL_KEYS',
] as const;
const HTTPS = ['PUBLIC_URL', 'PLATFORM_API_URL', 'PLATFORM_AUTH_URL', 'PLATFORM_ISSUER'] as const;

export const DEVELOPMENT_CLIENT_SECRET = 'development-client-secret';
export const DEVELOPMENT_LEDGER_KEY = 'development-ledger-key';
/** Id of the generated key under `.data/`. */
export const DEVELOPMENT_KEY_ID = 'development';
const KNOWN_SECRETS = ['PLATFORM_CLIENT_SECRET', 'OPERATOR_TOKEN'] as const;
/** One key opens every company of the sandbox's ledger: there it would prove nothing whose company it is (S76). */
const OF_THE_SANDBOX = [
  'LEDGER_URL',
  'LEDGER_API_KEY',
  'LEDGER_LEVEL',
  'LEDGER_KEY_LIFE_SECONDS',
  'LEDGER_SEARCH_LAG_SECONDS',
] as const;
const KNOWN = /^(development-|change-?me|example|password|secret)/i;

/** @returns a sentence per problem; none outside production */
export function productionProblems(set: Environment): readonly string[] {
  if (set['NODE_ENV'] !== 'production') {
    return [];
  }
  return [
    ...REQUIRED.filter((name) => set[name] === undefined).map((name) => `${name}: is required in production`),
    ...HTTPS.filter((name) => set[name]?.startsWith('http://')).map((name) => `${name}: needs https in production`),
    ...OF_THE_SANDBOX.filter((name) => set[name] !== undefined).map(
      (name) => `${name}: the ledger is for the sandbox; connect each company's accounting system in its settings`,
    ),
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
