// The export pipeline: how much of the waiting for the platform and the ERP it hides, against the same stages one after the
// other; and whether a job ten times as long needs more memory or becomes slower on the way.
import 'reflect-metadata';
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { ProcessJobItems } from '../dist/connector/exports/items/process-job-items.js';
import { ProcessCompanyQueue } from '../dist/connector/exports/run/process-company-queue.js';
import { SystemClock } from '../dist/foundation/clock/system-clock.js';
import { EmbeddedPostgres } from '../dist/foundation/embedded-postgres/embedded-postgres.js';
import { ChildProgram } from '../dist/sandbox/launch/child-program.js';
import { connectCompany, createApiToken, saveSettings } from '../dist/sandbox/launch/demo/connect-company.js';
import { demoCompany } from '../dist/sandbox/launch/demo/demo-company.js';
import { firstCustomer } from '../dist/sandbox/launch/demo/demo-customers.js';
import { exportItemOf } from '../dist/sandbox/launch/demo/items/export-item.js';
import { ProgramClient } from '../dist/sandbox/launch/demo/program-client.js';
import { seedLedger } from '../dist/sandbox/launch/demo/seed-ledger.js';
import { seedPlatform } from '../dist/sandbox/launch/demo/seed-platform.js';
import { freePorts, newSecrets } from '../dist/sandbox/launch/launch-settings.js';
import { addressesOf, connectorPrograms, ledgerProgram, simulatorProgram } from '../dist/sandbox/launch/programs.js';
import { onFreshDatabase } from './fresh-database.mjs';
import { assertCompleted, LATE_MS, LatePartners } from './late-partners.mjs';

const ITEMS_IN_A_JOB = 10_000;
const WARM_UP = 1_000;
const ONE_AFTER_THE_OTHER = { pagesAhead: 0, chunksAhead: 0 };
const SMALL_JOB = Number(process.env.BENCH_SMALL_JOB ?? 10_000);
const LARGE_JOB = Number(process.env.BENCH_LARGE_JOB ?? 100_000);
/** Of the worker, for both jobs; small halves of the young generation, or they are most of what is measured. */
const HEAP_CAP_MB = 128;
const YOUNG_HALF_MB = 8;
/** More than the machine can make: the budget is not what is measured. */
const REQUESTS_PER_MINUTE = 1_000_000;

export async function exporting() {
  const server = await EmbeddedPostgres.start({ folder: join('.data', 'bench-postgres'), durable: true });
  try {
    return [...(await onFreshDatabase(server, waiting)), ...(await onFreshDatabase(server, lengthOfJob))];
  } finally {
    await server.stop();
  }
}

async function waiting(url) {
  const bench = await LatePartners.start(url);
  try {
    const items = bench.get(ProcessJobItems);
    const tenant = await bench.addTenant();
    const itemsPerSecond = async (count, pace) => {
      items.pace = pace;
      const job = await bench.addJob(tenant, count);
      const start = performance.now();
      await bench.get(ProcessCompanyQueue).processUntilIdle(tenant, 'long', new globalThis.AbortController().signal);
      const seconds = (performance.now() - start) / 1_000;
      assertCompleted(job);
      return count / seconds;
    };
    const { pace } = items;
    await itemsPerSecond(WARM_UP, pace);
    const plain = await itemsPerSecond(ITEMS_IN_A_JOB, ONE_AFTER_THE_OTHER);
    const streamed = await itemsPerSecond(ITEMS_IN_A_JOB, pace);
    return [
      {
        measured: `platform and ERP ${LATE_MS} ms late, streamed ${figure(streamed)} items/s`,
        baseline: `page after page ${figure(plain)} items/s`,
        ratio: streamed / plain,
      },
    ];
  } finally {
    await bench.close();
  }
}

/** All programs as processes; a worker of its own, with the same heap, for each of two jobs. */
async function lengthOfJob(url) {
  const programs = await Programs.start(url);
  try {
    const small = await programs.export(SMALL_JOB);
    const large = await programs.export(LARGE_JOB);
    const jobs = `${figure(LARGE_JOB)} and ${figure(SMALL_JOB)} items, heap of ${HEAP_CAP_MB} MB`;
    return [
      {
        measured: `${jobs}: memory of the worker at most ${figure(large.peakMb)} MB in the longer job`,
        baseline: `${figure(small.peakMb)} MB in the shorter`,
        ratio: large.peakMb / small.peakMb,
      },
      {
        measured: `last tenth of ${figure(LARGE_JOB)} items ${figure(large.tenths.at(-1))} items/s (by tenths: ${large.tenths.map(figure).join(', ')})`,
        baseline: `first tenth ${figure(large.tenths[0])} items/s`,
        ratio: large.tenths.at(-1) / large.tenths[0],
      },
    ];
  } finally {
    await programs.close();
  }
}

