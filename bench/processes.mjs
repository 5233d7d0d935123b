// What more processes bring on one database: 1, 2 and 4 workers for many small exports at the same moment, and 1, 2 and 4 API
// processes for callers that ask without a pause. Each ratio is against one process in the same run.
import { Agent, request } from 'node:http';
import { availableParallelism } from 'node:os';
import process from 'node:process';
import pg from 'pg';
import { freePort } from '../build/foundation/process/free-port.js';
import { onOwnServer } from './fresh-database.mjs';
import { connectCompanies, detectNow } from './pipeline/companies.mjs';
import { figure, medianRound, spinMs, Track } from './pipeline/track.mjs';

const COUNTS = [1, 2, 4];
const COMPANIES = Number(process.env.BENCH_COMPANIES ?? 40);
const ITEMS = Number(process.env.BENCH_ITEMS ?? 50);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 2);
/** Of platform and accounting system, so that workers wait as they do for real ones. */
const LATENCY_MS = 20;
const CALLERS = 16;
const ASKED_MS = 5_000;

export async function processes() {
  return onOwnServer(measure);
}

async function measure(url) {
  const track = await Track.start(url);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const jobs = await connectCompanies(track.programs, client, COMPANIES, ITEMS);
    track.answerLate(LATENCY_MS);
    const detect = () => detectNow(client);
    const workers = COUNTS.map(() => []);
    const apis = COUNTS.map(() => []);
    for (let round = 0; round < ROUNDS; round += 1) {
      const spin = spinMs();
      for (const [index, count] of COUNTS.entries()) {
        workers[index].push(await track.byWorkers(count, jobs.slice(0, 1), jobs, detect));
        apis[index].push(await askedOf(track.programs, count));
      }
      const last = [workers, apis].map((all) => all.map((rounds) => figure(rounds.at(-1).perSecond)).join(', '));
      console.error(
        `processes: round ${round + 1}: ${last[0]} items/s; ${last[1]} requests/s; spin ${figure(spin)} ms`,
      );
    }
    return [
      ...compared(
        workers,
        `workers, ${COMPANIES} companies export ${ITEMS} items each, partners ${LATENCY_MS} ms late`,
        'items/s',
      ),
      ...compared(apis, `API processes, ${CALLERS} callers ask for the overview`, 'requests/s'),
    ];
  } finally {
    await client.end();
    await track.close();
  }
}

function compared(all, what, unit) {
  const [one, ...more] = all.map((rounds) => medianRound(rounds).perSecond);
  return more.map((each, index) => ({
    measured: `${COUNTS[index + 1]} ${what}, on ${availableParallelism()} cores: ${figure(each)} ${unit}`,
    baseline: `1: ${figure(one)}`,
    ratio: each / one,
  }));
}

/** The API that runs already, and as many more as it takes. */
async function askedOf(programs, count) {
  const started = [];
  try {
    const addresses = [programs.addresses.connector];
    while (addresses.length < count) {
      const port = await freePort();
      const api = programs.newApi(String(port), String(await freePort()));
      await api.start();
      started.push(api);
      addresses.push(`http://127.0.0.1:${port}`);
    }
    const agent = new Agent({ keepAlive: true });
    await askUntil(addresses, programs.token, agent, performance.now() + 1_000);
    const answered = await askUntil(addresses, programs.token, agent, performance.now() + ASKED_MS);
    agent.destroy();
    return { perSecond: (answered * 1_000) / ASKED_MS };
  } finally {
    for (const api of started) await api.stop();
  }
}

async function askUntil(addresses, token, agent, end) {
  let answered = 0;
  const caller = async (index) => {
    while (performance.now() < end) {
      await ask(`${addresses[index % addresses.length]}/api/v1/overview`, token, agent);
      answered += 1;
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, (_, index) => caller(index)));
  return answered;
}

function ask(address, token, agent) {
  return new Promise((resolve, reject) => {
    const asked = request(
      address,
      { agent, headers: { authorization: `Bearer ${token}` }, timeout: 30_000 },
      (answer) => {
        answer.resume();
        answer.once('end', () =>
          answer.statusCode === 200 ? resolve() : reject(new Error(`the overview answered ${answer.statusCode}`)),
        );
      },
    );
    asked.once('timeout', () => asked.destroy(new Error('the overview did not answer')));
    asked.once('error', reject);
    asked.end();
  });
}
