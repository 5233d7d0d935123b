import { expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { createTestDatabase } from '../../support/test-database.js';

const ENTRIES = ['connector/main.js', 'connector/worker.js'];
const COMMANDS = ['migrate.js', 'operator.js list', 'rotate-keys.js', 'replay.js --job 1', 'verify-certificates.js'];

interface Ended {
  readonly code: number | null;
  readonly errors: string;
}

async function start(command: string, environment: Readonly<Record<string, string>>, cwd = '.'): Promise<Ended> {
  const [entry = '', ...given] = command.split(' ');
  const child = spawn(process.execPath, [resolve('dist', entry), ...given], {
    cwd,
    env: { PATH: process.env['PATH'], NODE_ENV: 'production', ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (chunk) => (errors += String(chunk)));
  const code = await new Promise<number | null>((resolve) => child.once('exit', resolve));
  return { code, errors };
}

it.each(ENTRIES)('%s reports every problem of its environment at once and does not start', async (entry) => {
  const { code, errors } = await start(entry, {
    PORT: 'abc',
    LEDGER_APIKEY: 'x',
    OPERATOR_TOKEN: 'a-token-without-a-name',
    NODE_TLS_REJECT_UNAUTHORIZED: '0',
  });
  expect(code).toBe(78);
  expect(errors).toContain('the configuration has 11 problem(s):');
  expect(errors).toContain('PORT: needs a port number');
  expect(errors).toContain('LEDGER_APIKEY: unknown variable');
  expect(errors).toContain('CREDENTIAL_KEYS: is required in production');
  expect(errors).toContain('OPERATOR_TOKEN: is for the sandbox');
  expect(errors).toContain('NODE_TLS_REJECT_UNAUTHORIZED: certificates have to be checked in production');
});

it.each([
  ...ENTRIES,
  ...COMMANDS.map((command) => `connector/${command}`),
  'sandbox/ledger/main.js',
  'sandbox/simulator/main.js',
])('%s reads .env of its working directory, and the environment wins', async (entry) => {
  const folder = mkdtempSync(join(tmpdir(), 'configuration-'));
  writeFileSync(join(folder, '.env'), 'LEDGER_PROT=1\nSIMULATOR_PROT=1\nLOG_LEVEL=loud\nLOG_FORMAT=loud\n');
  const { code, errors } = await start(entry, { LOG_LEVEL: 'error' }, folder);
  expect(code).toBe(78);
  expect(errors).toMatch(/_PROT: unknown variable/);
  expect(errors).toContain('LOG_FORMAT: ');
  expect(errors).not.toContain('LOG_LEVEL: ');
});

it.each(['migrate', 'operator', 'rotate-keys', 'replay', 'verify-certificates'])(
  '%s does nothing when it is called with what it does not know, and says what it takes',
  async (name) => {
    const { code, errors } = await start(`connector/${name}.js --no-such-option`, { DATABASE_URL: 'no address' });
    expect(code).toBe(2);
    expect(errors).toMatch(/^Unknown option '--no-such-option'\nusage: /);
  },
);

it.each([
  ['', "Unknown command ''"],
  ['remove anna', "Unknown command 'remove'"],
  ['add', "'add' takes a name"],
  ['list anna', "'list' takes no name"],
])('the operator command asks no database when it is called with “%s”', async (call, sentence) => {
  const { code, errors } = await start(`connector/operator.js ${call}`.trim(), { DATABASE_URL: 'no address' });
  expect(code).toBe(2);
  expect(errors).toContain(`${sentence}\nusage: operator add <name>`);
});

it.each(COMMANDS)('%s names a database that cannot be used, and ends', async (command) => {
  const environment = { NODE_ENV: 'development', DATABASE_URL: 'postgres://anna@127.0.0.1:1/books' };
  const { code, errors } = await start(`connector/${command}`, environment);
  expect(errors).toContain('DATABASE_URL: 127.0.0.1:1 cannot be used (connect ECONNREFUSED 127.0.0.1:1)');
  expect([code, errors.includes('    at ')]).toEqual([78, false]);
});

it.each(ENTRIES)(
  '%s names the setting of a database that does not respond, and may be started again',
  async (entry) => {
    const { code, errors } = await start(entry, productionOn('postgres://anna@127.0.0.1:1/books'));
    expect(errors).toContain('DATABASE_URL: 127.0.0.1:1 cannot be used (connect ECONNREFUSED 127.0.0.1:1)');
    expect(code).toBe(1);
  },
);

it.each(ENTRIES)('%s names the setting of a database that refuses the user', async (entry) => {
  const server = await createTestDatabase();
  const address = new URL(server.url);
  address.username = 'nobody_of_this_name';
  const { code, errors } = await start(entry, productionOn(address.href));
  await server.drop();
  expect(errors).toMatch(/DATABASE_URL: \S+ cannot be used \(.*nobody_of_this_name/);
  expect(errors).not.toContain(address.password);
  expect([code, errors.includes('    at ')]).toEqual([78, false]);
});

it.each(['migrate.js', 'operator.js list'])(
  '%s names whose address it takes when it is called with the login of the programs',
  async (command) => {
    const server = await createTestDatabase();
    const admin = new pg.Client({ connectionString: server.url });
    await admin.connect();
    const login = `login_${randomUUID().replaceAll('-', '')}`;
    const password = randomUUID();
    await admin.query(`CREATE ROLE ${login} LOGIN PASSWORD '${password}' IN ROLE connector_app, connector_scheduler`);
    const address = new URL(server.url);
    address.username = login;
    address.password = password;
    const { code, errors } = await start(`connector/${command}`, productionOn(address.href));
    await admin.query(`DROP ROLE ${login}`);
    await admin.end();
    await server.drop();
    expect(errors).toMatch(/DATABASE_URL: permission denied .*: this command takes the owner of the schema/);
    expect([code, errors.includes('    at ')]).toEqual([78, false]);
  },
);

it.each(['verify-certificates.js', 'rotate-keys.js'])(
  '%s ends with another status than its finding when it could not look',
  async (command) => {
    const server = await createTestDatabase();
    const admin = new pg.Client({ connectionString: server.url });
    await admin.connect();
    await admin.query('DROP TABLE connector.reconciliation_run, connector.data_key CASCADE');
    await admin.end();
    const environment = { ...productionOn(server.url), NODE_ENV: 'development' };
    const { code, errors } = await start(`connector/${command}`, environment);
    await server.drop();
    expect(errors).toMatch(/"msg":"command.failed"/);
    expect(code).toBe(2);
  },
);

it('a replay of a job that there is not is no replay that differs', async () => {
  const server = await createTestDatabase();
  const job = randomUUID();
  const environment = { ...productionOn(server.url), NODE_ENV: 'development' };
  const { code, errors } = await start(`connector/replay.js --job ${job}`, environment);
  await server.drop();
  expect(errors).toMatch(new RegExp(`^--job ${job}: no certificate is of this job`));
  expect(code).toBe(2);
});

/** An environment of production that has no problem of its own. */
function productionOn(databaseUrl: string): Readonly<Record<string, string>> {
  return {
    DATABASE_URL: databaseUrl,
    DATABASE_NETWORK: 'private',
    PORT: '0',
    INTERNAL_PORT: '0',
    PUBLIC_URL: 'https://connector.example',
    PLATFORM_API_URL: 'https://platform.example',
    PLATFORM_AUTH_URL: 'https://platform.example',
    PLATFORM_CLIENT_ID: 'client',
    PLATFORM_CLIENT_SECRET: 'a client secret of our own',
    CREDENTIAL_KEYS: `one:${createHash('sha256').update('a key').digest('base64')}`,
  };
}

it('the API process does not start without its folder for files, and names it', async () => {
  const environment = { ...productionOn('postgres://anna@127.0.0.1:1/books'), FILES_FOLDER: '/nowhere/batches' };
  const { code, errors } = await start('connector/main.js', environment);
  expect(errors).toContain(
    '  - FILES_FOLDER: "/nowhere/batches" cannot be written to (ENOENT): needs a folder that is there',
  );
  expect([code, errors.includes('    at ')]).toEqual([78, false]);
});

it.each(ENTRIES)('%s does not start without the adapters of its configuration, and names each', async (entry) => {
  const server = await createTestDatabase();
  const adapters = { CONNECTOR_ERP_ADAPTERS: './no-adapter.mjs, @missing/erp-nothing' };
  const { code, errors } = await start(entry, { ...productionOn(server.url), NODE_ENV: 'development', ...adapters });
  await server.drop();
  expect(errors).toContain('the configuration has 2 problem(s):');
  expect(errors).toContain('  - CONNECTOR_ERP_ADAPTERS: "./no-adapter.mjs": cannot be loaded');
  expect(errors).toContain('  - CONNECTOR_ERP_ADAPTERS: "@missing/erp-nothing": cannot be loaded');
  expect([code, errors.includes('    at ')]).toEqual([78, false]);
});

it.each(ENTRIES)('%s does not start with a database that breaks its requirements', async (entry) => {
  const server = await createTestDatabase();
  const admin = new pg.Client({ connectionString: server.url, options: '-c search_path=connector' });
  await admin.connect();
  await admin.query('ALTER TABLE credential NO FORCE ROW LEVEL SECURITY');
  await admin.query('ALTER TABLE api_token DISABLE ROW LEVEL SECURITY');
  await admin.end();
  const { code, errors } = await start(entry, productionOn(server.url));
  await server.drop();
  expect(code).toBe(78);
  expect(errors).toContain('row-level security of "api_token" is not forced');
  expect(errors).toContain('row-level security of "credential" is not forced');
  // The tests' own user has made the server.
  expect(errors).toContain('the user of the address is a superuser or may become one');
  expect(errors).toContain('DATABASE_URL: takes a login that owns nothing; the owner is for migrate and operator');
});

const MIGRATED_FIRST = [...ENTRIES, ...COMMANDS.slice(1).map((command) => `connector/${command}`)];

it.each(MIGRATED_FIRST)('%s names the command to run first on a database that was never migrated', async (entry) => {
  const server = await createTestDatabase();
  const admin = new pg.Client({ connectionString: server.url });
  await admin.connect();
  await admin.query('DROP SCHEMA connector CASCADE');
  await admin.end();
  const { code, errors } = await start(entry, productionOn(server.url));
  await server.drop();
  expect(errors).toContain('the database was never migrated: run `npm run migrate` first');
  expect([code, errors.includes('    at ')]).toEqual([78, false]);
});
