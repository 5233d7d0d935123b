// What production is not started with: defaults of a developer's machine, publicly known keys, and secrets that would
// cross the internet readable (I40, S36).
type Environment = Readonly<Record<string, string | undefined>>;

/** Settings without a default in production, since their default is for a developer's machine. */
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
const KNOWN_SECRETS = ['PLATFORM_CLIENT_SECRET'] as const;
/** One key opens every company of the sandbox's ledger: there it would prove nothing whose company it is (S76). */
const OF_THE_SANDBOX = [
  'LEDGER_URL',
  'LEDGER_API_KEY',
  'LEDGER_LEVEL',
  'LEDGER_KEY_LIFE_SECONDS',
  'LEDGER_SEARCH_LAG_SECONDS',
] as const;
/** With them an attacker in a program could read and change every tenant's rows; only the migration step is the owner. */
const OF_THE_OWNER = ['POSTGRES_PASSWORD', 'PGPASSWORD'] as const;
const KNOWN = /^(development-|change-?me|example|password|secret)/i;
const KEY_BYTES = 32;
/** 32 random bytes have about 30 different ones, and hardly ever fewer than 24. */
const MIN_DISTINCT_BYTES = 16;
/** Sixteen random hexadecimal digits have about ten different ones. */
const MIN_DISTINCT_CHARACTERS = 6;

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
    ...(set['OPERATOR_TOKEN'] === undefined
      ? []
      : ['OPERATOR_TOKEN: is for the sandbox; give everybody who operates a token with a name (operator add <name>)']),
    ...KNOWN_SECRETS.filter((name) => KNOWN.test(set[name] ?? '')).map(
      (name) => `${name}: is one that everybody knows`,
    ),
    ...KNOWN_SECRETS.filter((name) => isRepetitive(set[name])).map(
      (name) => `${name}: is too regular to be a secret (openssl rand -hex 32)`,
    ),
    ...keyProblems(set['CREDENTIAL_KEYS'] ?? ''),
    ...(new RegExp(`(^|,)\\s*${DEVELOPMENT_KEY_ID}:`).test(set['CREDENTIAL_KEYS'] ?? '')
      ? ['CREDENTIAL_KEYS: the generated development key is not for production']
      : []),
    ...OF_THE_OWNER.filter((name) => set[name] !== undefined).map(
      (name) =>
        `${name}: the password of the database's owner does not belong here; give DATABASE_URL with a login of its own, and DATABASE_PASSWORD_FILE`,
    ),
    ...databaseProblems(set),
    ...(set['NODE_TLS_REJECT_UNAUTHORIZED'] === '0'
      ? ['NODE_TLS_REJECT_UNAUTHORIZED: certificates have to be checked in production']
      : []),
  ];
}

/** Keys of zeros or of one repeated text encrypt nothing; their form is checked where they are read. */
function keyProblems(keys: string): readonly string[] {
  return keys.split(',').flatMap((entry) => {
    const [id = '', encoded = ''] = entry.trim().split(':');
    const bytes = Buffer.from(encoded, 'base64');
    return bytes.length === KEY_BYTES && new Set(bytes).size < MIN_DISTINCT_BYTES
      ? [`CREDENTIAL_KEYS: key "${id}" is too regular to be random (openssl rand -base64 32)`]
      : [];
  });
}

function isRepetitive(secret: string | undefined): boolean {
  return secret !== undefined && new Set(secret).size < MIN_DISTINCT_CHARACTERS;
}

/** Rows and credentials cross the network readable, or to a server that claims to be the database, unless TLS is checked. */
function databaseProblems(set: Environment): readonly string[] {
  return ['DATABASE_URL', 'DATABASE_DIRECT_URL'].flatMap((name) => {
    const address = set[name];
    const url = address?.startsWith('postgres') === true ? URL.parse(address) : null;
    return url === null || set['DATABASE_NETWORK'] === 'private' || url.searchParams.get('sslmode') === 'verify-full'
      ? []
      : [
          `${name}: needs sslmode=verify-full in production (with sslrootcert=<file> for a certificate authority of your own); DATABASE_NETWORK=private says that nobody else is on the way`,
        ];
  });
}
