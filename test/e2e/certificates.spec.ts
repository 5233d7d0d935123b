import { spawn } from 'node:child_process';
import { beforeAll, expect, it } from '@jest/globals';
import pg from 'pg';
import { z } from 'zod';
import { demoCompany } from '../../src/sandbox/launch/demo/demo-company.js';
import { triggerExport } from '../../src/sandbox/launch/demo/trigger-export.js';
import { waitFor } from '../../src/sandbox/launch/demo/wait-for.js';
import { RunningPrograms } from '../support/running-programs.js';
import { startedOnce } from '../support/started-once.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

// The demo's job is certified, its certificate is proved from the ledger's own data, and its postings come out the same in
// an empty company of the ledger: settlements, foreign currencies, drafts and all. An entry that the ledger has lost is
// exported again, and the history holds.

const CERTIFIED_WITHIN_MS = 90_000;
const FOUND_WITHIN_MS = 60_000;
const sideSchema = z.object({ entries: z.number(), digest: z.string() });
const certificateSchema = z.object({
  sequence: z.string(),
  items: z.object({ successful: z.number(), failed: z.number() }),
  planned: sideSchema,
  erp: sideSchema,
  discrepancies: z.number(),
});
const certificatesSchema = z.object({ data: z.array(certificateSchema) });
const discrepanciesSchema = z.object({
  data: z.array(z.object({ id: z.string(), class: z.string(), subject: z.string() })),
});

let database: TestDatabase;
const programs = startedOnce(async () => {
  database = await createTestDatabase();
  return RunningPrograms.start({ CONNECTOR_POLL_SECONDS: '2' }, database);
});
let jobId: string;
beforeAll(async () => {
  await triggerExport(programs.clients.simulator);
  jobId = (await programs.verdict()).id;
});

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

/** Something no user should be able to do: past the ledger's own rules. */
async function inTheLedger<T>(work: (auditor: pg.Client) => Promise<T>): Promise<T> {
  const auditor = new pg.Client({ connectionString: database.url, options: '-c search_path=ledger' });
  await auditor.connect();
  await auditor.query(`SET session_replication_role = replica`);
  return work(auditor).finally(() => auditor.end());
}

/** Of the company itself: a replay has left the same keys in an empty one. @returns the key of the group that is gone */
async function loseOneEntry(auditor: pg.Client): Promise<string> {
  const { rows } = await auditor.query<{ id: string; key: string }>(
    `SELECT posting_group.id, key FROM posting_group JOIN journal_entry ON posting_group_id = posting_group.id
     WHERE posting_group.company_id = $1 AND NOT EXISTS (SELECT FROM open_item JOIN journal_entry entry ON entry.id = entry_id
       WHERE entry.posting_group_id = posting_group.id)
     GROUP BY posting_group.id HAVING count(*) = 1 AND bool_and(journal_entry.state = 'posted') ORDER BY key LIMIT 1`,
    [demoCompany.ledgerId],
  );
  const { id = '', key = '' } = rows[0] ?? {};
  await auditor.query(
    `DELETE FROM journal_line USING journal_entry WHERE entry_id = journal_entry.id AND posting_group_id = $1`,
    [id],
  );
  await auditor.query(`DELETE FROM journal_entry WHERE posting_group_id = $1`, [id]);
  await auditor.query(`DELETE FROM posting_group WHERE id = $1`, [id]);
  return key;
}

it('the certificate of the demo is valid, and its job is replayed', async () => {
  const { connector } = programs.clients;
  const certificate = await waitFor(programs.clock, 'the certificate', CERTIFIED_WITHIN_MS, () =>
    connector.find(`/api/v1/certificates/${jobId}`, certificateSchema),
  );
  expect(certificate).toMatchObject({
    sequence: '1',
    items: { successful: 142, failed: 5 },
    discrepancies: 0,
  });
  expect(certificate.erp).toEqual(certificate.planned);
  expect(await run('verify-certificates')).toEqual([0, '1 certificates verified, 0 failures\n']);

  const [status, said] = await run('replay', '--job', jobId);
  expect(said).toContain(`replayed  ${certificate.planned.digest}, ${certificate.planned.entries.toString()} entries`);
  expect(said).toContain('\nthe same\nmapped again: 142 the same, 0 not, 0 not kept\n');
  expect(status).toBe(0);
});

it('an entry that the ledger has lost is exported again, and the history stays valid and names it', async () => {
  const { connector } = programs.clients;
  const key = await inTheLedger(loseOneEntry);
  await connector.post('/api/v1/reconciliation', { exportJobId: jobId }, [202]);
  const lost = await waitFor(programs.clock, 'the discrepancy', FOUND_WITHIN_MS, async () => {
    const { data } = await connector.read('/api/v1/discrepancies', discrepanciesSchema);
    return data.find(({ subject }) => subject === key);
  });
  expect(lost.class).toBe('deleted-in-erp');
  const decision = { action: 're-export', note: 'lost with the old server' };
  await connector.post(`/api/v1/discrepancies/${lost.id}/actions`, decision, [204]);
  await waitFor(programs.clock, 'the second certificate', CERTIFIED_WITHIN_MS, async () => {
    const { data } = await connector.read('/api/v1/certificates', certificatesSchema);
    return data[1];
  });
  expect(await connector.read('/api/v1/discrepancies', discrepanciesSchema)).toEqual({ data: [] });
  const [status, said] = await run('verify-certificates');
  expect(said).toMatch(
    new RegExp(
      `^certificate 1 of job ${jobId}, installation .*: 1 noted as lost by the ERP: entry ${key}, revision 1\n` +
        '2 certificates verified, 0 failures, 1 noted as lost by the ERP\n$',
    ),
  );
  expect(status).toBe(0);
});

it('an entry that was changed in the ledger is detected', async () => {
  await inTheLedger((auditor) =>
    auditor.query(`UPDATE journal_line SET account_code = '6420' WHERE account_code = '6430'`),
  );
  const [found, output] = await run('verify-certificates');
  expect(found).toBe(1);
  expect(output).toMatch(
    new RegExp(
      `^certificate 1 of job ${jobId}, installation .*: digest in the ERP: certified .*; the ERP first shows`,
      'm',
    ),
  );
});
