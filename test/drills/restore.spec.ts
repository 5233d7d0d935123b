import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { migrateConnector } from '../../src/connector/migrate-connector.js';
import type { Passing } from '../../src/erp-contract/http-proxy.js';
import { administer, createDatabase } from '../../src/foundation/database/server-admin.js';
import { EmbeddedPostgres } from '../../src/foundation/embedded-postgres/embedded-postgres.js';
import { triggerExport } from '../../src/sandbox/launch/demo/trigger-export.js';
import { addPurchases } from '../support/add-purchases.js';
import { RunningPrograms } from '../support/running-programs.js';
import { archiveLog, FollowingProxy, killServer, startFromBackup, waitForArchive } from './postgres-pair.js';

// The connector's server is lost, and comes back as its base backup has it. Platform and ERP have gone on meanwhile: one export was running
// while the backup was made, another came after it.

const PURCHASES = 25;
/** Of the demo's items. */
const DEMO_POSTED = 142;
const DAY_MS = 86_400_000;
const runsSchema = z.object({
  data: z.array(z.object({ id: z.string(), state: z.string(), discrepancies: z.number(), repaired: z.number() })),
});
const discrepanciesSchema = z.object({
  data: z.array(z.object({ class: z.string(), subject: z.string(), state: z.string() })),
});

let folder: string;
let server: EmbeddedPostgres;
let restored: EmbeddedPostgres | undefined;
let address: FollowingProxy;
let programs: RunningPrograms;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'restore-'));
  server = await EmbeddedPostgres.start({ folder: join(folder, 'first'), durable: true });
  await createDatabase(server.url('postgres'), 'drill');
  await migrateConnector(server.url('drill'));
  address = await FollowingProxy.start(portOf(server));
  const url = new URL(server.url('drill'));
  url.port = address.port.toString();
  programs = await RunningPrograms.start({ DATABASE_URL: url.href });
}, 180_000);
afterEach(async () => {
  await programs.stop();
  await address.close();
  await restored?.stop();
  await server.stop();
  await rm(folder, { recursive: true, force: true });
}, 120_000);

const portOf = (one: EmbeddedPostgres) => Number(new URL(one.url('postgres')).port);

/** @returns how many discrepancies were seen and repaired, and those that are open */
async function reconcile() {
  const { connector } = programs.clients;
  const now = programs.clock.now().getTime();
  const json = {
    from: new Date(now - 90 * DAY_MS).toISOString(),
    until: new Date(now + DAY_MS).toISOString(),
  };
  await connector.post('/api/v1/reconciliation', json, [202]);
  for (;;) {
    const [run] = (await connector.read('/api/v1/reconciliation', runsSchema)).data;
    if (run !== undefined && ['completed', 'failed'].includes(run.state)) {
      const { data } = await connector.read('/api/v1/discrepancies?state=open&limit=500', discrepanciesSchema);
      return { run, open: data };
    }
    await programs.clock.sleep(200);
  }
}

/** `<accounting entry>: <state of its newest revision>`, of the connector's record. */
async function recorded(one: EmbeddedPostgres): Promise<readonly string[]> {
  const rows = await administer(
    one.url('drill'),
    `SELECT DISTINCT ON (accounting_entry_id) accounting_entry_id || ': ' || state AS entry FROM connector.posting_intent
     ORDER BY accounting_entry_id, revision DESC`,
  );
  return rows.map((row) => String(row['entry']));
}

it('a restored backup imports what was posted since, and nothing is posted twice', async () => {
  const archive = await archiveLog(server);
  const { promise: begun, resolve: begin } = Promise.withResolvers<undefined>();
  const { promise: backedUp, resolve: goOn } = Promise.withResolvers<true>();
  programs.ledgerProxy.boundaries = {
    onRequest: ({ method, path }: Passing) => {
      if (method !== 'POST' || !path.endsWith('/posting-groups')) {
        return true;
      }
      begin(undefined);
      return backedUp;
    },
  };
  await programs.areAllReady();
  await triggerExport(programs.clients.simulator);
  await begun;
  restored = await startFromBackup(server, join(folder, 'second'), join(folder, 'first'), async (copy) => {
    goOn(true);
    const first = await programs.eventualVerdict();
    await addPurchases(programs, 0, PURCHASES);
    await triggerExport(programs.clients.simulator);
    await programs.eventualVerdict([first.id]);
    await waitForArchive(server, archive);
    await killServer(server);
    await Promise.all([programs.worker.stop(), programs.api.stop()]);
    await writeFile(join(copy, 'recovery.signal'), '');
    await appendFile(
      join(copy, 'postgresql.auto.conf'),
      `restore_command = 'cp ${archive}/%f %p'\nrecovery_target = 'immediate'\nrecovery_target_action = 'promote'\narchive_mode = off\n`,
    );
  });
  const journal = await programs.journal();
  const before = await recorded(restored);
  address.follow(portOf(restored));
  await Promise.all([programs.api.start(), programs.worker.start()]);
  // The job that the backup has as running has ended on the platform.
  while ((await programs.jobCount()) > 0 && !(await isClosed())) {
    await programs.clock.sleep(200);
  }
  const { run, open } = await reconcile();
  const after = await recorded(restored);
  const count = (entries: readonly string[], state: string) =>
    entries.filter((entry) => entry.endsWith(`: ${state}`)).length;
  process.stdout.write(
    `restored: ${count(before, 'posted').toString()} entries posted in the backup's record, ${count(after, 'posted').toString()} after the ` +
      `comparison (${run.repaired.toString()} taken over), ${open.length.toString()} of a job unknown to it; ${journal.length.toString()} in the books\n`,
  );
  // All of the job that the backup knew; of the one it did not, each entry stands as one to accept. Nothing is in the books twice.
  expect([count(before, 'posted'), after.length, count(after, 'posted')]).toEqual([0, DEMO_POSTED, DEMO_POSTED]);
  expect(open.map((one) => one.class)).toEqual(Array.from({ length: PURCHASES }, () => 'orphan-entry'));
  expect(new Set(journal).size).toBe(journal.length);
  expect(await programs.journal()).toEqual(journal);
}, 300_000);

async function isClosed(): Promise<boolean> {
  const schema = z.object({ data: z.array(z.object({ state: z.string() })) });
  const { data } = await programs.clients.connector.read('/api/v1/jobs?limit=100', schema);
  return data.every(({ state }) => !['detected', 'running', 'verdict_decided'].includes(state));
}
