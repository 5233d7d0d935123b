// Reference data of a large company, brought in step from nothing, again without a change, and after a change of 1 %: how
// many requests the platform gets, against the fewest with which its interface lets the same be done.
import 'reflect-metadata';
import { Buffer } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { URLSearchParams } from 'node:url';
import { transferableAbortController } from 'node:util';
import { NestFactory } from '@nestjs/core';
import pg from 'pg';
import { loadConnectorConfig } from '../build/connector/connector-config.js';
import { ErpReferenceData } from '../build/connector/erp/erp-reference-data.js';
import { CoreModule } from '../build/connector/core.module.js';
import { CredentialRepository } from '../build/connector/installations/credentials/credential.repository.js';
import { PlatformHttp } from '../build/connector/platform/platform-http.js';
import { ReferenceDataApi } from '../build/connector/platform/reference-data-api.js';
import { ReferenceDataModule } from '../build/connector/reference-data/reference-data.module.js';
import { ChooseDimensions } from '../build/connector/reference-data/choose-dimensions.js';
import { ProcessDueSyncs } from '../build/connector/reference-data/process-due-syncs.js';
import { StartSyncs } from '../build/connector/reference-data/start-syncs.js';
import { SyncReader } from '../build/connector/reference-data/sync.reader.js';
import { SystemClock } from '../build/foundation/clock/system-clock.js';
import { createDatabase, dropDatabase } from '../build/foundation/database/server-admin.js';
import { EmbeddedPostgres } from '../build/foundation/embedded-postgres/embedded-postgres.js';
import { TenantDatabase } from '../build/foundation/database/tenant-database.js';
import { createLogger } from '../build/foundation/logging/logger.js';
import { migrateAll } from '../build/sandbox/launch/migrate-all.js';

/** 1 is the size that is asked for; less is for trying. */
const SHARE = Number(process.env.BENCH_REFERENCE_SHARE ?? 1);
const ACCOUNTS = 20_000 * SHARE;
const DIMENSIONS = 5;
const VALUES = 5_000 * SHARE;
const VENDORS = 10_000 * SHARE;
const PAGE = 100;
const BATCH = 1_000;
const BULK = 100;
const KINDS = ['tax-codes', 'accounts', 'tags', 'vendors'];

const pages = (rows) => Math.max(1, Math.ceil(rows / PAGE));
const READ_EMPTY = 1 + 1 + 1 + 1;
const READ_ALL = 1 + pages(ACCOUNTS) + (1 + DIMENSIONS * pages(VALUES)) + pages(VENDORS);
/** Of 400 rows two are renamed, one goes and one comes. */
const CYCLE = 400;
const RENAMED = [0, 100];
const GONE = 200;
const FRESH = 300;
const hits = (rows, at) => Math.ceil((rows - at) / CYCLE);

export async function referenceData() {
  const server = await EmbeddedPostgres.start({ folder: join('.data', 'bench-postgres'), durable: true });
  const name = `bench_reference_${process.pid}`;
  try {
    await createDatabase(server.url('postgres'), name);
    await migrateAll(server.url(name));
    const bench = await Bench.start(server.url(name));
    try {
      const first = await bench.run('first run', minimumOfFirstRun());
      const second = await bench.run('nothing has changed', READ_ALL);
      bench.erp.change();
      const third = await bench.run('1 % has changed', minimumOfChange());
      return [first, second, third];
    } finally {
      await bench.close();
    }
  } finally {
    await dropDatabase(server.url('postgres'), name);
    await server.stop();
  }
}

/** Accounts are made in batches, tags and vendors only one by one, and a vendor is a draft until it is activated. */
function minimumOfFirstRun() {
  return READ_EMPTY + Math.ceil(ACCOUNTS / BATCH) + DIMENSIONS * (1 + VALUES) + 2 * VENDORS;
}

/** Only tags can go in hundreds; what is new costs what it costs in the first run. */
function minimumOfChange() {
  const renamed = (rows) => RENAMED.reduce((sum, at) => sum + hits(rows, at), 0);
  const accounts = renamed(ACCOUNTS) + hits(ACCOUNTS, GONE) + Math.ceil(hits(ACCOUNTS, FRESH) / BATCH);
  const goneTags = Math.ceil((DIMENSIONS * hits(VALUES, GONE)) / BULK);
  const tags = DIMENSIONS * (renamed(VALUES) + hits(VALUES, FRESH)) + goneTags;
  const vendors = renamed(VENDORS) + hits(VENDORS, GONE) + 2 * hits(VENDORS, FRESH);
  return READ_ALL + accounts + tags + vendors;
}

