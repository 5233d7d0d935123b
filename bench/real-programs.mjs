// The export pipeline beside a script without any crash safety, platform and accounting system being the real programs: what a
// user of the sandbox waits for, in turns on one database.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { demoCompany } from '../build/sandbox/launch/demo/demo-company.js';
import { onOwnServer } from './fresh-database.mjs';
import { figure, medianRound, spinMs } from './pipeline/track.mjs';
import { cardPurchase, Programs } from './programs.mjs';

const ITEMS = Number(process.env.BENCH_ITEMS ?? 3_000);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const WARM_UP = 500;
const LOOK_EVERY_MS = 10;
const PATIENCE_MS = 300_000;
/** Of a request of the control API. */
const ADDED_AT_ONCE = 500;

export async function realPrograms() {
  return onOwnServer(measure);
}

async function measure(url) {
  const runs = await RealExports.start(url);
  try {
    await runs.byScript('A', WARM_UP);
    const all = { connector: [], A: [], A2: [] };
    for (let round = 0; round < ROUNDS; round += 1) {
      const spin = spinMs();
      all.connector.push(await runs.byConnector());
      all.A.push(await runs.byScript('A', ITEMS));
      all.A2.push(await runs.byScript('A2', ITEMS));
      const speeds = Object.entries(all).map(([name, done]) => `${name} ${figure(done.at(-1).perSecond)}`);
      console.error(`real-programs: round ${round + 1}: ${speeds.join(', ')} items/s; spin ${figure(spin)} ms`);
    }
    const [connector, A, A2] = Object.values(all).map(medianRound);
    const against = (other, name) => ({
      measured: `a job of ${figure(ITEMS)} items, simulator and ledger as processes: connector ${figure(connector.perSecond)} items/s`,
      baseline: `${name} ${figure(other.perSecond)}`,
      ratio: connector.perSecond / other.perSecond,
    });
    return [against(A, 'A, a script without any crash safety'), against(A2, 'A2, a script with the least of it')];
  } finally {
    await runs.close();
  }
}

/** Jobs of the demo company, from the press of the button to the last final event. */
class RealExports {
  nextItem = 1;

  static async start(url) {
    const runs = new RealExports();
    const programs = await Programs.start(url);
    runs.programs = programs;
    runs.database = new pg.Client({ connectionString: url });
    await runs.database.connect();
    // The first export would take the items of the demo with it.
    await runs.database.query('UPDATE simulator.export_item SET exported = true');
    const { text } = await programs.simulator.post('/control/api-keys', { companyId: demoCompany.id });
    const { apiKey } = JSON.parse(text);
    const { simulator, ledger } = programs.addresses;
    runs.script = fork('bench/pipeline/script.mjs', [url, simulator, ledger], {
      env: { ...process.env, PLATFORM_KEY: apiKey, LEDGER_KEY: programs.ledgerApiKey },
    });
    await once(runs.script, 'message');
    return runs;
  }

  async close() {
    this.script.disconnect();
    await this.database.end();
    await this.programs.close();
  }

  /** By a worker of its own, warm before it counts. */
  async byConnector() {
    return this.programs.withWorker(async () => {
      await this.export(WARM_UP);
      return this.export(ITEMS);
    });
  }

  async byScript(rival, count) {
    return this.export(count, (job) => this.script.send({ rival, job, company: demoCompany.ledgerId }));
  }

  async export(count, begin = () => undefined) {
    const path = `/control/companies/${demoCompany.id}`;
    for (let added = 0; added < count; added += ADDED_AT_ONCE) {
      const items = Array.from({ length: Math.min(ADDED_AT_ONCE, count - added) }, () => cardPurchase(this.nextItem++));
      await this.programs.simulator.post(`${path}/items`, items);
    }
    const start = performance.now();
    await this.programs.simulator.post(`${path}/export`, {});
    const { rows } = await this.database.query('SELECT id FROM simulator.export_job ORDER BY position DESC LIMIT 1');
    begin(rows[0].id);
    await this.untilCompleted(rows[0].id, count);
    const ms = performance.now() - start;
    return { ms, perSecond: (count / ms) * 1_000 };
  }

  async untilCompleted(job, count) {
    const giveUpAt = performance.now() + PATIENCE_MS;
    while (performance.now() < giveUpAt) {
      const { rows } = await this.database.query('SELECT status FROM simulator.export_job WHERE id = $1', [job]);
      const { status } = rows[0];
      if (status === 'completed') return;
      if (status !== 'pending' && status !== 'in_progress') throw new Error(`a job of ${count} items is ${status}`);
      await sleep(LOOK_EVERY_MS);
    }
    throw new Error(`a job of ${count} items has not ended`);
  }
}
