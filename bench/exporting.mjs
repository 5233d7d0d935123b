// The export pipeline: how much of the waiting for the platform and the ERP it hides, against the same stages one after the
// other; and whether a job ten times as long needs more memory or becomes slower on the way.
import 'reflect-metadata';
import { Buffer } from 'node:buffer';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { NestFactory } from '@nestjs/core';
import pg from 'pg';
import { companyData } from '../dist/connector/bookkeeping/planning.fixtures.js';
import { loadConnectorConfig } from '../dist/connector/connector-config.js';
import { ConnectorCoreModule } from '../dist/connector/connector-core.module.js';
import { startRuntime } from '../dist/connector/connector-runtime.js';
import { ErpLedger } from '../dist/connector/erp/erp-ledger.js';
import { ExportItems } from '../dist/connector/exports/export-items.js';
import { ExportsModule } from '../dist/connector/exports/exports.module.js';
import { RunExportJobs } from '../dist/connector/exports/run-export-jobs.js';
import { CredentialRepository } from '../dist/connector/installations/credential.repository.js';
import { DataKeyRepository } from '../dist/connector/installations/data-key.repository.js';
import { PlatformApi } from '../dist/connector/platform/platform-api.js';
import { PlatformHttp } from '../dist/connector/platform/platform-http.js';
import { SystemClock } from '../dist/foundation/clock/system-clock.js';
import { createDatabase, dropDatabase } from '../dist/foundation/database/server-admin.js';
import { EmbeddedPostgres } from '../dist/foundation/embedded-postgres/embedded-postgres.js';
import { createLogger } from '../dist/foundation/logging/logger.js';
import { ChildProgram } from '../dist/launch/child-program.js';
import { connectCompany, createApiToken, saveSettings } from '../dist/launch/demo/connect-company.js';
import { demoCompany } from '../dist/launch/demo/demo-company.js';
import { exportItemOf } from '../dist/launch/demo/export-item.js';
import { ProgramClient } from '../dist/launch/demo/program-client.js';
import { seedLedger } from '../dist/launch/demo/seed-ledger.js';
import { createOnPlatform } from '../dist/launch/demo/seed-platform.js';
import { freePorts, newSecrets } from '../dist/launch/launch-settings.js';
import { migrateAll } from '../dist/launch/migrate-all.js';
import { addressesOf, connectorPrograms, ledgerProgram, simulatorProgram } from '../dist/launch/programs.js';

/** Milliseconds by which platform and ERP answer late. */
const LATE_MS = 20;
const ITEMS_IN_A_JOB = 10_000;
const WARM_UP = 1_000;
const PAGE = 100;
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

async function onFreshDatabase(server, work) {
  const name = `bench_${process.pid}`;
  await createDatabase(server.url('postgres'), name);
  try {
    const url = server.url(name);
    await migrateAll(url);
    return await work(url);
  } finally {
    await dropDatabase(server.url('postgres'), name);
  }
}

