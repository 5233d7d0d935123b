// A pgbouncer in transaction mode before the tests' PostgreSQL. Its connections are few, so that each is borrowed by many in turn:
// what a session kept of one borrower the next would find.
import { spawn } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { serverUser } from '../../../build/foundation/embedded-postgres/server-user.js';
import { freePort } from '../../../build/foundation/process/free-port.js';

const PROGRAM = '/usr/sbin/pgbouncer';
const START_ATTEMPTS = 100;

/**
 * @param {string} serverUrl of the server behind it, as its superuser
 * @returns {Promise<{ url: string, stop: () => void }>} the same databases behind the pooler
 */
export async function startPgbouncer(serverUrl) {
  const server = new URL(serverUrl);
  const folder = mkdtempSync(join(tmpdir(), 'pgbouncer-'));
  const port = await freePort();
  const behind = `host=${server.hostname} port=${server.port} user=${server.username} password=${server.password}`;
  const file = join(folder, 'pgbouncer.ini');
  writeFileSync(
    file,
    `[databases]
* = ${behind}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 5
max_client_conn = 1000
server_idle_timeout = 10
autodb_idle_timeout = 10
`,
  );
  const user = serverUser();
  if (user !== undefined) {
    chownSync(folder, user.uid, user.gid);
    chownSync(file, user.uid, user.gid);
  }
  let said = '';
  const child = spawn(PROGRAM, [file], { ...user, stdio: ['ignore', 'ignore', 'pipe'] });
  child.stderr.on('data', (chunk) => (said = `${said}${chunk}`.slice(-2_000)));
  child.on('error', (error) => (said += error.message));
  const stop = () => {
    child.kill('SIGINT');
    rmSync(folder, { recursive: true, force: true });
  };
  const url = new URL(serverUrl);
  url.port = String(port);
  for (let attempt = 0; !(await isListening(port)); attempt += 1) {
    if (attempt >= START_ATTEMPTS || child.exitCode !== null) {
      stop();
      throw new Error(`pgbouncer does not start (test/support/pgbouncer/install.sh installs it): ${said}`);
    }
    await delay(50);
  }
  return { url: url.href, stop };
}

function isListening(port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
