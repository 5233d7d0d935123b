import { appendFile, chown, copyFile, cp, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, connect, type AddressInfo, type Server, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { administer } from '../../src/foundation/database/server-admin.js';
import { EmbeddedPostgres } from '../../src/foundation/embedded-postgres/embedded-postgres.js';

/** Of a running server. */
export async function dataDirectoryOf(server: EmbeddedPostgres): Promise<string> {
  const [row] = await administer(server.url('postgres'), 'SHOW data_directory');
  return String(row?.['data_directory']);
}

/** As `kill -9` of all of it: no checkpoint, no goodbye. */
export async function killServer(server: EmbeddedPostgres): Promise<void> {
  const [pid] = (await readFile(join(await dataDirectoryOf(server), 'postmaster.pid'), 'utf8')).split('\n');
  process.kill(Number(pid), 'SIGKILL');
}

/** What of a cluster belongs to the running server, or is made anew by one that starts from the copy. */
const NOT_COPIED = /\/(postmaster\.(pid|opts)|pg_replslot\/.+|pg_wal\/.+|pgsql_tmp.*)$/;

/**
 * A base backup of a running server, as `pg_basebackup` makes one; the embedded server comes without that program.
 * @param to an empty folder; what the backup lacks is the write-ahead log since it began
 */
async function baseBackup(server: EmbeddedPostgres, to: string): Promise<void> {
  const from = await dataDirectoryOf(server);
  const client = new pg.Client({ connectionString: server.url('postgres') });
  await client.connect();
  try {
    await client.query(`SELECT pg_backup_start('drill', true)`);
    await cp(from, to, { recursive: true, filter: (path) => !NOT_COPIED.test(path) });
    const { rows } = await client.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop(false)');
    await writeFile(join(to, 'backup_label'), rows[0]?.labelfile ?? '');
  } finally {
    await client.end();
  }
}

/** Makes everything below a folder belong to whom the folder above belongs to: the account of the server. */
async function giveToServer(folder: string): Promise<void> {
  const { uid, gid } = await stat(dirname(folder));
  const paths = await readdir(folder, { recursive: true });
  for (const path of ['', ...paths]) {
    await chown(join(folder, path), uid, gid);
  }
}

/**
 * A server that starts from a base backup of another.
 * @param folder of the new one, not there yet
 * @param passwordOf folder of the other, whose password the copy has
 * @param prepare runs on the copy before it is started
 */
export async function startFromBackup(
  origin: EmbeddedPostgres,
  folder: string,
  passwordOf: string,
  prepare: (data: string) => Promise<void>,
): Promise<EmbeddedPostgres> {
  await mkdir(folder, { recursive: true });
  await copyFile(join(passwordOf, 'password'), join(folder, 'password'));
  // Started once, so that its data is where the server’s account reaches it.
  const empty = await EmbeddedPostgres.start({ folder, durable: true });
  const data = await dataDirectoryOf(empty);
  await empty.stop();
  await rm(data, { recursive: true });
  await mkdir(data, { mode: 0o700 });
  await baseBackup(origin, data);
  await prepare(data);
  await giveToServer(data);
  return EmbeddedPostgres.start({ folder, durable: true });
}

/**
 * Archives the write-ahead log of a server from now on, and starts it again: the mode is read at start only.
 * @returns the folder of the archive, beside the data
 */
export async function archiveLog(server: EmbeddedPostgres): Promise<string> {
  const data = await dataDirectoryOf(server);
  const archive = join(dirname(data), 'archive');
  await mkdir(archive);
  const { uid, gid } = await stat(dirname(data));
  await chown(archive, uid, gid);
  await administer(server.url('postgres'), 'ALTER SYSTEM SET archive_mode = on');
  await administer(server.url('postgres'), `ALTER SYSTEM SET archive_command = 'cp %p ${archive}/%f'`);
  await killServer(server);
  await server.ensureRunning();
  return archive;
}

/** Waits until everything that was written so far is in the archive. */
export async function waitForArchive(server: EmbeddedPostgres, archive: string): Promise<void> {
  const [log] = await administer(server.url('postgres'), 'SELECT pg_walfile_name(pg_current_wal_lsn()) AS name');
  await administer(server.url('postgres'), 'SELECT pg_switch_wal()');
  while (!(await readdir(archive)).includes(String(log?.['name']))) {
    await delay(100);
  }
}

/** Follows the primary, as a load balancer in front of the database does. */
export class FollowingProxy {
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    private target: number,
  ) {}

  static async start(target: number): Promise<FollowingProxy> {
    const server = createServer();
    const proxy = new FollowingProxy(server, target);
    server.on('connection', (socket) => {
      proxy.join(socket);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** From now on connections go there; those that are open are cut. */
  follow(port: number): void {
    this.target = port;
    this.cut();
  }

  async close(): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private cut(): void {
    for (const socket of this.sockets) {
      socket.destroy();
    }
  }

  private join(socket: Socket): void {
    const behind = connect(this.target, '127.0.0.1');
    for (const [one, other] of [
      [socket, behind],
      [behind, socket],
    ] as const) {
      this.sockets.add(one);
      one.on('error', () => undefined);
      one.on('close', () => {
        this.sockets.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  }
}

const portOf = (server: EmbeddedPostgres) => Number(new URL(server.url('postgres')).port);

/** A primary and a standby to which every commit is written before it is acknowledged. */
export class PostgresPair {
  private constructor(
    readonly primary: EmbeddedPostgres,
    readonly standby: EmbeddedPostgres,
    private readonly proxy: FollowingProxy,
  ) {}

  /** @param folder of both, not there yet */
  static async start(folder: string): Promise<PostgresPair> {
    const of = { primary: join(folder, 'primary'), standby: join(folder, 'standby') };
    const primary = await EmbeddedPostgres.start({ folder: of.primary, durable: true });
    const { username, password, hostname, port } = new URL(primary.url('postgres'));
    const conninfo = `host=${hostname} port=${port} user=${username} password=${password} application_name=standby`;
    const standby = await startFromBackup(primary, of.standby, of.primary, async (data) => {
      await writeFile(join(data, 'standby.signal'), '');
      await appendFile(join(data, 'postgresql.auto.conf'), `primary_conninfo = '${conninfo}'\n`);
    });
    // Not before the copy was made: promoted it would wait for a standby of its own.
    await administer(primary.url('postgres'), `ALTER SYSTEM SET synchronous_standby_names = 'standby'`);
    await administer(primary.url('postgres'), 'SELECT pg_reload_conf()');
    const pair = new PostgresPair(primary, standby, await FollowingProxy.start(portOf(primary)));
    while ((await pair.states()) !== 'sync') {
      await delay(100);
    }
    return pair;
  }

  /** Address of a database on whichever server is the primary. */
  url(database: string): string {
    const url = new URL(this.primary.url(database));
    url.port = this.proxy.port.toString();
    return url.href;
  }

  /** Kills the primary, promotes the standby and sends every connection there. */
  async failOver(): Promise<void> {
    await killServer(this.primary);
    await administer(this.standby.url('postgres'), 'SELECT pg_promote(true, 60)');
    this.proxy.follow(portOf(this.standby));
  }

  async stop(): Promise<void> {
    await this.proxy.close();
    await this.standby.stop();
    await this.primary.stop();
  }

  private async states(): Promise<string> {
    const rows = await administer(this.primary.url('postgres'), 'SELECT sync_state FROM pg_stat_replication');
    return rows.map((row) => String(row['sync_state'])).join();
  }
}
