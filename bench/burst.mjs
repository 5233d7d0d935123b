// Month end: many companies press Export within the same moment, each for a small job. The real worker beside a script with the least
// of crash safety, which takes all jobs at once.
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { EmbeddedPostgres } from '../dist/foundation/embedded-postgres/embedded-postgres.js';
import { firstCustomer } from '../dist/sandbox/launch/demo/demo-customers.js';
import { onFreshDatabase } from './fresh-database.mjs';
import { figure, medianRound, spinMs, Track } from './pipeline/track.mjs';

const COMPANIES = Number(process.env.BENCH_COMPANIES ?? 100);
const ITEMS = Number(process.env.BENCH_ITEMS ?? 50);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
/** A second apart. */
const LOOKS = 300;

export async function burst() {
  const server = await EmbeddedPostgres.start({ folder: join('.data', 'bench-postgres'), durable: true });
  try {
    return await onFreshDatabase(server, allAtOnce);
  } finally {
    await server.stop();
  }
}

async function allAtOnce(url) {
  const track = await Track.start(url);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const customers = Array.from({ length: COMPANIES }, (_, index) => customer(index + 1));
    await track.programs.withWorker(async () => {
      for (const each of customers) await track.programs.connect(each);
      await untilQuiet(client);
    });
    const jobs = customers.map(({ company }) => ({
      companyId: company.id,
      ledgerId: company.ledgerId,
      count: ITEMS,
    }));
    const detect = () => client.query('UPDATE connector.installation SET next_poll_at = now()');
    const done = { connector: [], A2: [] };
    for (let round = 0; round < ROUNDS; round += 1) {
      const spin = spinMs();
      done.connector.push(await track.byConnector(jobs.slice(0, 1), jobs, detect));
      done.A2.push(await track.byScript('A2', jobs));
      const times = Object.entries(done).map(([name, rounds]) => `${name} ${figure(rounds.at(-1).ms)}`);
      console.error(`burst: round ${round + 1}: ${times.join(', ')} ms; spin ${figure(spin)} ms`);
    }
    return compared(medianRound(done.connector), medianRound(done.A2));
  } finally {
    await client.end();
    await track.close();
  }
}

/** What a new connection brings about is no part of an export: its lists are read, its mapping is compared. */
async function untilQuiet(client) {
  for (let look = 0; look < LOOKS; look += 1) {
    const { rows } = await client.query(`
      SELECT (SELECT count(*) FROM connector.sync_run WHERE state IN ('requested', 'running'))::int AS syncs,
        (SELECT count(*) FROM connector.drift_check WHERE checked_at IS NOT NULL)::int AS compared`);
    if (rows[0].syncs === 0 && rows[0].compared >= COMPANIES) return;
    await sleep(1_000);
  }
  throw new Error('the worker has not finished what the new connections brought about');
}

/** A company like that of the demo. */
function customer(number) {
  const id = (kind) => `b0057000-000${kind}-4000-8000-${number.toString(16).padStart(12, '0')}`;
  const registrationNumber = String(20_000_000 + number);
  const people = firstCustomer.people.slice(0, 1).map((person) => ({ ...person, id: id(3) }));
  const company = { ...firstCustomer.company, id: id(1), ledgerId: id(2), registrationNumber };
  return { ...firstCustomer, company, people, emailDomain: `company-${number}.example` };
}

function compared(connector, A2) {
  const what = `${COMPANIES} companies export ${ITEMS} items each`;
  const ratio = (name, value, unit) => ({
    measured: `${what}: ${name} ${figure(value(connector))} ${unit}`,
    baseline: `A2 ${figure(value(A2))}`,
    ratio: value(connector) / value(A2),
  });
  return [
    ratio('from the first request to the last verdict', ({ ms }) => ms, 'ms'),
    ratio('CPU of worker and PostgreSQL', cpuOfJob, 'ms a job'),
    ratio('requests to the platform', (run) => run.requests / run.jobs, 'a job'),
  ];
}

function cpuOfJob({ workerSeconds, databaseSeconds, jobs }) {
  return ((workerSeconds + databaseSeconds) * 1_000) / jobs;
}
