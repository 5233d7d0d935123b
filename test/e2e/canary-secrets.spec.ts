import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawn, type ChildProcess } from 'node:child_process';
import pg from 'pg';
import { DataKeyRepository } from '../../src/connector/installations/data-key.repository.js';
import { KeyRingService } from '../../src/connector/installations/key-ring.service.js';
import { parseKeyRing } from '../../src/connector/installations/key-ring.js';
import { sql } from '../../src/foundation/database/sql.js';
import { TenantDatabase } from '../../src/foundation/database/tenant-database.js';
import { freePort } from '../../src/foundation/process/free-port.js';
import { toInstallationId } from '../../src/kernel/ids.js';
import { connectCompany, createApiToken } from '../../src/launch/demo/connect-company.js';
import { ProgramClient } from '../../src/launch/demo/program-client.js';
import { pressExport } from '../../src/launch/demo/press-export.js';
import { ADMIN_ROUTES } from '../integration/connector/admin-routes.js';
import { RunningPrograms } from '../support/running-programs.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

// A company is connected and exported with the log at its most talkative; then every secret that took part is searched for
// in all log lines, answers, metrics and columns (spec: reliability §b1 I20, §e6 S56).

let server: TestDatabase;
let programs: RunningPrograms;
let installationId: string;
let apiToken: string;
const children: ChildProcess[] = [];
const internalPorts: string[] = [];
let log = '';
const answers = new Map<string, string>();
const secrets = new Map<string, string>();

beforeAll(async () => {
  server = await createTestDatabase();
  programs = await RunningPrograms.start({ CONNECTOR_POLL_SECONDS: '2' }, server);
  await programs.worker.stop();
  await programs.api.stop();
  await startListened('connector/main.js');
  await startListened('connector/worker.js');
  const operator = new ProgramClient('connector', programs.operator.url, programs.operator.token);
  const addresses = {
    connectorUrl: programs.connectorProxy.url,
    simulatorUrl: String(programs.connectorEnvironment['PLATFORM_AUTH_URL']),
  };
  // Once more from the beginning, before the ones that are listened to.
  installationId = await connectCompany(addresses, operator, programs.clock);
  apiToken = await createApiToken(operator, installationId);
  operator.close();
  await pressExport(programs.clients.simulator);
  await programs.verdict();
  await readEverything();
  await collectSecrets();
});
afterAll(async () => {
  await Promise.all(
    children.map(async (child) => {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
    }),
  );
  await programs.stop();
});