class Programs {
  static async start(url) {
    const programs = new Programs();
    const clock = new SystemClock();
    const [ports, secrets] = [await freePorts(), newSecrets()];
    const [api, worker] = connectorPrograms(url, ports, secrets);
    const budget = { PLATFORM_REQUESTS_PER_MINUTE: String(REQUESTS_PER_MINUTE) };
    const child = ({ environment, ...program }, more = {}) =>
      new ChildProgram(
        { ...program, environment: { ...environment, LOG_LEVEL: 'error', ...more } },
        clock,
        () => undefined,
      );
    programs.others = [
      child(simulatorProgram(url, ports, secrets)),
      child(ledgerProgram(url, ports, secrets)),
      child(api, budget),
    ];
    programs.worker = worker;
    programs.url = url;
    programs.nextEntry = 1;
    const { connector, simulator, ledger } = addressesOf(ports);
    programs.simulator = new ProgramClient('simulator', simulator);
    const books = new ProgramClient('ledger', ledger, secrets.ledgerApiKey);
    const operator = new ProgramClient('connector', connector, secrets.operatorToken);
    await Promise.all(programs.others.map((program) => program.start()));
    await programs.withWorker(async () => {
      await seedLedger(books, firstCustomer);
      await seedPlatform(programs.simulator, firstCustomer);
      const addresses = { connectorUrl: connector, simulatorUrl: simulator };
      const installationId = await connectCompany(addresses, operator, clock, firstCustomer);
      const link = `/api/v1/operator/installations/${installationId}/erp-company`;
      await operator.put(link, { json: { erpCompanyId: demoCompany.ledgerId } });
      const token = await createApiToken(operator, installationId);
      const settings = new ProgramClient('connector', connector, token);
      await saveSettings(settings, firstCustomer);
      for (const client of [books, operator, settings]) client.close();
    });
    return programs;
  }

  async close() {
    for (const program of this.others) await program.stop();
    this.simulator.close();
  }

  async withWorker(work) {
    const environment = {
      PATH: process.env.PATH,
      TZ: 'UTC',
      LOG_LEVEL: 'error',
      ...this.worker.environment,
      PLATFORM_REQUESTS_PER_MINUTE: String(REQUESTS_PER_MINUTE),
    };
    const heap = [`--max-old-space-size=${HEAP_CAP_MB}`, `--max-semi-space-size=${YOUNG_HALF_MB}`];
    const child = spawn(process.execPath, [...heap, join('dist', this.worker.entry)], {
      env: environment,
      stdio: ['ignore', 2, 2, 'ipc'],
    });
    const exited = new Promise((resolve) => child.once('exit', resolve));
    try {
      return await work(child);
    } finally {
      child.kill('SIGTERM');
      await exited;
    }
  }

  /** @returns the worker's peak memory in MB, and the items per second of each tenth of the job */
  async export(count) {
    await this.addItems(count);
    const client = new pg.Client({ connectionString: this.url, options: '-c search_path=connector' });
    await client.connect();
    try {
      return await this.withWorker(async (worker) => {
        await this.simulator.post(`/control/companies/${demoCompany.id}/export`, {});
        const job = await this.untilEnd(client, worker, count);
        if (job.state !== 'completed') throw new Error(`the job with ${count} items is ${job.state}`);
        const peakMb = await peakMemoryMb(worker.pid);
        return { peakMb, tenths: await tenthsOf(client, job.id, count) };
      });
    } finally {
      await client.end();
    }
  }

  async untilEnd(client, worker, count) {
    for (;;) {
      await sleep(1_000);
      if (worker.exitCode !== null || worker.signalCode !== null) {
        throw new Error(`the worker ended in the job with ${count} items`);
      }
      const { rows } = await client.query(
        `SELECT id, state FROM export_job WHERE number_of_items = $1
         AND state NOT IN ('detected', 'running', 'verdict_decided')`,
        [count],
      );
      if (rows[0] !== undefined) return rows[0];
    }
  }

  async addItems(count) {
    for (let added = 0; added < count; added += 1_000) {
      const items = Array.from({ length: Math.min(1_000, count - added) }, () => {
        this.nextEntry += 1;
        return cardPurchase(this.nextEntry);
      });
      await this.simulator.post(`/control/companies/${demoCompany.id}/items`, items);
    }
  }
}

function cardPurchase(number) {
  const lines = [['6420', '112.35', 'standard', 'CC:110']];
  const at = '2026-10-02T14:37';
  const entry = { type: 'card_purchase', at, by: 'liis', supplier: 'Paper shop', note: 'Paper', lines };
  return exportItemOf({ ...entry, method: 'journal' }, number);
}

async function peakMemoryMb(pid) {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)[1]) / 1_024;
}

/** By the moments at which results were written down. */
async function tenthsOf(client, jobId, count) {
  const { rows } = await client.query(
    `SELECT extract(epoch FROM max(exported_at))::float8 AS at
     FROM (SELECT exported_at, ntile(10) OVER (ORDER BY exported_at) AS tenth FROM export_item WHERE export_job_id = $1) item
     GROUP BY tenth ORDER BY tenth`,
    [jobId],
  );
  const job = await client.query(`SELECT extract(epoch FROM started_at)::float8 AS at FROM export_job WHERE id = $1`, [
    jobId,
  ]);
  const moments = [job.rows[0].at, ...rows.map(({ at }) => at)];
  return rows.map(({ at }, index) => count / 10 / (at - moments[index]));
}

function figure(value) {
  return Math.round(value).toLocaleString('en');
}
