import { spawn } from 'node:child_process';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import pg from 'pg';
import { z } from 'zod';
import { pressExport } from '../../src/launch/demo/press-export.js';
import { waitFor } from '../../src/launch/demo/wait-for.js';
import { RunningPrograms } from '../support/running-programs.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

// The demo's job is certified, its certificate is proved from the ledger's own data, and its postings come out the same in
// an empty company of the ledger: settlements, foreign currencies, drafts and all.

const CERTIFIED_WITHIN_MS = 90_000;
const sideSchema = z.object({ entries: z.number(), digest: z.string() });
const certificateSchema = z.object({
  sequence: z.string(),
  items: z.object({ successful: z.number(), failed: z.number() }),
  planned: sideSchema,
  erp: sideSchema,
  differences: z.number(),
});

let database: TestDatabase;
let programs: RunningPrograms;
let jobId: string;
beforeAll(async () => {
  database = await createTestDatabase();
  programs = await RunningPrograms.start({ CONNECTOR_POLL_SECONDS: '2' }, database);
  await pressExport(programs.clients.simulator);
  jobId = (await programs.verdict()).id;
});
afterAll(() => programs.stop());

/** @returns exit status and what it said */
async function run(program: string, ...options: readonly string[]): Promise<readonly [unknown, string]> {
  const child = spawn(process.execPath, [`dist/connector/${program}.js`, ...options], {
    env: { PATH: process.env['PATH'] ?? '', ...programs.connectorEnvironment },
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: 60_000,
  });
  let output = '';
  child.stdout.on('data', (chunk) => (output += String(chunk)));
  const status = await new Promise((resolve) => child.once('close', resolve));
  return [status, output];
}

it('the certificate of the demo holds, is replayed, and gives a changed entry away', async () => {
  const { connector } = programs.clients;
  const certificate = await waitFor(programs.clock, 'the certificate', CERTIFIED_WITHIN_MS, () =>
    connector.find(`/api/v1/certificates/${jobId}`, certificateSchema),
  );
  expect(certificate).toMatchObject({
    sequence: '1',
    items: { successful: 142, failed: 5 },
    differences: 0,
  });
  expect(certificate.erp).toEqual(certificate.planned);
  expect(await run('verify-certificates')).toEqual([0, '1 certificates verified, 0 failures\n']);

  const [status, said] = await run('replay', '--job', jobId);
  expect(said).toContain(
    `replayed  ${certificate.planned.digest}, ${certificate.planned.entries.toString()} entries`,
  );
  expect(said).toContain('\nthe same\nmapped again: 142 the same, 0 not, 0 not kept\n');
  expect(status).toBe(0);

  const auditor = new pg.Client({ connectionString: database.url, options: '-c search_path=ledger' });
  await auditor.connect();
  await auditor.query(`SET session_replication_role = replica`);
  await auditor.query(`UPDATE journal_line SET account_code = '6420' WHERE account_code = '6430'`);
  await auditor.end();
  const [found, told] = await run('verify-certificates');
  expect(found).toBe(1);
  expect(told).toMatch(
    new RegExp(
      `^certificate 1 of job ${jobId}, installation .*: digest in the ERP: certified .*; the ERP first shows`,
    ),
  );
});