/** A process of the connector in the place of the one that was stopped, with its log in our hands. */
async function startListened(entry: string): Promise<void> {
  const internal = (await freePort()).toString();
  internalPorts.push(internal);
  const child = spawn(process.execPath, [`dist/${entry}`], {
    env: {
      PATH: process.env['PATH'],
      ...programs.connectorEnvironment,
      PORT: new URL(programs.apiUrl).port,
      INTERNAL_PORT: internal,
      PLATFORM_API_URL: programs.platformProxy.url,
      PLATFORM_ISSUER: programs.connectorEnvironment['PLATFORM_AUTH_URL'],
      LEDGER_URL: programs.ledgerProxy.url,
      CONNECTOR_POLL_SECONDS: '2',
      LOG_LEVEL: 'trace',
      LOG_FORMAT: 'json',
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  children.push(child);
  child.stderr.on('data', (chunk) => (log += String(chunk)));
  while (!log.includes(`"internalPort":${internal}`)) {
    await programs.clock.sleep(100);
  }
}

async function readEverything(): Promise<void> {
  const headers = { authorization: `Bearer ${apiToken}` };
  const { rows } = await query<{ id: string }>('SELECT id FROM connector.export_job');
  for (const [method, path] of ADMIN_ROUTES) {
    if (method === 'GET') {
      const url = path.replace(/\{[^}]+\}/g, rows[0]?.id ?? '');
      answers.set(path, await (await fetch(`${programs.connectorProxy.url}${url}`, { headers })).text());
    }
  }
  for (const path of ['/connect', '/settings', '/nowhere', '/api/openapi.json']) {
    answers.set(
      path,
      await (await fetch(`${programs.connectorProxy.url}${path}`, { redirect: 'manual' })).text(),
    );
  }
  for (const port of internalPorts) {
    for (const path of ['/metrics', '/health/ready']) {
      answers.set(`${port}${path}`, await (await fetch(`http://localhost:${port}${path}`)).text());
    }
  }
}

async function collectSecrets(): Promise<void> {
  const environment = programs.connectorEnvironment;
  for (const name of ['PLATFORM_CLIENT_SECRET', 'LEDGER_API_KEY', 'OPERATOR_TOKEN']) {
    secrets.set(name, environment[name] ?? '');
  }
  secrets.set('CREDENTIAL_KEYS', (environment['CREDENTIAL_KEYS'] ?? '').split(':')[1] ?? '');
  secrets.set('API token', apiToken);
  for (const { path, headers } of programs.connectorProxy.seen) {
    const query = new URL(path, 'http://x').searchParams;
    if (path.startsWith('/oauth/callback')) {
      secrets.set('authorisation code', query.get('code') ?? '');
      secrets.set('state', query.get('state') ?? '');
      secrets.set('cookie of the connection', headers.cookie?.split('=')[1]?.split(';')[0] ?? '');
    }
    if (path.startsWith('/webhooks/')) {
      secrets.set('webhook address', path.slice('/webhooks/'.length));
      secrets.set('webhook header', String(headers['x-connector-key']));
    }
  }
  // Every token that was ever in use, not only the one there is now.
  const used = programs.platformProxy.seen.map(({ headers }) => headers.authorization?.split(' ')[1]);
  for (const [index, value] of [...new Set(used)].entries()) {
    secrets.set(`access token ${index.toString()}`, value ?? '');
  }
  await collectSealed(String(environment['CREDENTIAL_KEYS']));
}

/** What only the program itself can open. */
async function collectSealed(keyRing: string): Promise<void> {
  const ring = parseKeyRing(keyRing);
  if (typeof ring === 'string') {
    throw new Error(ring);
  }
  const database = await TenantDatabase.connect({
    url: server.url,
    applicationName: 'canary',
    poolSize: 1,
  });
  const id = toInstallationId(installationId);
  const service = new KeyRingService(ring);
  await database.inInstallation('canary', id, async (tx) => {
    const key = await new DataKeyRepository(service).find(tx, id);
    const row = await tx.one<Record<'access' | 'refresh' | 'secret' | 'wrapped', string>>(sql`
      SELECT access_token AS access, refresh_token AS refresh, secret, wrapped_key AS wrapped
      FROM credential JOIN subscription USING (installation_id) JOIN data_key USING (installation_id)`);
    secrets.set('access token', key.unseal('credential.access_token', row.access));
    secrets.set('refresh token', key.unseal('credential.refresh_token', row.refresh));
    secrets.set('signing secret', key.unseal('subscription.secret', row.secret));
    secrets.set('data key', service.unseal('data_key.wrapped_key', id, row.wrapped));
  });
  await database.close();
}

async function query<Row extends object>(text: string): Promise<pg.QueryResult<Row>> {
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  try {
    return await client.query<Row>(text);
  } finally {
    await client.end();
  }
}

/** Every row of every table of the connector and its queue, as text; bytes as hexadecimal digits. */
async function dump(): Promise<ReadonlyMap<string, string>> {
  const tables = await query<{ name: string }>(`
    SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables
    WHERE table_schema IN ('connector', 'pgboss') AND table_type = 'BASE TABLE'`);
  const found = new Map<string, string>();
  for (const { name } of tables.rows) {
    const { rows } = await query<{ text: string }>(`SELECT t::text AS text FROM ${name} t`);
    found.set(name, rows.map(({ text }) => text).join('\n'));
  }
  return found;
}

/** The forms in which a secret may lie about. */
function formsOf(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  const bare = secret.replace(/^whsec_/, '');
  const whole = (text: string) => text.replace(/=+$/, '');
  return [
    secret,
    bare,
    whole(bytes.toString('base64')),
    whole(bytes.toString('base64url')),
    bytes.toString('hex'),
    encodeURIComponent(secret),
    Buffer.from(bare, 'base64').toString('hex'),
  ].filter((form) => form.length >= 12);
}

function leaks(places: ReadonlyMap<string, string>): readonly string[] {
  return [...places].flatMap(([place, text]) =>
    [...secrets]
      .filter(([, secret]) => formsOf(secret).some((form) => text.includes(form)))
      .map(([name]) => `${name} in ${place}`),
  );
}

describe('no secret', () => {
  it('is missing from the search', () => {
    expect([...secrets.keys()]).toEqual(
      expect.arrayContaining([
        'PLATFORM_CLIENT_SECRET',
        'LEDGER_API_KEY',
        'OPERATOR_TOKEN',
        'CREDENTIAL_KEYS',
        'API token',
        'authorisation code',
        'state',
        'cookie of the connection',
        'webhook address',
        'webhook header',
        'access token 0',
        'access token',
        'refresh token',
        'signing secret',
        'data key',
      ]),
    );
    expect([...secrets].filter(([, secret]) => secret.length < 16)).toEqual([]);
    // The search does find what is there to be found.
    const found = leaks(new Map([...secrets].map(([name, secret]) => [name, `x${secret}x`])));
    expect(found).toEqual(expect.arrayContaining([...secrets.keys()].map((name) => `${name} in ${name}`)));
  });

  it('is in a line of the log', () => {
    expect(log.split('\n').length).toBeGreaterThan(20);
    expect(log).toContain('"level":"debug"');
    expect(leaks(new Map([['the log', log]]))).toEqual([]);
  });

  it('is in an answer or a metric', () => {
    expect(answers.size).toBeGreaterThan(40);
    expect(answers.get('/api/v1/jobs')).toContain('"numberOfItems":147');
    expect([...answers.values()].filter((text) => text.includes('connector_')).length).toBeGreaterThan(1);
    expect(leaks(answers)).toEqual([]);
  });

  it('is in a column of the database', async () => {
    const tables = await dump();
    expect(tables.get('connector.installation')).toContain(installationId);
    expect(leaks(tables)).toEqual([]);
  });
});
