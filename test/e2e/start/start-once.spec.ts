import { describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { administer, createDatabase } from '../../../src/foundation/database/server-admin.js';
import { EmbeddedPostgres } from '../../../src/foundation/embedded-postgres/embedded-postgres.js';
import { freePort } from '../../../src/foundation/process/free-port.js';
import { freePorts } from '../../../src/sandbox/launch/launch-settings.js';
import { createTestDatabase } from '../../support/test-database.js';

it('npm start -- --once --json ends with 0 and reports two finished jobs and balanced books', async () => {
  const { code, output } = await startOnce();
  const lines = output.trimEnd().split('\n');
  const result: unknown = JSON.parse(lines.at(-1) ?? '');
  expect(code).toBe(0);
  expect(result).toMatchObject({
    exportJob: { status: 'completed_with_errors', numberOfItems: 147, successful: 142, failed: 5 },
    ledger: {
      entries: 155,
      trialBalance: {
        EUR: { debitMinor: '6741332', creditMinor: '6741332' },
        JPY: { debitMinor: '1547599', creditMinor: '1547599' },
        USD: { debitMinor: '617429', creditMinor: '617429' },
      },
      functional: { currency: 'EUR', debitMinor: '8151453', creditMinor: '8151453' },
    },
    second: {
      exportJob: { status: 'completed', numberOfItems: 6, successful: 6, failed: 0 },
      ledger: {
        entries: 6,
        trialBalance: { SEK: { debitMinor: '1841456', creditMinor: '1841456' } },
        functional: { currency: 'SEK', debitMinor: '1841456', creditMinor: '1841456' },
      },
    },
    seconds: expect.any(Number),
  });
});

it('the demo runs on another accounting system, beside a company on the ledger', async () => {
  const { code, output } = await startOnce('--erp', 'files');
  expect(code).toBe(0);
  const result: unknown = JSON.parse(output.trimEnd().split('\n').at(-1) ?? '');
  expect(result).toMatchObject({
    exportJob: { status: 'completed_with_errors', numberOfItems: 147 },
    second: { exportJob: { status: 'completed', successful: 6 }, ledger: { entries: 6 } },
  });
  expect(result).not.toHaveProperty('ledger');
});

it.each([
  [['--erp', 'tryton'], 'needs --erp-settings <file>'],
  [['--erp', 'tryton', '--erp-settings', '/nowhere.json'], '/nowhere.json'],
])('%j is refused with what is missing', async (options, sentence) => {
  const { code, errors } = await startOnce(...options);
  expect(code).toBe(78);
  expect(errors).toContain(sentence);
  expect(errors).not.toContain('    at ');
});

it.each([
  [['--onec'], "Unknown option '--onec'"],
  [['--only', 'connector'], '--only: takes simulator or ledger, not "connector"'],
  [['once'], "Unexpected argument 'once'"],
])('%j is refused with the expected usage', async (options, sentence) => {
  const { code, errors } = await start(options);
  expect(code).toBe(2);
  expect(errors).toMatch(new RegExp(`^${sentence}\nnpm start \\[-- options\\]: `));
});

it.each([
  [{ PORT: '70000' }, 'PORT: '],
  [{ PORT: '3100', SIMULATOR_PORT: '3100' }, 'SIMULATOR_PORT: port 3100 is given twice'],
  [{ DATABASE_URL: 'localhost:5432/connector' }, 'DATABASE_URL: needs a postgres:// address'],
  [{ DATABASE_URL: 'postgres://someone@127.0.0.1:9/connector' }, 'DATABASE_URL: 127.0.0.1:9 cannot be used ('],
])('%j is reported as a problem of the configuration', async (environment, sentence) => {
  const { code, errors } = await start([], environment);
  expect(code).toBe(78);
  expect(errors).toContain(`  - ${sentence}`);
  expect(errors).not.toContain('    at ');
});

it('reads .env of the folder and ignores an empty variable in it', async () => {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'start-')));
  writeFileSync(join(home, '.env'), 'DATABASE_URL=\nPORT=\nLEDGER_PORT=x\n');
  const { code, errors } = await start([], { DATABASE_URL: undefined }, home);
  rmSync(home, { recursive: true, force: true });
  expect(code).toBe(78);
  expect(errors).toContain('has 1 problem(s):\n  - LEDGER_PORT: needs a port number');
});