async function waiting(url) {
  const bench = await LatePartners.start(url);
  try {
    const pace = bench.items.pace;
    await bench.itemsPerSecond(WARM_UP, pace);
    const plain = await bench.itemsPerSecond(ITEMS_IN_A_JOB, ONE_AFTER_THE_OTHER);
    const streamed = await bench.itemsPerSecond(ITEMS_IN_A_JOB, pace);
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

/** The pipeline on a real database, between a platform and an ERP that do nothing but answer late. */
class LatePartners {
  static async start(url) {
    const config = loadConnectorConfig({
      DATABASE_URL: url,
      LOG_LEVEL: 'error',
      CREDENTIAL_KEYS: `bench:${Buffer.alloc(32, 7).toString('base64')}`,
    });
    const clock = new SystemClock();
    const runtime = await startRuntime(config, createLogger('bench', config.logging), 'api', clock);
    const budget = { take: () => Promise.resolve(), holdBack: () => Promise.resolve() };
    const bench = new LatePartners();
    bench.runtime = runtime;
    const platform = new PlatformApi(
      new PlatformHttp({ send: (request) => bench.answer(request) }, clock, budget),
    );
    const core = ConnectorCoreModule.register({ ...runtime, platform, erp: new LateErp() });
    class BenchModule {}
    const pipeline = { module: BenchModule, imports: [core, ExportsModule] };
    bench.app = await NestFactory.createApplicationContext(pipeline, { logger: ['error'] });
    bench.items = bench.app.get(ExportItems, { strict: false });
    bench.client = new pg.Client({ connectionString: url, options: '-c search_path=connector' });
    await bench.client.connect();
    await bench.addTenant();
    return bench;
  }

  async addTenant() {
    this.tenant = { installationId: randomUUID(), companyId: randomUUID() };
    const { installationId, companyId } = this.tenant;
    await this.client.query(
      `INSERT INTO installation (id, platform_company_id, company_name, state, erp_company_id, created_at)
       VALUES ($1, $2, 'Bench', 'active', 'erp-company', now())`,
      [installationId, companyId],
    );
    await this.client.query(
      `INSERT INTO mapping_version (installation_id, version, settings, author, created_at) VALUES ($1, 1, $2, 'bench', now())`,
      [installationId, JSON.stringify({ accounts: companyData.settings, policies: companyData.policies })],
    );
    const credentials = new CredentialRepository(new DataKeyRepository(this.runtime.keys));
    const tokens = { accessToken: 'a', refreshToken: 'r', expiresInSeconds: 86_400 };
    await this.runtime.database.inInstallation('store credential', installationId, (tx) =>
      credentials.replace(tx, installationId, tokens),
    );
  }

  async itemsPerSecond(count, pace) {
    const { installationId, companyId } = this.tenant;
    this.job = { id: randomUUID(), status: 'pending', count, results: 0 };
    await this.client.query(
      `INSERT INTO export_job (installation_id, id, company_id, state, number_of_items, vendor_based_bookkeeping,
         created_on_platform_at, expires_at, detected_at, next_run_at)
       VALUES ($1, $2, $3, 'detected', $4, false, now(), now() + interval '1 hour', now(), now())`,
      [installationId, this.job.id, companyId, count],
    );
    this.items.pace = pace;
    const start = performance.now();
    await this.app
      .get(RunExportJobs, { strict: false })
      .run(this.tenant, new globalThis.AbortController().signal);
    const seconds = (performance.now() - start) / 1_000;
    if (this.job.status !== 'completed' || this.job.results !== count) {
      throw new Error(`the job is ${this.job.status}, with ${this.job.results} results for ${count} items`);
    }
    return count / seconds;
  }

  /** What the platform would say to a request. */
  async answer({ method, path, query, body }) {
    await sleep(LATE_MS);
    const json = (value) => ({ status: 200, headers: {}, text: JSON.stringify(value) });
    const first = Number(query?.get('after')?.replaceAll(/\D/g, '') ?? 0);
    const ids = Array.from({ length: Math.min(PAGE, this.job.count - first) }, (_, index) =>
      this.entryId(first + index),
    );
    const end = first + ids.length;
    const pagination = {
      hasNextPage: end < this.job.count,
      hasPreviousPage: first > 0,
      endCursor: `C${end}`,
    };
    if (method === 'PUT') {
      const results = JSON.parse(body);
      this.job.results += results.filter(({ status }) => status === 'successful').length;
      return json({ data: results, errors: [] });
    }
    if (path === '/v3/export-job-events') {
      const { event } = JSON.parse(body);
      this.job.status = event === 'started' ? 'in_progress' : event;
      return json({});
    }
    if (path === '/v3/export-items') {
      return json({ data: ids.map((id) => purchase(id, this.tenant.companyId)), pagination });
    }
    if (path.endsWith('/items')) {
      return json({ data: ids.map((id) => ({ accountingEntryId: id, status: 'pending' })), pagination });
    }
    const { id, status, count } = this.job;
    const createdAt = new Date().toISOString();
    const { companyId } = this.tenant;
    return json({ data: { id, companyId, status, numberOfItems: count, createdAt, expiresIn: 3_600 } });
  }

  entryId(index) {
    return `${this.job.id.slice(0, 24)}${index.toString(16).padStart(12, '0')}`;
  }

  async close() {
    await this.app.close();
    await this.client.end();
    await this.runtime.close();
  }
}

/** Takes everything, late. */
class LateErp extends ErpLedger {
  capability = { level: 'E3' };

  async loadBooks() {
    await sleep(LATE_MS);
    return companyData;
  }

  async findRates() {
    await sleep(LATE_MS);
    return companyData.rates;
  }

  async post(_company, groups) {
    await sleep(LATE_MS);
    return groups.map(({ key, revision, contentDigest }) => {
      const entries = [{ role: 'entry', id: `journal-${key}`, number: undefined, url: `erp://${key}` }];
      return {
        outcome: 'created',
        posted: { key, revision, contentDigest, reversed: false, entries, warnings: [] },
      };
    });
  }
}

function purchase(id, companyId) {
  const amount = {
    inSupplierCurrency: { currency: 'EUR', value: 12_500 },
    inWalletCurrency: { currency: 'EUR', value: 12_500 },
  };
  return {
    accountingEntryId: id,
    companyId,
    type: 'card_purchase',
    date: '2026-02-10T10:00:00Z',
    amount,
    note: 'Paper and ink',
    bookkeeping: { method: 'journal' },
    accountingEntryLines: [
      {
        accountingEntryLineId: 'line',
        lineAmount: amount,
        netAmount: amount,
        account: { id: 'a', name: 'Office', code: '6110' },
        tags: [],
        tax: null,
      },
    ],
    additionalInformation: { reconciliationId: 'R-1' },
  };
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
      await seedLedger(books);
      await createOnPlatform(programs.simulator);
      const addresses = { connectorUrl: connector, simulatorUrl: simulator };
      const token = await createApiToken(operator, await connectCompany(addresses, operator, clock));
      const settings = new ProgramClient('connector', connector, token);
      await saveSettings(settings);
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
  const job = await client.query(
    `SELECT extract(epoch FROM started_at)::float8 AS at FROM export_job WHERE id = $1`,
    [jobId],
  );
  const moments = [job.rows[0].at, ...rows.map(({ at }) => at)];
  return rows.map(({ at }, index) => count / 10 / (at - moments[index]));
}

function figure(value) {
  return Math.round(value).toLocaleString('en');
}
