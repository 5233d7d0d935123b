// One worker, four tenants with a huge job each: how long a small job of a fifth one takes from its detection to its verdict,
// against the same with nothing else to do. G19 aims at twice as long, which one process does not reach: docs/benchmarks.md.
import 'reflect-metadata';
import { clearInterval, setInterval } from 'node:timers';
import { setTimeout as sleep } from 'node:timers/promises';
import { WakeDueExports } from '../build/connector/exports/run/wake-due-exports.js';
import { LANES } from '../build/connector/exports/domain/lanes.js';
import { companyQueueTasksByLane } from '../build/connector/exports/exports.tasks.js';
import { TASKS } from '../build/connector/task-handlers.js';
import { ProcessCompanyQueue } from '../build/connector/exports/run/process-company-queue.js';
import { handler } from '../build/connector/tasks/task-definition.js';
import { TaskQueue } from '../build/connector/tasks/task-queue.js';
import { onOwnServer } from './fresh-database.mjs';
import { assertCompleted, LatePartners } from './late-partners.mjs';

const HUGE_JOBS = 4;
const ITEMS_IN_A_HUGE_JOB = 20_000;
const SMALL_JOBS = 10;
const ITEMS_IN_A_SMALL_JOB = 100;
const CHECK_EVERY_MS = 10;

export async function fairness() {
  return onOwnServer(besideHugeJobs);
}

async function besideHugeJobs(url) {
  const bench = await LatePartners.start(url);
  const wakeDueExports = bench.get(WakeDueExports);
  const queue = bench.get(ProcessCompanyQueue);
  await bench
    .get(TaskQueue)
    .work(
      LANES.map((lane) =>
        handler(companyQueueTasksByLane[lane], (task, signal) => queue.processUntilIdle(task, lane, signal)),
      ),
    );
  const { everyMs } = TASKS.find(({ kind }) => kind === 'sweep').schedule;
  const sweeping = setInterval(() => void wakeDueExports.wakeIdleCompanies(), everyMs);
  try {
    const small = await bench.addTenant();
    await secondsOfSmallJobs(bench, wakeDueExports, small);
    const alone = await secondsOfSmallJobs(bench, wakeDueExports, small);
    const huge = [];
    for (let count = 0; count < HUGE_JOBS; count += 1) {
      huge.push(await bench.addJob(await bench.addTenant(), ITEMS_IN_A_HUGE_JOB));
    }
    await wakeDueExports.wakeIdleCompanies();
    while (!huge.some(({ results }) => results > 0)) {
      await sleep(CHECK_EVERY_MS);
    }
    const beside = await secondsOfSmallJobs(bench, wakeDueExports, small);
    const isStillRunning = huge.some(({ status }) => status !== 'completed');
    await untilEnded(huge);
    return [
      {
        measured: `jobs of ${ITEMS_IN_A_SMALL_JOB} items beside ${HUGE_JOBS} of ${ITEMS_IN_A_HUGE_JOB}${isStillRunning ? '' : ' (ended meanwhile)'}, to their verdicts: ${figures(beside)}`,
        baseline: `alone: ${figures(alone)}`,
        ratio: median(beside) / median(alone),
      },
    ];
  } finally {
    clearInterval(sweeping);
    await bench.close();
  }
}

/** One after the other, each as it is detected. */
async function secondsOfSmallJobs(bench, wakeDueExports, tenant) {
  const seconds = [];
  for (let count = 0; count < SMALL_JOBS; count += 1) {
    const start = performance.now();
    const job = await bench.addJob(tenant, ITEMS_IN_A_SMALL_JOB);
    await wakeDueExports.wakeIdleCompanies();
    await untilEnded([job]);
    seconds.push((performance.now() - start) / 1_000);
  }
  return seconds.toSorted((one, other) => one - other);
}

async function untilEnded(jobs) {
  while (jobs.some(({ status }) => status === 'pending' || status === 'in_progress')) {
    await sleep(CHECK_EVERY_MS);
  }
  jobs.forEach(assertCompleted);
}

function median(sorted) {
  return sorted[Math.floor(sorted.length / 2)];
}

function figures(sorted) {
  return `${median(sorted).toFixed(2)} s, the slowest ${sorted.at(-1).toFixed(2)} s`;
}
