import { Buffer } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { NestFactory } from '@nestjs/core';
import pg from 'pg';
import { companyData } from '../build/connector/bookkeeping/item/planning.fixtures.js';
import { loadConnectorConfig } from '../build/connector/connector-config.js';
import { CoreModule } from '../build/connector/core.module.js';
import { ConnectedErp } from '../build/connector/erp/connected-erp.js';
import { ErpConnections } from '../build/connector/erp/erp-connections.js';
import { ledgerCapabilities } from '../build/connector/erp/ledger/ledger.erp.js';
import { ExportsModule } from '../build/connector/exports/exports.module.js';
import { CredentialRepository } from '../build/connector/installations/credentials/credential.repository.js';
import { PlatformApi } from '../build/connector/platform/platform-api.js';
import { PlatformHttp } from '../build/connector/platform/platform-http.js';
import { SystemClock } from '../build/foundation/clock/system-clock.js';
import { TenantDatabase } from '../build/foundation/database/tenant-database.js';
import { createLogger } from '../build/foundation/logging/logger.js';

/** Milliseconds by which platform and ERP answer late. */
export const LATE_MS = 20;
const PAGE = 100;

/** @throws Error when the job has not ended with a result for each item */
export function assertCompleted({ status, results, count }) {
  if (status !== 'completed' || results !== count) {
    throw new Error(`the job is ${status}, with ${results} results for ${count} items`);
  }
}

/** The pipeline on a real database, between a platform and an ERP that do nothing but answer late. */
export class LatePartners {
  jobs = new Map();

  /**
   * @param url of a migrated database
   * @param erp providers; without them one ERP that does nothing but answer late
   * @param modules besides that of the exports
   */
  static async start(url, erp = [LATE_ERP], modules = []) {
    const config = loadConnectorConfig({
      DATABASE_URL: url,
      LOG_LEVEL: 'error',
      ERP_NETWORK: 'private',
      CREDENTIAL_KEYS: `bench:${Buffer.alloc(32, 7).toString('base64')}`,
    });
    const clock = new SystemClock();
    const bench = new LatePartners();
    const budget = { acquire: () => Promise.resolve(), pause: () => Promise.resolve() };
    const platform = new PlatformApi(new PlatformHttp({ send: (request) => bench.answer(request) }, clock, budget));
    const program = { config, logger: createLogger('bench', config.logging), role: 'worker' };
    const core = CoreModule.register(program, [{ provide: PlatformApi, useFactory: () => platform }, ...erp]);
    class BenchModule {}
    const pipeline = { module: BenchModule, imports: [core, ExportsModule, ...modules] };
    bench.app = await NestFactory.createApplicationContext(pipeline, { logger: ['error'] });
    bench.client = new pg.Client({ connectionString: url, options: '-c search_path=connector' });
    await bench.client.connect();
    return bench;
  }

  /** A provider of the pipeline. */
  get(type) {
    return this.app.get(type, { strict: false });
  }

  /** An installation that is connected and configured. */
  async addTenant() {
    const tenant = { installationId: randomUUID(), companyId: randomUUID() };
    const { installationId, companyId } = tenant;
    await this.client.query(
      `INSERT INTO installation (id, platform_company_id, company_name, state, erp_company_id, created_at)
       VALUES ($1, $2, 'Bench', 'active', 'erp-company', now())`,
      [installationId, companyId],
    );
    await this.client.query(
      `INSERT INTO mapping_version (installation_id, version, settings, author, created_at) VALUES ($1, 1, $2, 'bench', now())`,
      [installationId, JSON.stringify({ accounts: companyData.settings, policies: companyData.policies })],
    );
    const credentials = this.get(CredentialRepository);
    const tokens = { accessToken: 'a', refreshToken: 'r', expiresInSeconds: 86_400 };
    await this.get(TenantDatabase).inInstallation('store credential', installationId, (tx) =>
      credentials.replace(tx, installationId, tokens),
    );
    return tenant;
  }

