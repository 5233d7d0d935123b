import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import pg from 'pg';
import { EmbeddedPostgres } from '../../../src/foundation/embedded-postgres/embedded-postgres.js';

let parent: string;
let folder: string;
beforeEach(() => {
  // Mode 0700, as mktemp makes it: root's unprivileged server account cannot enter it.
  parent = mkdtempSync(join(tmpdir(), 'embedded-'));
  folder = join(parent, 'data');
});
afterEach(async () => {
  const server = await EmbeddedPostgres.start({ folder, durable: false });
  await server.stop();
  rmSync(parent, { recursive: true, force: true });
});

async function query(url: string, statement: string): Promise<readonly unknown[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.end();
  }
}

describe('the embedded PostgreSQL', () => {
  it('starts once for concurrent callers, and is reused by a later one', async () => {
    const servers = await Promise.all([1, 2, 3].map(() => EmbeddedPostgres.start({ folder, durable: false })));
    const addresses = new Set(servers.map((server) => server.url('postgres')));
    expect(addresses.size).toBe(1);
    const [address = ''] = addresses;
    await query(address, 'CREATE TABLE kept (id int)');
    const adopted = await EmbeddedPostgres.start({ folder, durable: false });
    expect(adopted.url('postgres')).toBe(address);
    expect(await query(address, 'SELECT count(*)::int AS count FROM kept')).toEqual([{ count: 0 }]);
  });

  it('accepts a folder relative to where the program was started', async () => {
    // Below a folder that every user may enter, so that the server stays inside it also when root starts it.
    mkdirSync('.data', { recursive: true });
    const open = mkdtempSync(join(process.cwd(), '.data', 'relative-'));
    chmodSync(open, 0o755);
    const server = await EmbeddedPostgres.start({
      folder: relative(process.cwd(), join(open, 'data')),
      durable: false,
    });
    expect(await query(server.url('postgres'), 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await server.stop();
    rmSync(open, { recursive: true, force: true });
  });

  it('restarts on the same port with its data after the server was killed', async () => {
    const server = await EmbeddedPostgres.start({ folder, durable: true });
    const address = server.url('postgres');
    await query(address, 'CREATE TABLE kept (id int)');
    await query(address, 'INSERT INTO kept VALUES (1)');
    const [shown] = await query(address, 'SHOW data_directory');
    const directory = String(Reflect.get(Object(shown), 'data_directory'));
    const postmaster = readFileSync(join(directory, 'postmaster.pid'), 'utf8').split('\n')[0] ?? '';
    execFileSync('kill', ['-9', postmaster]);
    await server.ensureRunning();
    expect(server.url('postgres')).toBe(address);
    expect(await query(address, 'SELECT id FROM kept')).toEqual([{ id: 1 }]);
  });

  it('is not stopped while another user is connected', async () => {
    const server = await EmbeddedPostgres.start({ folder, durable: false });
    const client = new pg.Client({ connectionString: server.url('postgres') });
    client.on('error', () => undefined);
    await client.connect();
    await server.stop();
    expect((await client.query('SELECT 1')).rowCount).toBe(1);
    await client.end();
  });
});
