// Exports beside scripts, platform and accounting system being the real programs: what a user of the sandbox waits for, in turns on one
// database. One long job, and a small one of each of many companies that press Export at the same moment.
import process from 'node:process';
import { demoCompany } from '../build/sandbox/launch/demo/demo-company.js';
import { NODE_FLAGS } from '../build/sandbox/launch/child-program.js';
import { onOwnServer } from './fresh-database.mjs';
import { connectCompanies } from './pipeline/companies.mjs';
import { RealExports } from './pipeline/real-exports.mjs';
import { figure, medianRound, spinMs } from './pipeline/track.mjs';

const ITEMS = Number(process.env.BENCH_ITEMS ?? 3_000);
const COMPANIES = Number(process.env.BENCH_COMPANIES ?? 100);
const ITEMS_OF_COMPANY = 50;
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const WARM_UP = 500;

export async function realPrograms() {
  const runs = await onOwnServer(oneLongJob);
  return [...runs, ...(await onOwnServer(manySmallJobs))];
}

async function oneLongJob(url) {
  const runs = await RealExports.start(url);
  try {
    const jobsOf = (count) => [{ companyId: demoCompany.id, ledgerId: demoCompany.ledgerId, count }];
    await runs.byScript('A', jobsOf(WARM_UP));
    const { connector, again, A, A2 } = await rounds(runs, jobsOf(WARM_UP), jobsOf(ITEMS));
    const what = `a job of ${figure(ITEMS)} items, simulator and ledger as processes`;
    const against = (own, behind, other, name) => ({
      measured: `${what}, a worker with ${figure(behind)} items behind it: connector ${figure(own.perSecond)} items/s`,
      baseline: `${name} ${figure(other.perSecond)}`,
      ratio: own.perSecond / other.perSecond,
    });
    return [
      against(connector, WARM_UP, A, 'A, a script without any crash safety'),
      against(connector, WARM_UP, A2, 'A2, a script with the least of it'),
      against(again, WARM_UP + ITEMS, A2, 'A2'),
    ];
  } finally {
    await runs.close();
  }
}

async function manySmallJobs(url) {
  const runs = await RealExports.start(url);
  try {
    const jobs = await connectCompanies(runs.programs, runs.database, COMPANIES, ITEMS_OF_COMPANY);
    const { connector, again, A, A2 } = await rounds(runs, jobs.slice(0, 1), jobs);
    const what = `${COMPANIES} companies export ${ITEMS_OF_COMPANY} items each`;
    const against = (own, how, other, name) => ({
      measured: `${what}, a worker that ${how}: connector ${figure(own.ms)} ms`,
      baseline: `${name}, all jobs at once ${figure(other.ms)}`,
      ratio: own.ms / other.ms,
    });
    return [
      against(connector, 'has just started', A, 'A'),
      against(connector, 'has just started', A2, 'A2'),
      against(again, 'has done so once', A2, 'A2'),
    ];
  } finally {
    await runs.close();
  }
}

/** In turns; a worker of its own each time, warm before it counts, which does the same `again`. @returns the median round of each */
async function rounds(runs, warmUp, jobs) {
  const all = { connector: [], again: [], A: [], A2: [] };
  for (let round = 0; round < ROUNDS; round += 1) {
    const spin = spinMs();
    const twice = async () => {
      await runs.export(warmUp);
      all.connector.push(await runs.export(jobs));
      all.again.push(await runs.export(jobs));
    };
    await runs.programs.withWorker(twice, {}, NODE_FLAGS);
    all.A.push(await runs.byScript('A', jobs));
    all.A2.push(await runs.byScript('A2', jobs));
    const speeds = Object.entries(all).map(([name, done]) => `${name} ${figure(done.at(-1).perSecond)}`);
    const what = jobs.length === 1 ? 'a job' : `${jobs.length} jobs`;
    console.error(`real-programs: ${what}, round ${round + 1}: ${speeds.join(', ')} items/s; spin ${figure(spin)} ms`);
  }
  return Object.fromEntries(Object.entries(all).map(([name, done]) => [name, medianRound(done)]));
}
