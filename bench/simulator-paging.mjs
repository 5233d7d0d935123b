// A job of 100,000 items, and 100,000 of each kind of reference data, read from the simulator page by page as an integration does:
// whether the last pages take longer than the first. Each list by its own order and by each key it can be sorted by.
import { join } from 'node:path';
import { Secret } from '../build/foundation/config/secret.js';
import { createDatabase, dropDatabase } from '../build/foundation/database/server-admin.js';
import { EmbeddedPostgres } from '../build/foundation/embedded-postgres/embedded-postgres.js';
import { HttpClient } from '../build/foundation/http/client/http-client.js';
import { createLogger } from '../build/foundation/logging/logger.js';
import { freePort } from '../build/foundation/process/free-port.js';
import { migrateAll } from '../build/sandbox/launch/migrate-all.js';
import { SimulatorConfig } from '../build/sandbox/simulator/simulator-config.js';
import { startSimulator } from '../build/sandbox/simulator/start-simulator.js';

const ITEMS = Number(process.env.BENCH_ITEMS ?? 100_000);
const PAGE = 100;
const BATCH = 1_000;
/** Measured pages of each tenth. */
const ROUNDS = 50;
/** Lists of reference data: what makes one, how it is read, what it can be sorted by. Some names and codes are missing, most repeat. */
const REFERENCE = [
  [
    'accounts',
    (number) => ({ ...named(number), externalId: `x${number}` }),
    '/v1/chart-of-accounts:search?',
    ['id', 'externalId', 'code', 'name'],
  ],
  [
    'vendors',
    (number) => ({ ...named(number), externalId: `x${number}` }),
    '/v1/vendors:search?company_id=*',
    ['id', 'name', 'code', 'externalId', 'createdAt', 'updatedAt'],
  ],
  [
    'tax-codes',
    (number) => ({ ...named(number), rate: 0.2 }),
    '/v0/tax-codes:search?',
    ['id', 'name', 'code', 'createdAt', 'updatedAt'],
  ],
  [
    'employees',
    (number) => ({
      email: `${number}@example.com`,
      firstName: `A${number % 50}`,
      lastName: 'Berg',
      code: named(number).code,
    }),
    '/v2/employees?',
    ['id', 'email', 'firstName', 'lastName', 'code'],
  ],
];

export async function simulatorPaging() {
  const server = await EmbeddedPostgres.start({ folder: join('.data', 'bench-postgres'), durable: true });
  const name = `bench_paging_${process.pid}`;
  await createDatabase(server.url('postgres'), name);
  try {
    await migrateAll(server.url(name));
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const client = { clientId: 'bench', clientSecret: new Secret('secret-of-the-bench'), redirectUris: [] };
    const logging = { LOG_LEVEL: 'fatal', LOG_FORMAT: 'json' };
    const config = new SimulatorConfig('127.0.0.1', port, url, server.url(name), client, url, false, logging);
    const simulator = await startSimulator(config, createLogger('simulator', logging));
    const http = new HttpClient({
      baseUrl: url,
      timeoutMs: 60_000,
      maxAnswerBytes: 64_000_000,
      maxConnections: 1,
    });
    try {
      return await measure(http);
    } finally {
      http.close();
      await simulator.stop();
    }
  } finally {
    await dropDatabase(server.url('postgres'), name);
    await server.stop();
  }
}

async function measure(http) {
  const send = async (method, path, json, token) => {
    const headers = {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
    };
    const body = json === undefined ? {} : { body: JSON.stringify(json) };
    const answer = await http.send({ method, path, headers, ...body });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return JSON.parse(answer.text);
  };
  const { id: companyId } = await send('POST', '/control/companies', {
    name: 'Bench ApS',
    contraAccounts: { EUR: { code: '1010' } },
  });
  const { apiKey } = await send('POST', '/control/api-keys', { companyId });
  for (let added = 0; added < ITEMS; added += BATCH) {
    const items = Array.from({ length: Math.min(BATCH, ITEMS - added) }, (_, index) => item(added + index));
    await send('POST', `/control/companies/${companyId}/items`, items);
  }
  const { id: jobId } = await send('POST', `/control/companies/${companyId}/export`, {});
  const read = (path) => send('GET', path, undefined, apiKey);
  const results = [];
  // Long steps through each list: only the pages that are measured have to be short.
  await send('PUT', '/control/settings', { largestPage: BATCH });
  for (const [list, path] of [
    ['export items', `/v3/export-items?job_id=${jobId}`],
    ['job items', `/v3/export-jobs/${jobId}/items?`],
    ['pending job items', `/v3/export-jobs/${jobId}/items?status=pending`],
  ]) {
    for (const [order, query] of ORDERS(['id'])) {
      results.push(await walk(read, `${list} ${order}`, `${path}${query}`));
    }
  }
  for (const [list, fresh, path, keys] of REFERENCE) {
    for (let added = 0; added < ITEMS; added += BATCH) {
      const seeds = Array.from({ length: Math.min(BATCH, ITEMS - added) }, (_, index) => fresh(added + index));
      await send('POST', `/control/companies/${companyId}/${list}`, seeds);
    }
    const search = (address) =>
      path.includes(':search') ? send('POST', address, { companyId }, apiKey) : read(address);
    for (const [order, query] of ORDERS(keys)) {
      results.push(await walk(search, `${list} ${order}`, `${path.replace('*', companyId)}${query}`));
    }
  }
  return results;
}

const ORDERS = (keys) => [
  ['in their order', ''],
  ...keys.map((key) => [`sorted by ${key}`, `&sorting_keys=${key}`]),
  ...(keys.includes('code')
    ? [['sorted by code, DESC_NULLS_LAST', '&sorting_keys=code&sorting_order=DESC_NULLS_LAST']]
    : []),
];

/**
 * Reads a list to its end, then pages of its first and of its last tenth in turn: whatever else the machine does falls on both.
 */
async function walk(read, what, path) {
  const cursors = [''];
  let seen = 0;
  for (;;) {
    const { data, pagination } = await read(`${path}&limit=${BATCH}${cursors.at(-1)}`);
    seen += data.length;
    if (!pagination.hasNextPage) break;
    cursors.push(`&after=${pagination.endCursor}`);
  }
  if (seen !== ITEMS) throw new Error(`${what}: ${seen} of ${ITEMS} came`);
  const tenth = Math.max(1, Math.floor(cursors.length / 10));
  const times = { first: [], last: [] };
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [part, cursor] of [
      ['first', cursors[round % tenth]],
      ['last', cursors.at((round % tenth) - tenth)],
    ]) {
      const start = performance.now();
      await read(`${path}&limit=${PAGE}${cursor}`);
      times[part].push(performance.now() - start);
    }
  }
  const [first, last] = [mean(times.first), mean(times.last)];
  return {
    measured: `${ITEMS} ${what}, last tenth ${last.toFixed(1)} ms a page of ${PAGE}`,
    baseline: `first tenth ${first.toFixed(1)} ms`,
    ratio: last / first,
  };
}

function mean(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function item(number) {
  const money = { currency: 'EUR', value: number + 1 };
  const amount = { inSupplierCurrency: money, inWalletCurrency: money };
  return {
    amount,
    note: `item ${number}`,
    accountingEntryLines: [{ lineAmount: amount, netAmount: amount }],
  };
}

function named(number) {
  return { name: `Name ${number % 1_000}`, code: number % 3 === 0 ? null : `${number % 10_000}` };
}
