// Unforeseen faults: programs killed and frozen, messages lost on every line, at random and again and again. The seed
// is printed by a failure; RANDOM_FAULTS_SEED and RANDOM_FAULTS_ROUNDS repeat it or go on for longer.
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { triggerExport } from '../../src/sandbox/launch/demo/trigger-export.js';
import { addPurchases } from '../support/add-purchases.js';
import { OF_THE_LEDGER } from '../support/exact-export.js';
import { RunningPrograms } from '../support/running-programs.js';
import { harmPrograms, letPass, loseMessages, type Harm } from '../support/random-harm.js';
import { randomNumbers } from '../support/random-numbers.js';

const SEED = Number(process.env['RANDOM_FAULTS_SEED'] ?? '20261121');
const ROUNDS = Number(process.env['RANDOM_FAULTS_ROUNDS'] ?? '2');
const PURCHASES = 300;
/** The demo's own: those that are posted, and those that stay in the queue because something has to be corrected. */
const DEMO_ENTRIES = 154;
const DEMO_FAILURES = 5;
/** Of all messages, at the request and again at the answer. */
const LOST = 0.03;

let programs: RunningPrograms;
beforeEach(async () => {
  programs = await RunningPrograms.start({
    CONNECTOR_POLL_SECONDS: '2',
    PLATFORM_REQUESTS_PER_MINUTE: '100000',
  });
});
afterEach(() => programs.stop());

it(`${ROUNDS.toString()} exports under random faults (seed ${SEED.toString()}): nothing lost, nothing twice, one verdict each`, async () => {
  const chance = randomNumbers(SEED);
  const second = await programs.addWorker();
  const lines = [programs.connectorProxy, programs.platformProxy, programs.ledgerProxy, second.ledgerProxy];
  const victims = [programs.api, programs.worker, second.program, programs.simulator, programs.ledger];
  const harm: Harm = { killed: 0, frozen: 0, lost: 0 };
  const jobs: string[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    await addPurchases(programs, round * PURCHASES, PURCHASES);
    loseMessages(lines, LOST, chance, harm);
    await triggerExport(programs.clients.simulator);
    const over = new AbortController();
    const harming = harmPrograms(victims, chance, over.signal, harm);
    await programs.clock.sleep(8_000);
    over.abort();
    await harming;
    letPass(lines);
    jobs.push((await programs.eventualVerdict(jobs)).id);
    await programs.areAllReady();
  }
  await expectBooksAsReported(jobs);
});

async function expectBooksAsReported(jobs: readonly string[]): Promise<void> {
  const journal = (await programs.journal()).filter((entry) => !entry.endsWith(OF_THE_LEDGER));
  expect(new Set(journal).size).toBe(journal.length);
  expect(journal).toHaveLength(DEMO_ENTRIES + ROUNDS * PURCHASES);
  const posted = new Set(journal.map((entry) => entry.slice(0, entry.indexOf('/'))));
  const successful: string[] = [];
  for (const job of jobs) {
    expect(await programs.acceptedEvents(job)).toEqual(['started', 'completed_with_errors']);
    const items = await programs.platformItems(job);
    const failed = items.filter(({ status }) => status === 'failed');
    expect(failed.map(({ accountingEntryId }) => posted.has(accountingEntryId))).toEqual(
      Array.from({ length: DEMO_FAILURES }, () => false),
    );
    const reported = items.filter(({ status, externalId }) => status === 'successful' && externalId != null);
    expect(reported).toHaveLength(items.length - DEMO_FAILURES);
    successful.push(...reported.map(({ accountingEntryId }) => accountingEntryId));
  }
  expect(new Set(successful)).toEqual(posted);
  expect(successful).toHaveLength(posted.size);
}