class Bench {
  static async start(url) {
    const config = loadConnectorConfig({
      DATABASE_URL: url,
      LOG_LEVEL: 'error',
      CREDENTIAL_KEYS: `bench:${Buffer.alloc(32, 7).toString('base64')}`,
    });
    const clock = new SystemClock();
    const bench = new Bench();
    bench.platform = new CountingPlatform();
    bench.erp = new LargeErp();
    const budget = { acquire: () => Promise.resolve(), pause: () => Promise.resolve() };
    const http = new PlatformHttp({ send: (request) => bench.platform.answer(request) }, clock, budget);
    const program = { config, logger: createLogger('bench', config.logging), role: 'api' };
    const core = CoreModule.register(program, [
      { provide: ReferenceDataApi, useFactory: () => new ReferenceDataApi(http) },
      { provide: ErpReferenceData, useFactory: () => bench.erp },
    ]);
    class BenchModule {}
    bench.app = await NestFactory.createApplicationContext(
      { module: BenchModule, imports: [core, ReferenceDataModule] },
      { logger: ['error'] },
    );
    const get = (type) => bench.app.get(type, { strict: false });
    bench.chooseDimensions = get(ChooseDimensions);
    bench.startSyncs = get(StartSyncs);
    bench.processDueSyncs = get(ProcessDueSyncs);
    bench.syncReader = get(SyncReader);
    bench.client = new pg.Client({ connectionString: url, options: '-c search_path=connector' });
    await bench.client.connect();
    await bench.addTenant();
    return bench;
  }

  async addTenant() {
    this.installationId = randomUUID();
    await this.client.query(
      `INSERT INTO installation (id, platform_company_id, company_name, state, erp_company_id, created_at)
       VALUES ($1, $2, 'Bench', 'active', 'erp-company', now())`,
      [this.installationId, randomUUID()],
    );
    const credentials = this.app.get(CredentialRepository, { strict: false });
    const tokens = { accessToken: 'a', refreshToken: 'r', expiresInSeconds: 86_400 };
    await this.app
      .get(TenantDatabase)
      .inInstallation('store credential', this.installationId, (tx) =>
        credentials.replace(tx, this.installationId, tokens),
      );
    const codes = this.erp.dimensionRows.map(({ code }) => code);
    const { outcome } = await this.chooseDimensions.choose(this.installationId, 0, codes, 'bench');
    if (outcome !== 'chosen') throw new Error(`dimensions: ${outcome}`);
  }

  async run(what, fewest) {
    this.platform.requests = 0;
    const started = performance.now();
    const requested = await this.startSyncs.startForPerson(this.installationId, KINDS);
    await this.processDueSyncs.processDue(this.installationId, transferableAbortController().signal);
    const seconds = (performance.now() - started) / 1_000;
    for (const { id } of requested) {
      const { state, kind, failure } = await this.syncReader.findRun(this.installationId, id);
      if (state !== 'completed') throw new Error(`${what}, ${kind}: ${state} ${failure ?? ''}`);
    }
    return {
      measured: `${what}: ${this.platform.requests.toString()} requests, ${seconds.toFixed(1)} s without the platform`,
      baseline: `fewest possible ${fewest.toString()}`,
      ratio: this.platform.requests / fewest,
    };
  }

  async close() {
    await this.app.close();
    await this.client.end();
  }
}

const numbered = (count, make) => Array.from({ length: count }, (_, index) => make(index));

/** Master data of the size that is asked for, and one change of it. */
class LargeErp {
  accountRows = numbered(ACCOUNTS, (index) => ({
    externalId: `acc-${index}`,
    code: index.toString(),
    name: `Account ${index}`,
    active: true,
  }));
  dimensionRows = numbered(DIMENSIONS, (dimension) => ({
    code: `D${dimension}`,
    name: `Dimension ${dimension}`,
    active: true,
    values: numbered(VALUES, (index) => ({ code: `v${index}`, name: `Value ${index}`, active: true })),
  }));
  vendorRows = numbered(VENDORS, (index) => ({
    number: `V-${index}`,
    name: `Vendor ${index}`,
    isEmployee: false,
    usable: true,
  }));

