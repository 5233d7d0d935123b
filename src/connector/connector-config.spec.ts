import { createHash } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { ConfigurationError } from '../foundation/config/load-config.js';
import { loadConnectorConfig } from './connector-config.js';

const KEY = createHash('sha256').update('a key').digest('base64');
const PRODUCTION = {
  NODE_ENV: 'production',
  DATABASE_URL: 'postgres://connector@db/connector?sslmode=verify-full',
  PUBLIC_URL: 'https://connector.example/',
  PLATFORM_API_URL: 'https://platform.example',
  PLATFORM_AUTH_URL: 'https://auth.example',
  PLATFORM_CLIENT_ID: 'client',
  PLATFORM_CLIENT_SECRET: 'a secret of sixteen',
  CREDENTIAL_KEYS: `one:${KEY}`,
};

const OF_THE_SANDBOX = "the ledger is for the sandbox; connect each company's accounting system in its settings";

function problemsOf(environment: Readonly<Record<string, string>>): readonly string[] {
  try {
    loadConnectorConfig(environment);
    return [];
  } catch (error) {
    return error instanceof ConfigurationError ? error.problems : [`another error: ${String(error)}`];
  }
}

describe('the connector’s environment', () => {
  it('requires in production everything that has only a development default', () => {
    expect(problemsOf({ NODE_ENV: 'production' })).toEqual([
      'DATABASE_URL: is required in production',
      'PUBLIC_URL: is required in production',
      'PLATFORM_API_URL: is required in production',
      'PLATFORM_AUTH_URL: is required in production',
      'PLATFORM_CLIENT_ID: is required in production',
      'PLATFORM_CLIENT_SECRET: is required in production',
      'CREDENTIAL_KEYS: is required in production',
    ]);
  });

  it('reports every problem at once, and never a value', () => {
    const problems = problemsOf({
      ...PRODUCTION,
      PORT: 'three thousand',
      DATABASE_URL: 'mysql://secret@db',
      PLATFORM_CLIENT_SECRET: 'short secret',
      PLATFORM_API_URL: 'http://platform.example',
      CREDENTIAL_KEYS: 'one:c2hvcnQ=',
      LEDGER_APIKEY: 'misspelt',
      LOG_LEVEL: 'loud',
    });
    expect(problems).toEqual([
      'DATABASE_URL: needs a postgres:// address',
      'PORT: needs a port number',
      'PLATFORM_CLIENT_SECRET: needs at least 16 characters',
      'CREDENTIAL_KEYS: key "one" has 5 bytes, needs 32 (openssl rand -base64 32)',
      expect.stringContaining('LOG_LEVEL: '),
      'PLATFORM_API_URL: needs https in production',
      'LEDGER_APIKEY: unknown variable',
    ]);
    expect(problems.join()).not.toMatch(/secret@db|short secret|c2hvcnQ/);
  });

  it.each([
    [{ PLATFORM_CLIENT_SECRET: 'development-client-secret' }, 'PLATFORM_CLIENT_SECRET: is one that everybody knows'],
    [
      { OPERATOR_TOKEN: 'a token without a name' },
      'OPERATOR_TOKEN: is for the sandbox; give everybody who operates a token with a name (operator add <name>)',
    ],
    [
      { CREDENTIAL_KEYS: `one:${KEY},development:${KEY}` },
      'CREDENTIAL_KEYS: the generated development key is not for production',
    ],
    ...[Buffer.alloc(32), Buffer.alloc(32, 'abc')].map((key): [Record<string, string>, string] => [
      { CREDENTIAL_KEYS: `one:${KEY},two:${key.toString('base64')}` },
      'CREDENTIAL_KEYS: key "two" is too regular to be random (openssl rand -base64 32)',
    ]),
    [
      { PLATFORM_CLIENT_SECRET: 'x'.repeat(64) },
      'PLATFORM_CLIENT_SECRET: is too regular to be a secret (openssl rand -hex 32)',
    ],
    [{ PUBLIC_URL: 'http://connector.example' }, 'PUBLIC_URL: needs https in production'],
    [{ PLATFORM_API_URL: 'http://platform.example' }, 'PLATFORM_API_URL: needs https in production'],
    [{ PLATFORM_AUTH_URL: 'http://auth.example' }, 'PLATFORM_AUTH_URL: needs https in production'],
    [{ LEDGER_URL: 'https://ledger.example' }, `LEDGER_URL: ${OF_THE_SANDBOX}`],
    [{ LEDGER_API_KEY: 'a key of sixteen letters' }, `LEDGER_API_KEY: ${OF_THE_SANDBOX}`],
    [{ LEDGER_LEVEL: 'E0' }, `LEDGER_LEVEL: ${OF_THE_SANDBOX}`],
    ...['POSTGRES_PASSWORD', 'PGPASSWORD'].map((name): [Record<string, string>, string] => [
      { [name]: 'of the owner' },
      `${name}: the password of the database's owner does not belong here; give DATABASE_URL with a login of its own, and DATABASE_PASSWORD_FILE`,
    ]),
    ...['', '?sslmode=require', '?sslmode=no-verify', '?sslmode=disable'].map(
      (query): [Record<string, string>, string] => [
        { DATABASE_URL: `postgres://connector@db/connector${query}` },
        'DATABASE_URL: needs sslmode=verify-full in production (with sslrootcert=<file> for a certificate authority of your own); DATABASE_NETWORK=private says that nobody else is on the way',
      ],
    ),
    [
      { DATABASE_DIRECT_URL: 'postgres://connector@db/connector' },
      'DATABASE_DIRECT_URL: needs sslmode=verify-full in production (with sslrootcert=<file> for a certificate authority of your own); DATABASE_NETWORK=private says that nobody else is on the way',
    ],
    [
      { NODE_TLS_REJECT_UNAUTHORIZED: '0' },
      'NODE_TLS_REJECT_UNAUTHORIZED: certificates have to be checked in production',
    ],
  ])('does not start production with %j', (environment, problem) => {
    expect(problemsOf({ ...PRODUCTION, ...environment })).toEqual([problem]);
    expect(problemsOf({ ...PRODUCTION, ...environment, NODE_ENV: 'development' })).toEqual([]);
  });

  it.each(['PUBLIC_URL', 'PLATFORM_API_URL', 'PLATFORM_AUTH_URL', 'PLATFORM_ISSUER', 'CONNECTOR_ISSUE_PAGES'])(
    'refuses a user or a password in %s, and says neither',
    (name) => {
      const problem = `${name}: needs an address without user and password: it is logged and shown`;
      for (const credentials of ['anna:hidden', 'anna', ':hidden']) {
        const problems = problemsOf({ ...PRODUCTION, [name]: `https://${credentials}@connector.example` });
        expect(problems).toEqual([problem]);
      }
    },
  );

  it.each(['10.0.0.0/8', '127.0.0.1, ::1', '2001:db8::/32'])('trusts the proxies %s', (proxies) => {
    const config = loadConnectorConfig({ ...PRODUCTION, CONNECTOR_TRUSTED_PROXIES: proxies });
    expect(config.trustedProxies).toEqual(proxies.split(', '));
  });

  it.each(['*', 'loopback', '10.0.0.0/33', '10.0.0/8', '::/129', '10.0.0.1/8/8', '10.0.0.1,'])(
    'does not accept %s as proxies',
    (proxies) => {
      expect(problemsOf({ ...PRODUCTION, CONNECTOR_TRUSTED_PROXIES: proxies })).toEqual([
        'CONNECTOR_TRUSTED_PROXIES: needs IP addresses or networks (10.0.0.0/8), comma between',
      ]);
    },
  );

  it('refuses an unknown environment, which would run without the production rules', () => {
    expect(problemsOf({ ...PRODUCTION, NODE_ENV: 'prod' })).toEqual(['NODE_ENV: needs "production" or "development"']);
  });

  it('suggests the intended name', () => {
    expect(problemsOf({ CREDENTIAL_KEY: 'x' })).toEqual([
      'CREDENTIAL_KEY: unknown variable, did you mean CREDENTIAL_KEYS?',
    ]);
    expect(problemsOf({ PLATFORM_API_ULR: 'x' })).toEqual([
      'PLATFORM_API_ULR: unknown variable, did you mean PLATFORM_API_URL?',
    ]);
  });

  it('accepts a database without TLS on a private network', () => {
    const own = { DATABASE_URL: 'postgres://connector@db/connector', DATABASE_NETWORK: 'private' };
    expect(problemsOf({ ...PRODUCTION, ...own })).toEqual([]);
  });

  it('puts the password into both database addresses, and accepts a direct one beside a pooler only', () => {
    const direct = { DATABASE_DIRECT_URL: 'postgres://connector@db/connector' };
    const both = { DATABASE_URL: 'postgres://connector@pooler/connector', ...direct, DATABASE_PASSWORD: 'its own' };
    expect(loadConnectorConfig(both)).toMatchObject({
      databaseUrl: 'postgres://connector:its%20own@pooler/connector',
      databaseDirectUrl: 'postgres://connector:its%20own@db/connector',
    });
    expect(problemsOf(direct)).toEqual(['DATABASE_DIRECT_URL: is for a pooler in DATABASE_URL only']);
  });

  it('reads secrets from files, without the line end', () => {
    const folder = mkdtempSync(join(tmpdir(), 'secrets-'));
    const file = (name: string, text: string) => {
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    };
    const config = loadConnectorConfig({
      ...PRODUCTION,
      DATABASE_PASSWORD_FILE: file('password', 'p@ss/w:rd\n'),
      PLATFORM_CLIENT_SECRET: '',
      PLATFORM_CLIENT_SECRET_FILE: file('client', 'a secret in a file\n'),
      CONNECTOR_SMTP_URL_FILE: file('mail', 'smtp://me:password@mail\n'),
    });
    expect(config.databaseUrl).toBe('postgres://connector:p%40ss%2Fw%3Ard@db/connector?sslmode=verify-full');
    expect(config.platform.clientSecret.reveal()).toBe('a secret in a file');
    expect(config.mail.url?.reveal()).toBe('smtp://me:password@mail');
  });

  it('names the file of an invalid secret, but not its content', () => {
    const files = { PLATFORM_CLIENT_SECRET_FILE: '/nowhere/secret', OPERATOR_TOKEN_FILE: '/nowhere/token' };
    expect(problemsOf({ ...PRODUCTION, ...files })).toEqual([
      'PLATFORM_CLIENT_SECRET_FILE: PLATFORM_CLIENT_SECRET is set as well; only one of them may be',
      'OPERATOR_TOKEN_FILE: cannot be read (ENOENT)',
    ]);
    expect(problemsOf({ PLATFORM_CLIENT_SECERT_FILE: '/x' })).toEqual([
      'PLATFORM_CLIENT_SECERT_FILE: unknown variable, did you mean PLATFORM_CLIENT_SECRET_FILE?',
    ]);
  });

  it('keeps secrets out of a printed configuration', () => {
    const config = loadConnectorConfig(PRODUCTION);
    expect(config.platform.clientSecret.reveal()).toBe('a secret of sixteen');
    expect(JSON.stringify(config.platform)).not.toContain('a secret of sixteen');
  });

  it.each([
    [{}, { level: 'permanent-key' }],
    [{ LEDGER_LEVEL: 'E3' }, { level: 'permanent-key' }],
    // A request of 30 s shortens what a key is worth, and lengthens what a search may miss.
    [
      { LEDGER_LEVEL: 'E2', LEDGER_KEY_LIFE_SECONDS: '1800' },
      { level: 'expiring-key', keyLifeMs: 1_770_000 },
    ],
    [
      { LEDGER_LEVEL: 'E2', LEDGER_KEY_LIFE_SECONDS: '31' },
      { level: 'expiring-key', keyLifeMs: 1_000 },
    ],
    [
      { LEDGER_LEVEL: 'E1', LEDGER_SEARCH_LAG_SECONDS: '60' },
      { level: 'searchable-reference', searchLagMs: 90_000 },
    ],
    [
      { LEDGER_LEVEL: 'E1', LEDGER_SEARCH_LAG_SECONDS: '0' },
      { level: 'searchable-reference', searchLagMs: 30_000 },
    ],
    [{ LEDGER_LEVEL: 'E0' }, { level: 'none' }],
  ])('accepts the ledger guarantee %j', (environment, guarantee) => {
    expect(loadConnectorConfig(environment).erp.ledger?.guarantee).toEqual(guarantee);
  });

  it.each([
    [{ LEDGER_LEVEL: 'E4' }, ['LEDGER_LEVEL: needs E3, E2, E1 or E0']],
    [{ LEDGER_LEVEL: 'E2' }, ['LEDGER_KEY_LIFE_SECONDS: is required with LEDGER_LEVEL=E2']],
    [{ LEDGER_LEVEL: 'E1' }, ['LEDGER_SEARCH_LAG_SECONDS: is required with LEDGER_LEVEL=E1']],
    [{ LEDGER_KEY_LIFE_SECONDS: '1800' }, ['LEDGER_KEY_LIFE_SECONDS: is for LEDGER_LEVEL=E2 only']],
    [
      { LEDGER_LEVEL: 'E0', LEDGER_KEY_LIFE_SECONDS: '1800', LEDGER_SEARCH_LAG_SECONDS: '60' },
      [
        'LEDGER_KEY_LIFE_SECONDS: is for LEDGER_LEVEL=E2 only',
        'LEDGER_SEARCH_LAG_SECONDS: is for LEDGER_LEVEL=E1 only',
      ],
    ],
    [
      { LEDGER_LEVEL: 'E2', LEDGER_KEY_LIFE_SECONDS: '30' },
      ['LEDGER_KEY_LIFE_SECONDS: needs more than 30: that long a request may be under way'],
    ],
    [
      { LEDGER_LEVEL: 'E1', LEDGER_SEARCH_LAG_SECONDS: 'soon' },
      ['LEDGER_SEARCH_LAG_SECONDS: needs a number of seconds'],
    ],
  ])('refuses a ledger guarantee without its time, or a time without a guarantee: %j', (environment, problems) => {
    expect(problemsOf(environment)).toEqual(problems);
  });

  it('allows no ledger in production, and no private host unless configured', () => {
    expect(loadConnectorConfig(PRODUCTION).erp).toEqual({
      adapters: [],
      isNetworkPrivate: false,
      ledger: undefined,
      registrations: new Map(),
    });
    const own = { CONNECTOR_ERP_ADAPTERS: '@example/erp, ./adapters/own.js,', ERP_NETWORK: 'private' };
    expect(loadConnectorConfig({ ...PRODUCTION, ...own }).erp).toEqual({
      adapters: ['@example/erp', './adapters/own.js'],
      isNetworkPrivate: true,
      ledger: undefined,
      registrations: new Map(),
    });
    const both = { CONNECTOR_ERP_ADAPTERS: '@example/erp', ERP_ADAPTERS: '@example/erp, ./adapters/own.js' };
    expect(loadConnectorConfig({ ...PRODUCTION, ...both }).erp.adapters).toEqual(['@example/erp', './adapters/own.js']);
    expect(problemsOf({ ERP_NETWORK: 'inner' })).toEqual(['ERP_NETWORK: needs "public" or "private"']);
  });

  it('reads the client registration at the ERPs of each kind, for any set of kinds', () => {
    const { registrations } = loadConnectorConfig({
      ERP_ACME_BOOKS_CLIENT_ID: 'connector',
      ERP_ACME_BOOKS_CLIENT_SECRET: 'of-the-connector',
      ERP_ACME_BOOKS_CLIENT_SERVERS: 'https://Login.acme.example/oauth2/, https://login.acme.example:8443',
      ERP_OTHER_CLIENT_ID: 'public-client',
    }).erp;
    const shown = [...registrations].map(([kind, each]) => [
      kind,
      { ...each, clientSecret: each.clientSecret?.reveal() },
    ]);
    const servers = ['https://login.acme.example', 'https://login.acme.example:8443'];
    expect(shown).toEqual([
      ['ACME_BOOKS', { clientId: 'connector', clientSecret: 'of-the-connector', servers }],
      ['OTHER', { clientId: 'public-client', clientSecret: undefined, servers: undefined }],
    ]);
    expect(problemsOf({ ERP_ACME_CLIENT_SECRET: 'of-the-connector', ERP_ACME_CLIENT: 'connector' })).toEqual([
      'ERP_ACME_CLIENT_ID: is required with ERP_ACME_CLIENT_SECRET',
      'ERP_ACME_CLIENT_SERVERS: is required with ERP_ACME_CLIENT_SECRET',
      'ERP_ACME_CLIENT: unknown variable, did you mean ERP_ACME_CLIENT_ID?',
    ]);
    expect(problemsOf({ ERP_ACME_CLIENT_ID: 'connector', ERP_ACME_CLIENT_SERVERS: 'login.acme.example' })).toEqual([
      'ERP_ACME_CLIENT_SERVERS: needs addresses that begin with https:// or http://, comma between',
    ]);
  });

  it('has defaults for local development', () => {
    const config = loadConnectorConfig({ CREDENTIAL_KEYS: `one:${KEY}` });
    expect(config).toMatchObject({
      port: 3000,
      internalPort: 3001,
      serves: ['webhooks', 'administration', 'operator', 'documents'],
      publicUrl: 'http://localhost:3000',
      host: '127.0.0.1',
    });
    expect(config.databaseUrl).toBeUndefined();
  });

  it('is listed in .env.example, variable by variable', () => {
    const listed = readFileSync('.env.example', 'utf8').match(/^[A-Z_]+(?==)/gm) ?? [];
    const known = problemsOf(Object.fromEntries(listed.map((name) => [name, 'x'])));
    expect(known.filter((problem) => problem.includes('unknown variable'))).toEqual([]);
    const read = readFileSync('src/connector/connector-config.ts', 'utf8').matchAll(/^ {2}([A-Z][A-Z_]+):/gm);
    expect(listed).toEqual(expect.arrayContaining([...Object.keys(PRODUCTION), ...[...read].map(([, name]) => name)]));
  });
});

it.each([
  ['our own page where its address is known', {}, 'https://connector.example/app/issues'],
  ['another by its address', { CONNECTOR_ISSUE_PAGES: 'https://pages.example/i/' }, 'https://pages.example/i'],
])('issue links open %s', (_, environment, expected) => {
  expect(loadConnectorConfig({ ...PRODUCTION, ...environment }).issuePages).toBe(expected);
});

it('issues have no link without PUBLIC_URL', () => {
  expect(loadConnectorConfig({}).issuePages).toBeUndefined();
});
