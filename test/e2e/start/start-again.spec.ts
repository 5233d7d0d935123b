import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { freePorts } from '../../../src/sandbox/launch/launch-settings.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';

/** What an export, a connection or a person would change; the day's reads and log entries are not among it. */
const CONTENT = `SELECT
  (SELECT json_agg(company ORDER BY id) FROM ledger.company) companies,
  (SELECT json_agg(api_key ORDER BY id) FROM ledger.api_key) keys,
  (SELECT json_agg(id ORDER BY id) FROM ledger.journal_entry) entries,
  (SELECT json_agg((installation_id, generation, version, erp_system, connected_at) ORDER BY installation_id)
   FROM connector.erp_connection) connections,
  (SELECT json_agg((id, state, number_of_items) ORDER BY id) FROM connector.export_job) jobs,
  (SELECT json_agg((id, erp_company_id, generation) ORDER BY id) FROM connector.installation) installations,
  (SELECT count(*) FROM connector.mapping_version) settings`;

let database: TestDatabase;
let home: string;
let environment: NodeJS.ProcessEnv;
let child: ChildProcess | undefined;

beforeAll(async () => {
  database = await createTestDatabase();
  // The secrets are kept in it.
  home = realpathSync(mkdtempSync(join(tmpdir(), 'again-')));
  const ports = await freePorts();
  environment = {
    ...process.env,
    DATABASE_URL: database.url,
    PORT: ports.connector.toString(),
    INTERNAL_PORT: ports.connectorInternal.toString(),
    SIMULATOR_PORT: ports.simulator.toString(),
    LEDGER_PORT: ports.ledger.toString(),
  };
});

afterAll(async () => {
  child?.kill('SIGKILL');
  rmSync(home, { recursive: true, force: true });
  await database.drop();
});

/** @returns what `npm start` says until it serves; then it is ended as by Ctrl-C */
async function startAndEnd(): Promise<string> {
  const started = spawn(process.execPath, [resolve('dist/sandbox/launch/start.js')], {
    cwd: home,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child = started;
  let output = '';
  const ended = once(started, 'exit');
  const serves = new Promise<void>((done) => {
    started.stdout.on('data', (chunk) => {
      output += String(chunk);
      if (output.includes('Ctrl-C stops')) {
        done();
      }
    });
  });
  started.stderr.on('data', (chunk) => (output += String(chunk)));
  await Promise.race([serves, ended]);
  started.kill('SIGINT');
  expect([await ended, output.includes('npm start failed') ? output : '']).toEqual([[0, null], '']);
  return output;
}

async function content(): Promise<unknown> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const { rows } = await client.query<object>(CONTENT).finally(() => client.end());
  return rows[0];
}

it('a second npm start on the same data changes nothing and shows the same verdicts', async () => {
  const first = await startAndEnd();
  const before = await content();
  const second = await startAndEnd();
  expect(await content()).toEqual(before);
  const verdicts = (output: string) => output.match(/^ {2}\S.* debit .*$/gm);
  expect(verdicts(first)).toEqual([
    expect.stringMatching(/Saltholm Disain OÜ +completed with errors +142 posted +5 failed/),
    expect.stringMatching(/Öresund Form AB +completed +6 posted +0 failed/),
  ]);
  expect(verdicts(second)).toEqual(verdicts(first));
  expect(before).toMatchObject({
    keys: [expect.anything(), expect.anything()],
    connections: [expect.anything(), expect.anything()],
  });
});