  change() {
    this.accountRows = changed(
      this.accountRows,
      (row) => ({ ...row, active: false }),
      (row) => ({ ...row, externalId: `${row.externalId}-new` }),
    );
    this.dimensionRows = this.dimensionRows.map((dimension) => ({
      ...dimension,
      values: changed(
        dimension.values,
        (row) => ({ ...row, active: false }),
        (row) => ({ ...row, code: `${row.code}-new` }),
      ),
    }));
    this.vendorRows = changed(
      this.vendorRows,
      (row) => ({ ...row, usable: false }),
      (row) => ({ ...row, number: `${row.number}-new` }),
    );
  }

  accounts() {
    return Promise.resolve(this.accountRows);
  }

  taxCodes() {
    return Promise.resolve([]);
  }

  dimensions() {
    return Promise.resolve(this.dimensionRows);
  }

  vendors() {
    return Promise.resolve({ functionalCurrency: 'EUR', vendors: this.vendorRows });
  }
}

function changed(rows, gone, fresh) {
  return rows.flatMap((row, index) => {
    const at = index % CYCLE;
    if (RENAMED.includes(at)) {
      return [{ ...row, name: `${row.name} renamed` }];
    }
    if (at === GONE) {
      return [gone(row)];
    }
    return at === FRESH ? [row, fresh(row)] : [row];
  });
}

/** The platform's side of the wire, as little of it as the runs need. */
class CountingPlatform {
  requests = 0;
  accounts = new Map();
  groups = new Map();
  tags = new Map();
  vendors = new Map();

  answer({ method, path, query, body }) {
    this.requests += 1;
    const content = body === undefined ? undefined : JSON.parse(body);
    const route = `${method} ${path.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/, 'ID')}`;
    const id = path.match(/[0-9a-f]{8}-[0-9a-f-]{27}/)?.[0];
    const data = this.dataOf(route, id, content, query ?? new URLSearchParams());
    return Promise.resolve({ status: 200, headers: {}, text: JSON.stringify(data) });
  }

  dataOf(route, id, content, query) {
    switch (route) {
      case 'POST /v0/tax-codes:search':
        return page([], query);
      case 'POST /v1/chart-of-accounts:search':
        return page([...this.accounts.values()], query);
      case 'POST /v1/chart-of-accounts/batch':
        return { data: { created: content.items.map((item) => put(this.accounts, item)), failed: [] } };
      case 'PUT /v1/chart-of-accounts/ID':
        return { data: change(this.accounts, id, content) };
      case 'GET /v0/tag-groups':
        return { data: [...this.groups.values()] };
      case 'POST /v0/tag-groups':
        return { data: put(this.groups, content) };
      case 'GET /v0/tag-groups/ID/tags':
        return page(
          [...this.tags.values()].filter(({ groupId }) => groupId === id),
          query,
        );
      case 'POST /v0/tag-groups/ID/tags':
        return { data: put(this.tags, { ...content, groupId: id }) };
      case 'PUT /v0/tags/ID':
        return { data: change(this.tags, id, content) };
      case 'POST /v0/tags/archive':
        return { data: content.tagIds.map((tag) => change(this.tags, tag, { archived: true })) };
      case 'POST /v1/vendors:search':
        return page([...this.vendors.values()], query);
      case 'POST /v1/vendors':
        return { data: put(this.vendors, { ...content, state: 'DRAFT' }) };
      case 'PUT /v1/vendors/ID':
        return { data: change(this.vendors, id, content) };
      case 'POST /v1/vendors/ID:activate':
        return { data: change(this.vendors, id, { ...content, state: 'ACTIVE' }) };
      case 'POST /v1/vendors/ID:archive':
        return { data: change(this.vendors, id, { state: 'ARCHIVED' }) };
      default:
        throw new Error(`the benchmark knows no ${route}`);
    }
  }
}

function page(rows, query) {
  const from = Number(query.get('after') ?? 0);
  const to = from + PAGE;
  return {
    data: rows.slice(from, to),
    pagination: { hasNextPage: to < rows.length, endCursor: to.toString() },
  };
}

function put(rows, content) {
  const row = { ...content, id: randomUUID() };
  rows.set(row.id, row);
  return row;
}

function change(rows, id, content) {
  const row = { ...rows.get(id), ...content };
  rows.set(id, row);
  return row;
}
