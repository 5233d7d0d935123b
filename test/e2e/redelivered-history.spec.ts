import { expect, it } from '@jest/globals';
import pg from 'pg';
import { z } from 'zod';
import { HttpClient } from '../../src/foundation/http/client/http-client.js';
import { triggerExport } from '../../src/sandbox/launch/demo/trigger-export.js';
import { waitFor } from '../../src/sandbox/launch/demo/wait-for.js';
import { RunningPrograms } from '../support/running-programs.js';
import { startedOnce } from '../support/started-once.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

// The fixpoint (invariant I35): every webhook of a company once more, and two comparisons, change nothing anywhere.

const WITHIN_MS = 90_000;
/** What the connector knows of the business; leases, budgets, runs and clocks may move. */
const BUSINESS = [
  ...['notification', 'quarantined_notification', 'mapping_version', 'mapping_rule', 'export_job', 'export_item'],
  ...[
    'item_chunk',
    'plan_chunk',
    'posting_intent',
    'posting_resolution',
    'outbox',
    'issue',
    'failed_entry',
    'reexport',
    'receipt',
  ],
  ...['vendor_match', 'discrepancy', 'certificate'],
].map((table) => `connector.${table}`);

const certificates = z.object({
  data: z.array(z.object({ sequence: z.string(), discrepancies: z.number() })),
});
const requested = z.object({ id: z.string() });
const runs = z.object({
  data: z.array(z.object({ id: z.string(), state: z.string(), discrepancies: z.number(), items: z.number() })),
});

let database: TestDatabase;
const programs = startedOnce(async () => {
  database = await createTestDatabase();
  return RunningPrograms.start({ CONNECTOR_POLL_SECONDS: '2' }, database);
});
const auditor = startedOnce(async () => {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  return client;
});

/** Two jobs: the demo, and what failed of it once more. */
async function exportTwice(): Promise<void> {
  for (const jobs of [1, 2]) {
    await triggerExport(programs.clients.simulator);
    await programs.verdict();
    await waitFor(programs.clock, 'the certificate', WITHIN_MS, async () => {
      const { data } = await programs.clients.connector.read('/api/v1/certificates', certificates);
      return data.length === jobs ? data : undefined;
    });
  }
}

/** @returns a hash per table: of the connector's business, of the whole ledger, and of what was reported to the platform */
async function fingerprints(): Promise<Readonly<Record<string, string>>> {
  const { rows: tables } = await auditor.query<{ name: string }>(
    `SELECT schemaname || '.' || tablename AS name FROM pg_tables
     WHERE schemaname = 'ledger' OR (schemaname = 'simulator' AND tablename ~ '^(export|job)')`,
  );
  const all: Record<string, string> = {};
  for (const table of [...BUSINESS, ...tables.map(({ name }) => name)]) {
    const { rows } = await auditor.query<{ hash: string }>(
      `SELECT count(*)::text || ' ' || coalesce(md5(string_agg(each::text, E'\\n' ORDER BY each::text)), '') AS hash
       FROM ${table} AS each`,
    );
    all[table] = rows[0]?.hash ?? '';
  }
  return all;
}

async function redeliverEverything(): Promise<readonly number[]> {
  const webhooks = programs.connectorProxy.seen.filter(({ path }) => path.startsWith('/webhooks/'));
  const { url: baseUrl } = programs.connectorProxy;
  const client = new HttpClient({ baseUrl, timeoutMs: 10_000, maxResponseBytes: 10_000, maxConnections: 1 });
  const statuses: number[] = [];
  for (const { path, headers, body } of webhooks) {
    const header = (name: string) => String(headers[name]);
    const names = ['content-type', 'webhook-id', 'webhook-timestamp', 'webhook-signature', 'x-connector-key'];
    const answer = await client.send({
      method: 'POST',
      path,
      headers: Object.fromEntries(names.map((name) => [name, header(name)])),
      body: body.toString(),
    });
    statuses.push(answer.status);
  }
  client.close();
  return statuses;
}

async function reconcile() {
  const { connector } = programs.clients;
  const answer = await connector.post('/api/v1/reconciliation', {}, [202]);
  const { id } = connector.parse(requested, answer, 'reconciliation');
  return waitFor(programs.clock, 'the comparison', WITHIN_MS, async () => {
    const { data } = await connector.read('/api/v1/reconciliation', runs);
    return data.find((run) => run.id === id && run.state !== 'requested' && run.state !== 'running');
  });
}

it('redelivering the whole webhook history and reconciling twice changes nothing', async () => {
  await exportTwice();
  const before = await fingerprints();
  expect(before['ledger.journal_entry']).toMatch(/^1\d\d /);

  const statuses = await redeliverEverything();
  expect(statuses.length).toBeGreaterThan(1);
  expect(new Set(statuses)).toEqual(new Set([200]));
  const compared = { state: 'completed', discrepancies: 0, items: 152 };
  expect(await reconcile()).toMatchObject(compared);
  expect(await reconcile()).toMatchObject(compared);
  expect(await fingerprints()).toEqual(before);
});
