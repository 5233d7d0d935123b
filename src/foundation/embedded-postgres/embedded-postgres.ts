// The database of `npm start` and `npm test`: a real PostgreSQL from the npm registry, started or adopted.
import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chown, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { lock } from 'proper-lockfile';
import { administer } from '../database/server-admin.js';
import { freePort } from '../process/free-port.js';
import { exists, locateBinaries } from './binaries.js';
import { externalDataFolder } from './external-data-folder.js';
import { canReach, serverUser, type ServerUser } from './server-user.js';

const run = promisify(execFile);

const SUPERUSER = 'postgres';
const START_ATTEMPTS = 30;
/** So long the last port is tried again: open pools come back by themselves only there. */
const KEEP_PORT_ATTEMPTS = 20;

export interface EmbeddedPostgresOptions {
  /** Folder that keeps the cluster between starts. */
  readonly folder: string;
  /** False trades durability for speed; only for tests. */
  readonly durable: boolean;
}

interface Home {
  readonly folder: string;
  readonly data: string;
  readonly native: string;
  readonly user: ServerUser | undefined;
  readonly password: string;
}

/** A running embedded server. */
export class EmbeddedPostgres {
  private constructor(
    private readonly home: Home,
    private readonly options: EmbeddedPostgresOptions,
    private port: number,
  ) {}

  /**
   * Starts the cluster of a folder, or adopts it when it already runs (its starter may have been killed). Several
   * processes may call this at once.
   * @throws Error with the end of the server's log when it does not come up.
   */
  static async start(given: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
    // The server's programs run in a folder of their own, where a relative path would mean another place.
    const options = { ...given, folder: resolve(given.folder) };
    await mkdir(options.folder, { recursive: true });
    const release = await lock(options.folder, {
      stale: 20_000,
      retries: { retries: 120, minTimeout: 250, maxTimeout: 1_000 },
    });
    try {
      const home = await prepareHome(options.folder);
      const port = (await runningServerPort(home)) ?? (await launch(home, options));
      return new EmbeddedPostgres(home, options, port);
    } finally {
      await release();
    }
  }

  /** Address of a database of the cluster, as its superuser. */
  url(database: string): string {
    return addressOf(this.home, this.port, database);
  }

  /** Restarts a server that died, on the same port so that open pools recover. Does nothing while it responds. */
  async ensureRunning(): Promise<void> {
    if (!(await isResponding(this.home, this.port))) {
      const again = await EmbeddedPostgres.start(this.options);
      this.port = again.port;
    }
  }

  /** Stops the server unless another process still uses it. */
  async stop(): Promise<void> {
    const users = await administer(
      this.url('postgres'),
      `SELECT 1 FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`,
    ).catch(() => []);
    if (users.length === 0) {
      await control(this.home, ['stop', '-m', 'fast', '-w', '-t', '20']).catch(() => undefined);
    }
  }
}

async function prepareHome(folder: string): Promise<Home> {
  const user = serverUser();
  const place = await resolveDataFolder(folder, user);
  const passwordFile = join(folder, 'password');
  if (!(await exists(passwordFile))) {
    await writeFile(passwordFile, randomBytes(24).toString('hex'), { mode: 0o600 });
  }
  return {
    folder: place,
    data: join(place, 'cluster'),
    native: await locateBinaries(user, place),
    user,
    password: (await readFile(passwordFile, 'utf8')).trim(),
  };
}

/** The folder itself, or a place outside when the server's account cannot get there. */
async function resolveDataFolder(folder: string, user: ServerUser | undefined): Promise<string> {
  if (user === undefined) {
    return folder;
  }
  if (canReach(user, folder)) {
    await chown(folder, user.uid, user.gid);
    return folder;
  }
  return externalDataFolder(folder, user);
}

