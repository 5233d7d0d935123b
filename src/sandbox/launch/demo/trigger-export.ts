import { z } from 'zod';
import type { Clock } from '../../../kernel/clock.js';
import { firstCustomer } from './demo-customers.js';
import type { ProgramClient } from './program-client.js';
import { waitFor } from './wait-for.js';

const FINAL_WITHIN_MS = 120_000;
const EXPORT_RUNS_ALREADY = 409;
const RUNNING: ReadonlySet<string> = new Set(['detected', 'running', 'verdict_decided']);

const jobSchema = z.object({
  id: z.string(),
  state: z.string(),
  numberOfItems: z.number(),
  successful: z.number(),
  failed: z.number(),
});
const jobsSchema = z.object({ data: z.array(jobSchema) });

export type ExportJob = z.output<typeof jobSchema>;

/** @returns the connector's newest job of the installation; undefined before the first */
export async function findNewestJob(connector: ProgramClient): Promise<ExportJob | undefined> {
  const { data } = await connector.read('/api/v1/jobs?limit=1', jobsSchema);
  return data[0];
}

/** Presses Export as a person on the platform would. Nothing happens while an export is running already. */
export async function triggerExport(simulator: ProgramClient, { company, people } = firstCustomer): Promise<void> {
  const request = { vendorBasedBookkeeping: true, employeeId: people[0].id };
  await simulator.post(`/control/companies/${company.id}/export`, request, [EXPORT_RUNS_ALREADY]);
}

/**
 * Waits until the newest job has its verdict.
 *
 * @param progress called whenever more items are done.
 * @throws Permanent after two minutes; NoResponse.
 */
export async function waitForVerdict(
  connector: ProgramClient,
  clock: Clock,
  progress: (line: string) => void,
): Promise<ExportJob> {
  let reported = 0;
  return waitFor(clock, 'the export', FINAL_WITHIN_MS, async () => {
    const job = await findNewestJob(connector);
    if (job === undefined || !RUNNING.has(job.state)) {
      return job;
    }
    const done = job.successful + job.failed;
    if (done > reported) {
      reported = done;
      progress(`${done.toString()} of ${job.numberOfItems.toString()} entries done`);
    }
    return undefined;
  });
}
