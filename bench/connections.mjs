// Twenty customers, each with an ERP of its own behind HTTP. Five of the ERPs take connections and never respond, five take
// three seconds for each request: how long the jobs of the ten others take, against the same when all twenty are well.
import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { clearInterval, setInterval, setTimeout } from 'node:timers';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { companyData } from '../build/connector/bookkeeping/item/planning.fixtures.js';
import { defineErp } from '../build/connector/erp/kit/define-erp.js';
import { ledgerCapabilities } from '../build/connector/erp/ledger/ledger.erp.js';
import { ErpConnectionRepository } from '../build/connector/erp-connections/erp-connection.repository.js';
import { ErpConnectionsModule } from '../build/connector/erp-connections/erp-connections.module.js';
import { ErpKinds } from '../build/connector/erp-connections/erp-kinds.js';
import { LANES } from '../build/connector/exports/domain/lanes.js';
import { companyQueueTasksByLane } from '../build/connector/exports/exports.tasks.js';
import { ProcessCompanyQueue } from '../build/connector/exports/run/process-company-queue.js';
import { WakeDueExports } from '../build/connector/exports/run/wake-due-exports.js';
import { TASKS } from '../build/connector/task-handlers.js';
import { handler } from '../build/connector/tasks/task-definition.js';
import { TaskQueue } from '../build/connector/tasks/task-queue.js';
import { EmbeddedPostgres } from '../build/foundation/embedded-postgres/embedded-postgres.js';
import { TenantDatabase } from '../build/foundation/database/tenant-database.js';
import { onFreshDatabase } from './fresh-database.mjs';
import { assertCompleted, createdGroups, LatePartners, LATE_MS } from './late-partners.mjs';

const WELL = 10;
const DEAD = 5;
const SLOW = 5;
const SLOW_MS = 3_000;
const JOBS = 10;
/** Between two jobs of a customer: the ERPs are what is measured, not the processor. */
const PAUSE_MS = 2_000;
const ITEMS_IN_A_JOB = 100;
const CHECK_EVERY_MS = 10;

/** What the ERPs do with a request. */
const BEHAVIORS = {
  well: (respond) => setTimeout(respond, LATE_MS),
  slow: (respond) => setTimeout(respond, SLOW_MS),
  dead: () => undefined,
};

export async function connections() {
  const server = await EmbeddedPostgres.start({ folder: join('.data', 'bench-postgres'), durable: true });
  try {
    const everyone = { well: WELL + DEAD + SLOW };
    const plain = await onFreshDatabase(server, (url) => secondsOfJobs(url, everyone));
    const beside = await onFreshDatabase(server, (url) => secondsOfJobs(url, { well: WELL, dead: DEAD, slow: SLOW }));
    return [
      {
        measured: `jobs of ${ITEMS_IN_A_JOB} items of ${WELL} customers, ${DEAD} dead and ${SLOW} slow ERPs beside them: ${figure(median(beside))}`,
        baseline: `beside ${DEAD + SLOW} that are well: ${figure(median(plain))}`,
        ratio: median(beside) / median(plain),
      },
      {
        measured: `the slowest of ${beside.length}: ${figure(beside.at(-1))}`,
        baseline: `the slowest: ${figure(plain.at(-1))}`,
        ratio: beside.at(-1) / plain.at(-1),
      },
    ];
  } finally {
    await server.stop();
  }
}

/**
 * Each customer has a job after the other, with a pause, all customers at the same time.
 * @param counts of customers, by the behavior of their ERPs
 * @returns of the first ten customers, sorted: seconds from the detection of each job to its verdict
 */
async function secondsOfJobs(url, counts) {
  const erps = await startErps();
  const kinds = { provide: ErpKinds, useFactory: () => new ErpKinds([httpErp]) };
  const bench = await LatePartners.start(url, [kinds], [ErpConnectionsModule]);
  const stopWorking = await startWorker(bench);
  try {
    const customers = [];
    for (const [behavior, count] of Object.entries(counts)) {
      for (let number = 0; number < count; number += 1) {
        customers.push(await connect(bench, `${erps.url}/${behavior}/${number}`));
      }
    }
    const ended = new globalThis.AbortController();
    const others = customers.slice(WELL).map((customer) => jobsUntil(bench, customer, ended.signal));
    // The dead ones have taken what places they get.
    await sleep(2 * SLOW_MS);
    const seconds = await Promise.all(customers.slice(0, WELL).map((customer) => jobsOf(bench, customer)));
    ended.abort();
    await Promise.all(others);
    return seconds.flat().toSorted((one, other) => one - other);
  } finally {
    await stopWorking();
    await erps.close();
    await bench.close();
  }
}

