import { afterEach, beforeEach, expect, it } from '@jest/globals';
import type pg from 'pg';
import type { DemoCustomer } from '../../src/sandbox/launch/demo/demo-customers.js';
import type { ExportItem } from '../../src/sandbox/launch/demo/items/export-item.js';
import { harmPrograms, letPass, loseMessages, type Harm } from '../support/random-harm.js';
import { randomNumbers } from '../support/random-numbers.js';
import { RunningPrograms } from '../support/running-programs.js';
import { connectAsAdmin, createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { connectMore, purchaseOf } from './more-companies.js';

// Many companies export at the same time while programs die, stand still and lose messages, by seed, for as long as is said. After each
// round the records of platform, ledger and connector are compared.

/** `npm run drill -- faults 60`. */
const MINUTES = Number(process.env['DRILL_MINUTES'] ?? '5');
const SEED = Number(process.env['RANDOM_FAULTS_SEED'] ?? '20261126');
const COMPANIES = Number(process.env['DRILL_COMPANIES'] ?? '50');
const MAX_ITEMS = 20;
/** Of the exports: they have one entry whose account is no good. */
const WITH_FAILURE = 0.2;
/** Of all messages, at the request and again at the answer. */
const LOST = 0.02;
const HARM_MS = 15_000;
/** After the last harm: programs start, leases of dead workers end, and a refresh without a response is repeated after five minutes. */
const QUIET_WITHIN_MS = 480_000;
/**
 * For which the platform takes a used refresh token again. Where it does not, a lost response to a refresh ends the connection,
 * whatever the connector does (docs/rules/faults.md, H3).
 */
const REFRESH_GRACE_SECONDS = 900;
const LOOK_EVERY_MS = 1_000;
const LIMIT_MS = (MINUTES + 30) * 60_000;

/** What one company exports in a round. */
interface Export {
  readonly customer: DemoCustomer;
  readonly items: readonly ExportItem[];
  readonly failing: string | undefined;
}

let server: TestDatabase;
let programs: RunningPrograms;
let database: pg.Client;
beforeEach(async () => {
  server = await createTestDatabase();
  const environment = { CONNECTOR_POLL_SECONDS: '20', PLATFORM_REQUESTS_PER_MINUTE: '100000', LOG_LEVEL: 'warn' };
  programs = await RunningPrograms.start({ DATABASE_URL: server.url, ...environment }, server);
  database = await connectAsAdmin(server.url);
}, 120_000);
afterEach(async () => {
  await database.end();
  await programs.stop();
}, 120_000);

it(
  `${COMPANIES.toString()} companies, ${MINUTES.toString()} minutes of random faults (seed ${SEED.toString()}): nothing is lost or duplicated, every job has a verdict`,
  async () => {
    const chance = randomNumbers(SEED);
    const [second, api] = [await programs.addWorker(), await programs.addApi()];
    const settings = { refreshRotation: 'grace', refreshGraceSeconds: REFRESH_GRACE_SECONDS };
    await programs.clients.simulator.put('/control/settings', { json: settings });
    const customers = await connectMore(programs, COMPANIES);
    const lines = [programs.connectorProxy, programs.platformProxy, programs.ledgerProxy, second.ledgerProxy];
    const victims = [programs.api, api.program, programs.worker, second.program, programs.simulator, programs.ledger];
    const harm: Harm = { killed: 0, frozen: 0, lost: 0 };
    const done = { rounds: 0, exports: 0, items: 0 };
    const violations: string[] = [];
    const end = Date.now() + MINUTES * 60_000;
    while (Date.now() < end && violations.length === 0) {
      const exports = customers.map((customer) => newExport(customer, chance, done));
      for (const { customer, items } of exports) {
        await programs.clients.simulator.post(`/control/companies/${customer.company.id}/items`, items);
      }
      loseMessages(lines, LOST, chance, harm);
      // However far people have come by then: a busy machine starts programs more slowly than they are killed.
      const harming = harmPrograms(victims, chance, AbortSignal.timeout(HARM_MS), harm).finally(() => {
        letPass(lines);
      });
      for (const each of exports) {
        await press(each);
      }
      await harming;
      await programs.areAllReady();
      violations.push(...(await untilQuiet(exports)));
      violations.push(...(await check(exports)));
      done.rounds += 1;
      console.log(JSON.stringify({ ...done, ...harm, violations: violations.length }));
    }
    violations.push(...(await leftOver()));
    expect(violations).toEqual([]);
  },
  LIMIT_MS,
);

function newExport(customer: DemoCustomer, chance: () => number, done: { exports: number; items: number }): Export {
  const count = 1 + Math.floor(chance() * MAX_ITEMS);
  const hasFailure = chance() < WITH_FAILURE;
  const items = Array.from({ length: count }, (_, index) => {
    done.items += 1;
    return purchaseOf(customer, done.items, hasFailure && index === 0 ? '6475' : undefined);
  });
  done.exports += 1;
  return { customer, items, failing: hasFailure ? items[0]?.accountingEntryId : undefined };
}

/** As a person would: again when there was no answer, unless the export is there. */
async function press({ customer, items }: Export): Promise<void> {
  const accountingEntryIds = items.map(({ accountingEntryId }) => accountingEntryId);
  const request = { accountingEntryIds, vendorBasedBookkeeping: true, employeeId: customer.people[0].id };
  for (;;) {
    const isPressed = await programs.clients.simulator
      .post(`/control/companies/${customer.company.id}/export`, request)
      .then(
        () => true,
        () => false,
      );
    const job = `SELECT FROM simulator.export_job_item WHERE accounting_entry_id = $1`;
    if (isPressed || (await database.query(job, [accountingEntryIds[0]])).rows.length > 0) {
      return;
    }
    await programs.clock.sleep(LOOK_EVERY_MS);
  }
}

/** @returns a sentence for each export that has not come to its end in time */
async function untilQuiet(exports: readonly Export[]): Promise<readonly string[]> {
  const until = Date.now() + QUIET_WITHIN_MS;
  for (;;) {
    const { rows } = await database.query<{ text: string }>(
      `SELECT 'not at an end: ' || p.id || ' ' || p.status || ', in the connector ' || coalesce(c.state, 'unknown') AS text
       FROM simulator.export_job p LEFT JOIN connector.export_job c ON c.id = p.id
       WHERE p.id IN (SELECT export_job_id FROM simulator.export_job_item WHERE accounting_entry_id = ANY($1))
         AND (c.state IS NULL OR c.state IN ('detected', 'running', 'verdict_decided') OR p.status IN ('pending', 'in_progress')
           OR EXISTS (SELECT FROM connector.outbox o WHERE o.export_job_id = c.id AND o.delivered_at IS NULL))`,
      [exports.flatMap(({ items }) => items.map(({ accountingEntryId }) => accountingEntryId))],
    );
    if (rows.length === 0 || Date.now() > until) {
      return rows.map(({ text }) => text);
    }
    await programs.clock.sleep(LOOK_EVERY_MS);
  }
}

/** Where nothing was posted, the job has failed. */
function verdictOf(count: number, failing: string | undefined): string {
  if (failing === undefined) {
    return 'completed';
  }
  return count === 1 ? 'failed' : 'completed_with_errors';
}

/** @returns a sentence for each invariant that is broken: I1, I4, I10, I18 */
async function check(exports: readonly Export[]): Promise<readonly string[]> {
  const expected = exports.flatMap(({ customer, items, failing }) =>
    items.map(({ accountingEntryId: id }) => ({
      id,
      ledgerId: customer.company.ledgerId,
      verdict: verdictOf(items.length, failing),
      isPosted: id !== failing,
    })),
  );
  const { rows } = await database.query<{ text: string }>(
    `WITH expected AS (SELECT * FROM json_to_recordset($1) AS e (id uuid, "ledgerId" uuid, verdict text, "isPosted" boolean)),
       books AS (SELECT g.key, count(*) AS entries, min(e.company_id::text)::uuid AS company FROM ledger.journal_entry e
         JOIN ledger.posting_group g ON g.id = e.posting_group_id
         WHERE g.key IN (SELECT id::text FROM expected) AND e.role <> 'realized-fx' GROUP BY g.key),
       seen AS (SELECT expected.*, job.id AS job_id, coalesce(books.entries, 0) AS entries, books.company, item.status,
           item.external_id AS reported, (SELECT string_agg(event, ' ' ORDER BY id) FROM simulator.export_job_event v
             WHERE v.export_job_id = job.id) AS events,
           (SELECT p.state FROM connector.posting_intent p WHERE p.accounting_entry_id = expected.id
             ORDER BY revision DESC LIMIT 1) AS intent,
           (SELECT p.external_id FROM connector.posting_intent p WHERE p.accounting_entry_id = expected.id
             ORDER BY revision DESC LIMIT 1) AS kept
         FROM expected LEFT JOIN simulator.export_job_item item ON item.accounting_entry_id = expected.id
         LEFT JOIN simulator.export_job job ON job.id = item.export_job_id LEFT JOIN books ON books.key = expected.id::text)
     SELECT 'entry ' || id || ' of job ' || coalesce(job_id::text, 'none') || ': ' || row_to_json(seen)::text AS text FROM seen
     WHERE entries <> CASE WHEN "isPosted" THEN 1 ELSE 0 END
       OR status IS DISTINCT FROM CASE WHEN "isPosted" THEN 'successful' ELSE 'failed' END
       OR "isPosted" AND company IS DISTINCT FROM "ledgerId"
       OR events IS DISTINCT FROM 'started ' || verdict
       OR "isPosted" AND (intent, kept) IS DISTINCT FROM ('posted', reported)
     UNION ALL SELECT 'in doubt: ' || accounting_entry_id FROM connector.uncertain_posting`,
    [JSON.stringify(expected)],
  );
  return rows.map(({ text }) => text);
}

/** What still is under way when everything should have come to rest, and certificates that are missing or not clean. */
async function leftOver(): Promise<readonly string[]> {
  const until = Date.now() + QUIET_WITHIN_MS;
  for (;;) {
    const { rows } = await database.query<{ text: string }>(
      `SELECT 'no certificate of ' || id AS text FROM connector.export_job j
       WHERE NOT EXISTS (SELECT FROM connector.certificate c WHERE c.export_job_id = j.id)
       UNION ALL SELECT 'certificate with discrepancies of ' || export_job_id FROM connector.certificate WHERE discrepancies > 0
       UNION ALL SELECT 'lease of ' || company_id FROM connector.company_lease WHERE expires_at > now()
       UNION ALL SELECT 'task ' || name || ' is ' || state FROM pgboss.job WHERE state = 'active'`,
    );
    if (rows.length === 0 || Date.now() > until) {
      return rows.map(({ text }) => text);
    }
    await programs.clock.sleep(LOOK_EVERY_MS);
  }
}
