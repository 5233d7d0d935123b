// Month end: many companies press Export within the same moment, each for a small job. The real worker beside a script with the least
// of crash safety, which takes all jobs at once.
import process from 'node:process';
import pg from 'pg';
import { onOwnServer } from './fresh-database.mjs';
import { connectCompanies, detectNow } from './pipeline/companies.mjs';
import { figure, medianRound, spinMs, Track } from './pipeline/track.mjs';

const COMPANIES = Number(process.env.BENCH_COMPANIES ?? 100);
const ITEMS = Number(process.env.BENCH_ITEMS ?? 50);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);

export async function burst() {
  return onOwnServer(allAtOnce);
}

async function allAtOnce(url) {
  const track = await Track.start(url);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const jobs = await connectCompanies(track.programs, client, COMPANIES, ITEMS);
    const detect = () => detectNow(client);
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