async function connect(bench, url) {
  const tenant = await bench.addTenant();
  const connection = { kind: 'bench', system: url, settings: { url }, secrets: {}, by: 'bench' };
  await bench
    .get(TenantDatabase)
    .inInstallation('connect', tenant.installationId, (tx) =>
      bench.get(ErpConnectionRepository).begin(tx, tenant.installationId, connection),
    );
  return tenant;
}

async function startWorker(bench) {
  const queue = bench.get(ProcessCompanyQueue);
  const wakeDueExports = bench.get(WakeDueExports);
  const tasks = bench.get(TaskQueue);
  await tasks.work(
    LANES.map((lane) =>
      handler(companyQueueTasksByLane[lane], (task, signal) => queue.processUntilIdle(task, lane, signal)),
    ),
  );
  const { everyMs } = TASKS.find(({ kind }) => kind === 'sweep').schedule;
  const sweeping = setInterval(() => void wakeDueExports.wakeIdleCompanies(), everyMs);
  return async () => {
    clearInterval(sweeping);
    await tasks.stop();
  };
}

async function jobsOf(bench, customer) {
  const seconds = [];
  for (let count = 0; count < JOBS; count += 1) {
    const { job, took } = await runJob(bench, customer, new globalThis.AbortController().signal);
    assertCompleted(job);
    seconds.push(took);
    await sleep(PAUSE_MS);
  }
  return seconds;
}

async function jobsUntil(bench, customer, ended) {
  while (!ended.aborted) {
    await runJob(bench, customer, ended);
    await sleep(PAUSE_MS);
  }
}

async function runJob(bench, customer, ended) {
  const start = performance.now();
  const job = await bench.addJob(customer, ITEMS_IN_A_JOB);
  await bench.get(WakeDueExports).wakeIdleCompanies();
  while ((job.status === 'pending' || job.status === 'in_progress') && !ended.aborted) {
    await sleep(CHECK_EVERY_MS);
  }
  return { job, took: (performance.now() - start) / 1_000 };
}

async function startErps() {
  const server = createServer((request, response) => {
    const behavior = BEHAVIORS[request.url.split('/')[1]];
    request.resume().on('end', () => behavior(() => response.end('{}')));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  };
}

const httpErp = defineErp({
  id: 'bench',
  name: 'An ERP behind HTTP',
  apiVersion: 1,
  connection: { schema: { type: 'object' }, secrets: [] },
  capabilities: () => ledgerCapabilities({ level: 'permanent-key' }),
  systemOf: ({ url }) => url,
  create({ settings, http }) {
    const client = http({ baseUrl: settings.url, name: 'the ERP', headers: () => ({}) });
    const read = (call, path) => client.read(call, z.object({}), { method: 'GET', path });
    const ledger = {
      async loadMasterData(call) {
        await read(call, '/books');
        return companyData;
      },
      async findRates(call) {
        await read(call, '/rates');
        return companyData.rates;
      },
      async post(call, groups) {
        const body = groups.map(({ key }) => key);
        const request = { method: 'POST', path: '/groups', headers: { 'idempotency-key': randomUUID() }, body };
        const result = await client.write(call, z.object({}), request);
        return result.kind === 'responded'
          ? createdGroups(groups)
          : groups.map(() => ({ outcome: result.kind, failure: result.failure }));
      },
      async findPosted(call) {
        await read(call, '/groups');
        return new Map();
      },
    };
    return { ledger, referenceData: {} };
  },
});

function median(sorted) {
  return sorted[Math.floor(sorted.length / 2)];
}

function figure(seconds) {
  return `${seconds.toFixed(2)} s`;
}
