// The export pipeline beside rivals in one run: the real worker over HTTP against a platform and an accounting system that answer
// from memory, and a script that does the same without our guarantees (`pipeline/script.mjs`), in turns on one database.
import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import process from 'node:process';
import { EmbeddedPostgres } from '../dist/foundation/embedded-postgres/embedded-postgres.js';
import { demoCompany } from '../dist/sandbox/launch/demo/demo-company.js';
import { onFreshDatabase } from './fresh-database.mjs';
import { Costs } from './pipeline/costs.mjs';
import { Programs } from './programs.mjs';

const ITEMS = Number(process.env.BENCH_ITEMS ?? 10_000);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const WARM_UP = 1_000;
/** The naive rival needs as long for a tenth. */
const SHARE_OF_B = 0.1;
const LATENCY_MS = Number(process.env.BENCH_LATENCY_MS ?? 20);
const WAIT_MS = 300_000;

export async function pipeline() {
  const server = await EmbeddedPostgres.start({ folder: join('.data', 'bench-postgres'), durable: true });
  try {
    return await onFreshDatabase(server, rivals);
  } finally {
    await server.stop();
  }
}

async function rivals(url) {
  const programs = await Programs.start(url);
  const { simulator, ledger } = programs.addresses;
  const partners = fork('bench/pipeline/stub-partners.mjs', [simulator, ledger]);
  const [addresses] = await once(partners, 'message');
  const script = fork('bench/pipeline/script.mjs', [url, addresses.platform, addresses.ledger, demoCompany.ledgerId]);
  await once(script, 'message');
  const costs = await Costs.connect(url);
  const run = { programs, partners, addresses, script, costs };
  try {
    await costs.leaveOutReconciliation();
    await byScript(run, 'A2', WARM_UP);
    const prompt = await rounds(run, 0);
    const late = await rounds(run, LATENCY_MS);
    return [...compared(prompt, 'answering at once'), ...compared(late, `${LATENCY_MS} ms late`).slice(0, 1)];
  } finally {
    await costs.close();
    script.disconnect();
    partners.kill();
    await programs.close();
  }
}

/** In turns, so that a busy moment of the machine meets all alike. @returns the median round of each */
async function rounds(run, latency) {
  run.partners.send({ latency });
  const all = { connector: [], A: [], A2: [], B: [] };
  for (let round = 0; round < ROUNDS; round += 1) {
    const spin = spinMs();
    all.connector.push(await byConnector(run));
    all.A.push(await byScript(run, 'A', ITEMS));
    all.A2.push(await byScript(run, 'A2', ITEMS));
    if (latency === 0) all.B.push(await byScript(run, 'B', ITEMS * SHARE_OF_B));
    const speeds = Object.entries(all).map(([name, done]) => `${name} ${figure(done.at(-1)?.perSecond ?? 0)}`);
    console.error(
      `pipeline: ${latency} ms late, round ${round + 1}: ${speeds.join(', ')} items/s; spin ${figure(spin)} ms`,
    );
  }
  return Object.fromEntries(Object.entries(all).map(([name, done]) => [name, median(done)]));
}

/** A worker of its own for each round, warm before it counts. */
async function byConnector({ programs, partners, addresses, costs }) {
  const environment = {
    PLATFORM_API_URL: addresses.platform,
    LEDGER_URL: addresses.ledger,
    CONNECTOR_POLL_SECONDS: '1',
  };
  return programs.withWorker(
    async (worker) => {
      await exported(partners, WARM_UP);
      return costs.of(worker.pid, () => exported(partners, ITEMS));
    },
    environment,
    [],
  );
}

async function byScript({ partners, script, costs }, rival, items) {
  return costs.of(script.pid, () => exported(partners, items, (job) => script.send({ rival, job })));
}

/** One job from the first request about it to its final event. */
async function exported(partners, count, begin = () => undefined) {
  const id = randomUUID();
  const signal = globalThis.AbortSignal.timeout(WAIT_MS);
  const ended = once(partners, 'message', { signal });
  partners.send({ newJob: { id, companyId: demoCompany.id, count } });
  begin(id);
  const [{ status, results, posted, failed, requests, ms }] = await ended;
  if (status !== 'completed' || results !== count || posted !== count) {
    throw new Error(`the job is ${status}: ${results} of ${count} reported, ${failed} failed, ${posted} posted`);
  }
  return { count, requests, perSecond: (count / ms) * 1_000 };
}

function compared({ connector, A, A2, B }, how) {
  const ofConnector = (figures) => `connector ${figures}`;
  const each = (run, value) => value(run) / run.count;
  const ratio = (what, value, unit, other = A2, name = 'A2') => ({
    measured: ofConnector(`${what} ${figure(each(connector, value))} ${unit}`),
    baseline: `${name} ${figure(each(other, value))}`,
    ratio: each(connector, value) / each(other, value),
  });
  const speed = (other, name) => ({
    measured: ofConnector(`${figure(connector.perSecond)} items/s, ${how}`),
    baseline: `${name} ${figure(other.perSecond)}`,
    ratio: connector.perSecond / other.perSecond,
  });
  return [
    speed(A2, 'A2, a script with the least of crash safety'),
    speed(A, 'A, a script without any'),
    ...(B === undefined ? [] : [speed(B, 'B, item by item')]),
    ratio('CPU of worker and PostgreSQL', (run) => (run.workerSeconds + run.databaseSeconds) * 1e6, 'µs an item'),
    ratio('WAL', (run) => run.walBytes, 'bytes an item'),
    ratio('commits per 1,000 items', (run) => run.commits * 1_000, ''),
    ratio('platform requests per 1,000 items', (run) => run.requests * 1_000, ''),
  ];
}

function median(runs) {
  return runs.toSorted((one, other) => one.perSecond - other.perSecond)[Math.floor(runs.length / 2)];
}

/** What a fixed piece of arithmetic takes now: how busy the machine is. */
function spinMs() {
  const start = performance.now();
  let sum = 0;
  for (let index = 0; index < 50_000_000; index += 1) sum += index % 7;
  return sum > 0 ? performance.now() - start : 0;
}

function figure(value) {
  return (value < 10 ? Math.round(value * 10) / 10 : Math.round(value)).toLocaleString('en');
}