  /** A job that the platform has and the connector has detected. */
  async addJob({ installationId, companyId }, count) {
    const job = { id: randomUUID(), companyId, status: 'pending', count, results: 0 };
    this.jobs.set(job.id, job);
    await this.client.query(
      `INSERT INTO export_job (installation_id, id, company_id, state, number_of_items, vendor_based_bookkeeping,
         created_on_platform_at, expires_at, detected_at, next_run_at)
       VALUES ($1, $2, $3, 'detected', $4, false, now(), now() + interval '1 hour', now(), now())`,
      [installationId, job.id, companyId, count],
    );
    return job;
  }

  /** What the platform would say to a request. */
  async answer({ method, path, query, body }) {
    await sleep(LATE_MS);
    const json = (value) => ({ status: 200, headers: {}, text: JSON.stringify(value) });
    if (path === '/v3/export-job-events') {
      const { event, jobId } = JSON.parse(body);
      this.jobs.get(jobId).status = event === 'started' ? 'in_progress' : event;
      return json({});
    }
    const job = this.jobs.get(query?.get('job_id') ?? path.split('/')[3]);
    if (method === 'PUT') {
      const results = JSON.parse(body);
      job.results += results.filter(({ status }) => status === 'successful').length;
      return json({ data: results, errors: [] });
    }
    if (path === '/v3/export-items') {
      const { ids, pagination } = pageOf(job, query);
      return json({ data: ids.map((id) => purchase(id, job.companyId)), pagination });
    }
    if (path.endsWith('/items')) {
      const { ids, pagination } = pageOf(job, query);
      return json({ data: ids.map((id) => ({ accountingEntryId: id, status: 'pending' })), pagination });
    }
    const { id, companyId, status, count } = job;
    const createdAt = new Date().toISOString();
    return json({ data: { id, companyId, status, numberOfItems: count, createdAt, expiresIn: 3_600 } });
  }

  async close() {
    await this.app.close();
    await this.client.end();
  }
}

/** Items are numbered, so that a page is made up from its cursor alone. */
function pageOf(job, query) {
  const first = Number(query?.get('after')?.replaceAll(/\D/g, '') ?? 0);
  const end = Math.min(first + PAGE, job.count);
  const ids = Array.from(
    { length: end - first },
    (_, index) => `${job.id.slice(0, 24)}${(first + index).toString(16).padStart(12, '0')}`,
  );
  const pagination = { hasNextPage: end < job.count, hasPreviousPage: first > 0, endCursor: `C${end}` };
  return { ids, pagination };
}

/** What an ERP answers that has taken these groups. */
export function createdGroups(groups) {
  return groups.map(({ key, revision, contentDigest }) => {
    const entries = [{ role: 'entry', id: `journal-${key}`, number: undefined, url: `erp://${key}` }];
    return { outcome: 'created', posted: { key, revision, contentDigest, reversed: false, entries, warnings: [] } };
  });
}

/** Takes everything, late. */
class LateErp {
  async loadMasterData() {
    await sleep(LATE_MS);
    return companyData;
  }

  async findRates() {
    await sleep(LATE_MS);
    return companyData.rates;
  }

  async post(_company, groups) {
    await sleep(LATE_MS);
    return createdGroups(groups);
  }
}

const SURROUNDINGS = { clock: new SystemClock(), during: (call) => call(), findUploadedRates: async () => [] };

class LateErpConnections {
  async open(_installation, company, caller = {}) {
    const alone = { signal: new globalThis.AbortController().signal, assertOwner: () => undefined };
    const deadline = () => new Date(Date.now() + 120_000);
    const capabilities = ledgerCapabilities({ level: 'permanent-key' });
    const bound = { ...alone, deadline, ...caller, company };
    return new ConnectedErp({ ledger: new LateErp() }, capabilities, bound, SURROUNDINGS);
  }
}

const LATE_ERP = { provide: ErpConnections, useFactory: () => new LateErpConnections() };

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