async function launch(home: Home, options: EmbeddedPostgresOptions): Promise<number> {
  if (!(await exists(home.data))) {
    await initialize(home);
  }
  let failure: unknown;
  for (let attempt = 0; attempt < START_ATTEMPTS; attempt += 1) {
    const port = (await lastPort(home)) ?? (await freePort());
    try {
      await control(home, [
        'start',
        '-w',
        '-t',
        '30',
        '-l',
        join(home.folder, 'server.log'),
        '-o',
        serverOptions(port, options),
      ]);
      await writeFile(join(home.folder, 'port'), port.toString());
      return port;
    } catch (error) {
      failure = error;
      if (await isResponding(home, port)) {
        return port;
      }
      // Children of a killed server keep its shared memory for a moment; a foreign program may hold the last port.
      if (attempt >= KEEP_PORT_ATTEMPTS) {
        await rm(join(home.folder, 'port'), { force: true });
      }
      await delay(300);
    }
  }
  const log = await readFile(join(home.folder, 'server.log'), 'utf8').catch(() => '');
  throw new Error(`the embedded PostgreSQL in ${home.folder} does not start: ${log.slice(-800)}`, {
    cause: failure,
  });
}

async function initialize(home: Home): Promise<void> {
  const unfinished = `${home.data}.${process.pid.toString()}`;
  const passwordFile = `${unfinished}.password`;
  await writeFile(passwordFile, home.password, { mode: 0o600 });
  if (home.user) {
    await chown(passwordFile, home.user.uid, home.user.gid);
  }
  try {
    await runAsServer(home, 'initdb', [
      '-D',
      unfinished,
      '-U',
      SUPERUSER,
      '-A',
      'scram-sha-256',
      `--pwfile=${passwordFile}`,
      '-E',
      'UTF8',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--locale=C',
      '--no-instructions',
    ]);
    // A cluster appears whole or not at all, also when this process is killed in the middle.
    await rename(unfinished, home.data);
  } finally {
    await rm(passwordFile, { force: true });
    await rm(unfinished, { recursive: true, force: true });
  }
}

function serverOptions(port: number, options: EmbeddedPostgresOptions): string {
  const settings = [
    'listen_addresses=127.0.0.1',
    `port=${port.toString()}`,
    'unix_socket_directories=',
    'max_connections=200',
    'shared_buffers=128MB',
    'timezone=UTC',
    ...(options.durable ? [] : ['fsync=off', 'full_page_writes=off']),
  ];
  return settings.map((setting) => `-c ${setting}`).join(' ');
}

async function runningServerPort(home: Home): Promise<number | undefined> {
  const port = await lastPort(home);
  return port !== undefined && (await isResponding(home, port)) ? port : undefined;
}

async function lastPort(home: Home): Promise<number | undefined> {
  const text = await readFile(join(home.folder, 'port'), 'utf8').catch(() => '');
  return /^\d+$/.test(text) ? Number(text) : undefined;
}

/** Checks over TCP whether this very cluster responds; `pg_ctl status` believes a stale pid file. */
async function isResponding(home: Home, port: number): Promise<boolean> {
  const client = new pg.Client({
    connectionString: addressOf(home, port, 'postgres'),
    connectionTimeoutMillis: 2_000,
    query_timeout: 2_000,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const shown = await client.query<{ data_directory: string }>('SHOW data_directory');
    return shown.rows[0]?.data_directory === home.data;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

function addressOf(home: Home, port: number, database: string): string {
  return `postgres://${SUPERUSER}:${home.password}@127.0.0.1:${port.toString()}/${database}`;
}

async function runAsServer(home: Home, program: string, parameters: readonly string[]): Promise<void> {
  await run(join(home.native, 'bin', program), parameters, {
    ...home.user,
    cwd: home.folder,
    env: serverEnvironment(),
  });
}

/**
 * Runs pg_ctl without pipes: a started server inherits them and would keep this process waiting for ever.
 * @throws Error when pg_ctl ends with another code than 0.
 */
async function control(home: Home, parameters: readonly string[]): Promise<void> {
  const child = spawn(join(home.native, 'bin', 'pg_ctl'), ['-D', home.data, ...parameters], {
    ...home.user,
    cwd: home.folder,
    env: serverEnvironment(),
    stdio: 'ignore',
    // Its own process group: a Ctrl-C meant for the parent must not stop the database before the programs.
    detached: true,
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', resolve);
  });
  if (code !== 0) {
    throw new Error(`pg_ctl ${parameters[0] ?? ''} ended with code ${String(code)}`);
  }
}

/** Settings like PGDATA or PGPORT of the person's shell must not reach the embedded server. */
function serverEnvironment(): NodeJS.ProcessEnv {
  return { PATH: '/usr/bin:/bin', TZ: 'UTC', LC_ALL: 'C' };
}
