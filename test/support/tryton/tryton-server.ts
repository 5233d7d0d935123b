// A Tryton of its own for a test, on loopback, with an empty database. Debian's packages have to be there.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { EmbeddedPostgres } from '../../../src/foundation/embedded-postgres/embedded-postgres.js';
import { freePort } from '../../../src/foundation/process/free-port.js';
import { serverFolder } from '../servers/server-folder.mjs';

/** What `install.sh` beside this file installs. */
const REQUIRED = ['/usr/bin/trytond', '/usr/lib/python3/dist-packages/trytond/modules/analytic_account'];
/** Why the tests with Tryton are skipped here; undefined where they run. */
export const TRYTON_MISSING = REQUIRED.every((path) => existsSync(path))
  ? undefined
  : 'Tryton is not installed: test/support/tryton/install.sh installs it where apt-get works';

/** A database with the modules and nothing in it; building it takes a minute, a copy a moment. */
const TEMPLATE = 'tryton_60_template';
export const ADMIN = { user: 'admin', password: 'Xy7-admin-of-the-tests' };
/** The server ends by itself, whatever becomes of the test. */
const MAX_LIFE_SECONDS = 1_800;
const START_SECONDS = 120;
const POLL_EVERY_MS = 200;

export interface TrytonServer {
  readonly url: string;
  readonly database: string;
  stop(): Promise<void>;
}

/** @throws Error with the end of the server's log when it does not come up */
export async function startTryton(): Promise<TrytonServer> {
  const folder = await mkdtemp(join(tmpdir(), 'tryton-'));
  const own = process.env['TEST_DATABASE_URL'] === undefined ? await startPostgres() : undefined;
  const postgres = new URL(own?.url('postgres') ?? process.env['TEST_DATABASE_URL'] ?? '');
  const port = await freePort();
  const database = `tryton_${randomBytes(6).toString('hex')}`;
  const config = join(folder, 'trytond.conf');
  const uri = `postgresql://${postgres.username}:${postgres.password}@${postgres.host}/`;
  await writeFile(
    config,
    `[database]\nuri = ${uri}\npath = ${folder}\n[web]\nlisten = 127.0.0.1:${port.toString()}\n[session]\nmax_attempt = 1000\n`,
  );
  await withAdministrator(postgres, async (client) => {
    await buildTemplate(client, config, folder);
    await client.query(`CREATE DATABASE ${database} TEMPLATE ${TEMPLATE}`);
  });
  const log = join(folder, 'log');
  const server = spawn('sh', [
    '-c',
    `exec timeout ${MAX_LIFE_SECONDS.toString()} trytond -c "$0" > "$1" 2>&1`,
    config,
    log,
  ]);
  const ended = once(server, 'exit');
  const url = `http://127.0.0.1:${port.toString()}`;
  if (!(await isUp(url))) {
    server.kill();
    throw new Error(`Tryton did not start: ${(await readFile(log, 'utf8')).slice(-2_000)}`);
  }
  return {
    url,
    database,
    async stop() {
      server.kill();
      await ended;
      await withAdministrator(postgres, (client) => client.query(`DROP DATABASE IF EXISTS ${database} WITH (FORCE)`));
      await own?.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function startPostgres(): Promise<EmbeddedPostgres> {
  return EmbeddedPostgres.start({ folder: serverFolder(), durable: false });
}

async function withAdministrator(postgres: URL, act: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: postgres.toString() });
  await client.connect();
  try {
    // One process builds the template, and a template is copied by one session at a time.
    await client.query(`SELECT pg_advisory_lock(hashtext('${TEMPLATE}'))`);
    await act(client);
  } finally {
    await client.end();
  }
}

async function buildTemplate(client: pg.Client, config: string, folder: string): Promise<void> {
  const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [TEMPLATE]);
  if (rowCount === 1) {
    return;
  }
  const building = `${TEMPLATE}_building`;
  await client.query(`DROP DATABASE IF EXISTS ${building}`);
  await client.query(`CREATE DATABASE ${building}`);
  const passwordFile = join(folder, 'password');
  await writeFile(passwordFile, `${ADMIN.password}\n`);
  const modules = ['account', 'analytic_account', '--activate-dependencies', '--email', 'admin@example.com'];
  const made = spawnSync('trytond-admin', ['-c', config, '-d', building, '-u', ...modules], {
    env: { ...process.env, TRYTONPASSFILE: passwordFile },
    encoding: 'utf8',
    timeout: 600_000,
  });
  if (made.status !== 0) {
    throw new Error(`the database of Tryton could not be made: ${made.stderr.slice(-2_000)}`);
  }
  await client.query(`ALTER DATABASE ${building} RENAME TO ${TEMPLATE}`);
}

async function isUp(url: string): Promise<boolean> {
  const body = JSON.stringify({ id: 1, method: 'common.server.version', params: [] });
  for (let polls = 0; polls < (START_SECONDS * 1_000) / POLL_EVERY_MS; polls += 1) {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(url, { method: 'POST', headers, body }).catch(() => undefined);
    if (response?.ok === true) {
      return true;
    }
    await delay(POLL_EVERY_MS);
  }
  return false;
}
