// The export pipeline beside rivals in one run: the real worker over HTTP against a platform and an accounting system that answer
// from memory, and a script that does the same without our guarantees (`pipeline/script.mjs`), in turns on one database.
import process from 'node:process';
import { demoCompany } from '../build/sandbox/launch/demo/demo-company.js';
import { onOwnServer } from './fresh-database.mjs';
import { figure, medianRound, spinMs, Track } from './pipeline/track.mjs';

const ITEMS = Number(process.env.BENCH_ITEMS ?? 10_000);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const WARM_UP = 1_000;
/** The naive rival needs as long for a tenth. */
const SHARE_OF_B = 0.1;
const LATENCY_MS = Number(process.env.BENCH_LATENCY_MS ?? 20);

export async function pipeline() {
  return onOwnServer(rivals);
}

async function rivals(url) {
  const track = await Track.start(url);
  try {
    await track.byScript('A2', jobsOf(WARM_UP));
    const prompt = await rounds(track, 0);
    const late = await rounds(track, LATENCY_MS);
    return [...compared(prompt, 'answering at once'), ...compared(late, `${LATENCY_MS} ms late`).slice(0, 1)];
  } finally {
    await track.close();
  }
}

function jobsOf(count) {
  return [{ companyId: demoCompany.id, ledgerId: demoCompany.ledgerId, count }];
}

/** In turns, so that a busy moment of the machine meets all alike. @returns the median round of each */
async function rounds(track, latency) {
  track.answerLate(latency);
  const all = { connector: [], A: [], A2: [], B: [] };
  for (let round = 0; round < ROUNDS; round += 1) {
    const spin = spinMs();
    all.connector.push(await track.byConnector(jobsOf(WARM_UP), jobsOf(ITEMS)));
    all.A.push(await track.byScript('A', jobsOf(ITEMS)));
    all.A2.push(await track.byScript('A2', jobsOf(ITEMS)));
    if (latency === 0) all.B.push(await track.byScript('B', jobsOf(ITEMS * SHARE_OF_B)));
    const speeds = Object.entries(all).map(([name, done]) => `${name} ${figure(done.at(-1)?.perSecond ?? 0)}`);
    console.error(
      `pipeline: ${latency} ms late, round ${round + 1}: ${speeds.join(', ')} items/s; spin ${figure(spin)} ms`,
    );
  }
  return Object.fromEntries(Object.entries(all).map(([name, done]) => [name, medianRound(done)]));
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