it('--help lists the options, and starts nothing', async () => {
  const { code, output, errors } = await start(['--help']);
  expect([code, errors]).toEqual([0, '']);
  expect(output).toContain('--trial-balance');
});

it('a second start on the same data reports the process that uses it', async () => {
  const database = await createTestDatabase();
  const ports = await freePorts();
  const environment = { DATABASE_URL: database.url, SIMULATOR_PORT: ports.simulator.toString() };
  const first = spawn(process.execPath, [resolve('dist/sandbox/launch/start.js'), '--only', 'simulator'], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  await once(first.stdout, 'data');
  const second = await start(['--only', 'simulator'], environment);
  first.kill('SIGINT');
  await once(first, 'exit');
  await database.drop();
  expect(second.code).toBe(78);
  expect(second.errors).toContain(`this data is in use by npm start, process ${String(first.pid)};`);
  expect(second.errors).not.toContain('SIMULATOR_PORT');
});

it('a port in use is reported, with the variable that changes it', async () => {
  const other = createServer().listen(await freePort(), '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const { code, errors } = await start(['--only', 'simulator'], { SIMULATOR_PORT: port.toString() });
  other.close();
  expect(code).toBe(78);
  expect(errors).toContain(`SIMULATOR_PORT: port ${port.toString()} is in use`);
  expect(errors).not.toContain('    at ');
});

describe('data of another version of the program', () => {
  const MIGRATIONS = `CREATE SCHEMA connector;
    CREATE TABLE connector.migration (id serial PRIMARY KEY, "timestamp" bigint NOT NULL, name varchar NOT NULL);
    INSERT INTO connector.migration ("timestamp", name) VALUES (1795000000000, 'create-everything-1795000000000')`;

  it('is refused with the folder to delete', async () => {
    const home = realpathSync(mkdtempSync(join(tmpdir(), 'kept-')));
    const server = await EmbeddedPostgres.start({ folder: join(home, '.data/postgres'), durable: false });
    await createDatabase(server.url('postgres'), 'connector');
    await administer(server.url('connector'), MIGRATIONS);
    const { code, errors } = await start(
      ['--only', 'simulator'],
      { DATABASE_URL: undefined, SIMULATOR_PORT: (await freePort()).toString() },
      home,
    );
    await server.stop();
    rmSync(home, { recursive: true, force: true });
    expect(code).toBe(1);
    expect(errors).toContain('create-everything-1795000000000');
    expect(errors).toContain(`Delete the folder ${join(home, '.data')}, `);
    expect(errors).toContain('--once');
    expect(errors).not.toContain('    at ');
  });

  it('in a database of DATABASE_URL is refused with that name', async () => {
    const server = await createTestDatabase();
    await administer(server.url, `UPDATE connector.migration SET name = 'create-everything-1795000000000'`);
    const { code, errors } = await start(['--only', 'simulator'], {
      DATABASE_URL: server.url,
      SIMULATOR_PORT: (await freePort()).toString(),
    });
    await server.drop();
    expect(code).toBe(1);
    expect(errors).toContain('give DATABASE_URL an empty database where it is set; or start with --once');
    expect(errors).not.toContain('    at ');
  });
});

const startOnce = (...more: readonly string[]) => start(['--once', '--json', ...more]);

async function start(
  options: readonly string[],
  environment: Readonly<Record<string, string | undefined>> = {},
  home = process.cwd(),
) {
  const child = spawn(process.execPath, [resolve('dist/sandbox/launch/start.js'), ...options], {
    cwd: home,
    env: { ...process.env, DATABASE_URL: process.env['TEST_DATABASE_URL'], ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let errors = '';
  child.stdout.on('data', (chunk) => (output += String(chunk)));
  child.stderr.on('data', (chunk) => (errors += String(chunk)));
  const code = await new Promise<number | null>((resolve) => child.once('exit', resolve));
  return { code, output, errors };
}
