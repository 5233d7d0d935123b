// The export pipeline: how much of the waiting for the platform and the ERP it hides, against the same stages one after the
// other; and whether a job ten times as long needs more memory or becomes slower on the way.
import 'reflect-metadata';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { ExportInStages } from '../build/connector/exports/items/export-in-stages.js';
import { ProcessCompanyQueue } from '../build/connector/exports/run/process-company-queue.js';
import { EmbeddedPostgres } from '../build/foundation/embedded-postgres/embedded-postgres.js';
import { demoCompany } from '../build/sandbox/launch/demo/demo-company.js';
import { onFreshDatabase } from './fresh-database.mjs';
import { assertCompleted, LATE_MS, LatePartners } from './late-partners.mjs';
import { cardPurchase, Programs } from './programs.mjs';

const ITEMS_IN_A_JOB = 10_000;
const WARM_UP = 1_000;
const ONE_AFTER_THE_OTHER = { pagesAhead: 0, plansAhead: 0, postsAhead: 0, chunksAhead: 0 };
const SMALL_JOB = Number(process.env.BENCH_SMALL_JOB ?? 10_000);
const LARGE_JOB = Number(process.env.BENCH_LARGE_JOB ?? 100_000);
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
    const items = bench.get(ExportInStages);
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
    const exports = new Exports(programs);
    const small = await exports.export(SMALL_JOB);
    const large = await exports.export(LARGE_JOB);
    const jobs = `${figure(LARGE_JOB)} and ${figure(SMALL_JOB)} items, one heap limit`;
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

/** Jobs of the demo company, each exported by a worker of its own. */
class Exports {
  nextEntry = 1;

  constructor(programs) {
    this.programs = programs;
  }

  /** @returns the worker's peak memory in MB, and the items per second of each tenth of the job */
  async export(count) {
    await this.addItems(count);
    const client = new pg.Client({ connectionString: this.programs.url, options: '-c search_path=connector' });
    await client.connect();
    try {
      return await this.programs.withWorker(async (worker) => {
        await this.programs.simulator.post(`/control/companies/${demoCompany.id}/export`, {});
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
      await this.programs.simulator.post(`/control/companies/${demoCompany.id}/items`, items);
    }
  }
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
