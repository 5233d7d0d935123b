import { z } from 'zod';
import { demoCompany } from '../../../../src/sandbox/launch/demo/demo-company.js';
import type { Outcome, Prepared, Scenario } from '../scenario.js';
import { difference, type World } from '../world.js';
import { exportOne, outcomeOf } from './exports.js';

/** The lease of a run is 60 s long; what is due is looked for every 30 s. Then the entry is exported again. */
const TAKEN_AGAIN_S = 150;
const CLASS = 'reversed-in-erp';
const runSchema = z.object({ id: z.string() });
/** Until an ended job is certified and compared, which asks for a reconciliation of its own. */
const COMPARED = `SELECT FROM connector.certificate WHERE export_job_id = $1 AND NOT EXISTS (
  SELECT FROM connector.reconciliation_run WHERE installation_id = $2 AND state IN ('requested', 'running'))`;
/** A second request of the person may have made a second job. */
const UNDER_WAY = `SELECT FROM simulator.export_job WHERE company_id = $1 AND status IN ('pending', 'in_progress')`;

/** An entry was reversed in the books: the reconciliation finds it, and a person has it exported again. */
export const reconcile: Scenario = async (world) => {
  const id = await exportOne(world);
  const [jobId = ''] = await jobsOf(world, id);
  await world.until('the comparison of the job', () => world.finds(COMPARED, [jobId, world.installationId]));
  const { ledger } = world.programs.clients;
  const entries = await world.texts(
    `SELECT e.id::text AS text FROM ledger.journal_entry e JOIN ledger.posting_group g ON g.id = e.posting_group_id
     WHERE g.key LIKE '%' || $1 || '%'`,
    [id],
  );
  for (const entry of entries) {
    await ledger.post(`/companies/${demoCompany.ledgerId}/journal-entries/${entry}/reversal`, {});
  }
  return { takenAgainS: TAKEN_AGAIN_S, begin: () => findAndRepair(world, { id, jobId }) } satisfies Prepared;
};

interface Entry {
  readonly id: string;
  /** The job that has posted it. */
  readonly jobId: string;
}

async function findAndRepair(world: World, entry: Entry): Promise<Outcome> {
  await requestReconciliation(world, entry);
  const [discrepancy = ''] = await openDiscrepancies(world, entry);
  await world.ask({
    method: 'POST',
    path: `/api/v1/discrepancies/${discrepancy}/actions`,
    json: { action: 're-export', note: 'reversed by mistake' },
    settledBy: ['entry-still-in-erp', 'settled'],
  });
  await world.until('the job of the re-export', async () => (await jobsOf(world, entry.id)).length > 1);
  const outcome = await outcomeOf(world, { posted: [entry.id], failing: [], reversed: 1 });
  return {
    ...outcome,
    isQuiet: async () => (await outcome.isQuiet()) && !(await world.finds(UNDER_WAY, [demoCompany.id])),
    check: async () => [...(await outcome.check()), ...(await checkRepair(world, entry))],
  };
}

/** Compares the job, and waits for the end of that. */
async function requestReconciliation(world: World, { jobId }: Entry): Promise<void> {
  const json = { exportJobId: jobId };
  const { id } = runSchema.parse(await world.ask({ method: 'POST', path: '/api/v1/reconciliation', json }));
  await world.until('the reconciliation', () =>
    world.finds(`SELECT FROM connector.reconciliation_run WHERE id = $1 AND state = 'completed'`, [id]),
  );
}

/** Found once, repaired once, and nothing is found any more. */
async function checkRepair(world: World, entry: Entry): Promise<readonly string[]> {
  await requestReconciliation(world, entry);
  const found = await world.texts(
    `SELECT class || ' ' || state AS text FROM connector.discrepancy WHERE accounting_entry_id = $1`,
    [entry.id],
  );
  return [
    ...difference('discrepancies of the entry (I36)', found, [`${CLASS} repaired`]),
    // A person without a response sends the request again: then a second job finds the entry posted.
    ...difference(
      'jobs of the entry, from two to three',
      [2, 3].includes((await jobsOf(world, entry.id)).length),
      true,
    ),
  ];
}

async function openDiscrepancies(world: World, { id }: Entry): Promise<readonly string[]> {
  return world.texts(
    `SELECT id::text AS text FROM connector.discrepancy WHERE accounting_entry_id = $1 AND state = 'open' AND class = $2`,
    [id, CLASS],
  );
}

/** Jobs of the platform with the entry. */
async function jobsOf(world: World, entryId: string): Promise<readonly string[]> {
  return world.texts(
    `SELECT export_job_id::text AS text FROM simulator.export_job_item WHERE accounting_entry_id = $1`,
    [entryId],
  );
}
