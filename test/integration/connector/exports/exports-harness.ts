import { randomUUID } from 'node:crypto';
import { Module, type INestApplicationContext, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import pg from 'pg';
import type { BookkeepingPolicies } from '../../../../src/connector/bookkeeping/item/bookkeeping-context.js';
import { companyData, itemOf } from '../../../../src/connector/bookkeeping/item/planning.fixtures.js';
import type { ExportItem } from '../../../../src/connector/bookkeeping/item/export-item.js';
import { loadConnectorConfig } from '../../../../src/connector/connector-config.js';
import { CoreModule } from '../../../../src/connector/core.module.js';
import { OutboxRepository } from '../../../../src/connector/exports/reporting/outbox.repository.js';
import { CompanyTransactions } from '../../../../src/connector/exports/stores/company-transactions.js';
import { ExportItemRepository } from '../../../../src/connector/exports/stores/export-item.repository.js';
import { ExportJobRepository } from '../../../../src/connector/exports/stores/export-job.repository.js';
import { PostingIntentRepository } from '../../../../src/connector/exports/stores/posting-intent.repository.js';
import { ExportsModule } from '../../../../src/connector/exports/exports.module.js';
import { ProcessCompanyQueue } from '../../../../src/connector/exports/run/process-company-queue.js';
import {
  CompanyLeaseRepository,
  type CompanyLease,
} from '../../../../src/connector/exports/stores/company-lease.repository.js';
import type { ExportJob } from '../../../../src/connector/exports/domain/export-job.js';
import type { Lane } from '../../../../src/connector/exports/domain/lanes.js';
import { ErpConnections } from '../../../../src/connector/erp/erp-connections.js';
import { exportItemSchema } from '../../../../src/connector/platform/export-item.schema.js';
import { PlatformApi, type FetchedItem } from '../../../../src/connector/platform/platform-api.js';
import { TenantDatabase } from '../../../../src/foundation/database/tenant-database.js';
import { FileClient } from '../../../../src/foundation/http/client/file-client.js';
import { createLogger } from '../../../../src/foundation/logging/logger.js';
import { Clock } from '../../../../src/kernel/clock.js';
import {
  toCompanyId,
  toExportJobId,
  toInstallationId,
  type CompanyId,
  type ErpCompanyId,
  type InstallationId,
} from '../../../../src/kernel/ids.js';
import { FakeErp } from '../../../support/fake-erp.js';
import { OneErp } from '../../../support/one-erp.js';
import { FakePlatform, type FakeJob } from '../../../support/platform/fake-platform.js';
import { SecretSearch } from '../../../support/secret-search.js';
import { createTestDatabase, databaseVariables } from '../../../support/test-database.js';
import { FakeClock } from './fake-clock.js';

const OPEN = `('detected', 'running', 'verdict_decided')`;

/** A company whose jobs can be run. */
export interface Tenant {
  readonly installationId: InstallationId;
  readonly companyId: CompanyId;
}

interface TenantOptions {
  /** True: the one of the ERP in memory; false: none is linked. */
  readonly erpCompany?: ErpCompanyId | boolean;
  readonly mapping?: boolean;
  readonly policies?: Partial<BookkeepingPolicies>;
}

@Module({})
class PipelineModule {}

/** The export pipeline on a fresh database between a platform and an ERP in memory. */
export class ExportsHarness {
  readonly transactions: CompanyTransactions;
  /** The pipeline's own repositories, for a test to look into and to break. */
  readonly stores;

  private constructor(
    readonly admin: pg.Client,
    readonly clock: FakeClock,
    readonly platform: FakePlatform,
    readonly database: TenantDatabase,
    readonly erp: FakeErp,
    private readonly app: INestApplicationContext,
    readonly close: () => Promise<void>,
  ) {
    this.transactions = this.get(CompanyTransactions);
    this.stores = {
      companyLeaseRepository: this.get(CompanyLeaseRepository),
      exportJobRepository: this.get(ExportJobRepository),
      exportItemRepository: this.get(ExportItemRepository),
      postingIntentRepository: this.get(PostingIntentRepository),
      outboxRepository: this.get(OutboxRepository),
    };
  }

  /**
   * @param ledger to post to instead of the ERP in memory
   * @param files fetches receipts instead of the connector's own client
   * @param features modules besides that of exports
   * @param environment besides what every test has
   */
  static async start(
    ledger?: ErpConnections,
    files?: FileClient,
    features: readonly Type[] = [],
    environment: Readonly<Record<string, string>> = {},
  ): Promise<ExportsHarness> {
    const server = await createTestDatabase();
    const all = {
      ...databaseVariables(server.url),
      LOG_LEVEL: 'trace',
      LOG_FORMAT: 'json',
      CREDENTIAL_KEYS: `test:${Buffer.alloc(32, 7).toString('base64')}`,
      ...environment,
    };
    const config = loadConnectorConfig(all);
    const search = new SecretSearch(all);
    const logger = createLogger('exports-test', config.logging, search.logOf('application'));
    const clock = new FakeClock();
    const platform = new FakePlatform(clock);
    const erp = new FakeErp();
    const core = CoreModule.register({ config, logger, role: 'api' }, [
      { provide: Clock, useFactory: () => clock },
      { provide: PlatformApi, useFactory: () => platform },
      { provide: ErpConnections, useFactory: () => ledger ?? new OneErp(erp) },
      ...(files === undefined ? [] : [{ provide: FileClient, useFactory: () => files }]),
    ]);
    const pipeline = { module: PipelineModule, imports: [core, ExportsModule, ...features] };
    const app = await NestFactory.createApplicationContext(pipeline, { logger: false });
    const admin = new pg.Client({ connectionString: server.url, options: '-c search_path=connector' });
    await admin.connect();
    return new ExportsHarness(admin, clock, platform, app.get(TenantDatabase), erp, app, async () => {
      await app.close();
      await admin.end();
      await search.end(server.url);
      await server.drop();
    });
  }

  /** A provider of the pipeline. */
  get<T>(type: Type<T>): T {
    return this.app.get(type, { strict: false });
  }

  /**
   * An active installation, linked and configured unless told otherwise. Jobs of earlier ones are not due any more: a worker
   * lets a company go when others wait, and how long a test takes must not decide that.
   */
  async addTenant({ erpCompany = true, mapping = true, policies }: TenantOptions = {}): Promise<Tenant> {
    const tenant = {
      installationId: toInstallationId(randomUUID()),
      companyId: toCompanyId(randomUUID()),
    };
    await this.admin.query(
      `UPDATE export_job SET next_run_at = now() + interval '1 day', version = version + 1 WHERE state IN ${OPEN}`,
    );
    const linked = typeof erpCompany === 'string' ? erpCompany : erpCompany ? this.erp.companyId : null;
    await this.admin.query(
      `INSERT INTO installation (id, platform_company_id, company_name, state, erp_company_id, created_at)
       VALUES ($1, $2, 'Example', 'active', $3, now())`,
      [tenant.installationId, tenant.companyId, linked],
    );
    if (mapping) {
      await this.addMapping(tenant, { ...companyData.policies, ...policies });
    }
    return tenant;
  }

  private async addMapping({ installationId }: Tenant, policies: BookkeepingPolicies): Promise<void> {
    const settings = { accounts: companyData.settings, policies };
    await this.admin.query(
      `INSERT INTO mapping_version (installation_id, version, settings, author, created_at) VALUES ($1, 1, $2, 'test', now())`,
      [installationId, JSON.stringify(settings)],
    );
  }

  /** What detection leaves of a job of the platform. */
  private async detect(tenant: Tenant, job: FakeJob): Promise<void> {
    const detected = {
      id: toExportJobId(job.id),
      companyId: tenant.companyId,
      numberOfItems: job.statuses.size,
      vendorBasedBookkeeping: false,
      createdOnPlatformAt: job.createdAt,
      expiresAt: new Date(job.createdAt.getTime() + 3_600_000),
    };
    await this.transactions.inInstallation('detect', tenant.installationId, (tx) =>
      this.stores.exportJobRepository.saveDetected(tx, tenant.installationId, [detected], this.clock.now()),
    );
  }

  async claim({ installationId, companyId }: Tenant): Promise<CompanyLease | undefined> {
    return this.transactions.inInstallation('claim', installationId, (tx) =>
      this.stores.companyLeaseRepository.claim(tx, installationId, companyId, randomUUID()),
    );
  }

  /** @throws when somebody holds the company */
  async claimOrFail(tenant: Tenant): Promise<CompanyLease> {
    const lease = await this.claim(tenant);
    if (lease === undefined) {
      throw new Error('the company is taken');
    }
    return lease;
  }

  /** As when its holder has not been heard of for a while. */
  async expireLease({ installationId }: Tenant): Promise<void> {
    await this.admin.query(
      `UPDATE company_lease SET expires_at = now() - interval '1 second' WHERE installation_id = $1`,
      [installationId],
    );
  }

  /** In one step, so that a holder who renews all the time cannot come in between. */
  async stealLease({ installationId }: Tenant): Promise<void> {
    await this.admin.query(
      `UPDATE company_lease SET fence = fence + 1, holder = gen_random_uuid(), expires_at = now() + interval '1 minute'
       WHERE installation_id = $1`,
      [installationId],
    );
  }

  async job({ installationId }: Tenant, id: string): Promise<ExportJob> {
    const job = await this.transactions.inInstallation('read job', installationId, (tx) =>
      this.stores.exportJobRepository.find(tx, installationId, toExportJobId(id)),
    );
    if (job === undefined) {
      throw new Error(`no job ${id}`);
    }
    return job;
  }

  /** Rows of a job in a table of the pipeline, as `columns` in their order. */
  async rows(
    table: 'export_job' | 'export_item' | 'posting_intent' | 'outbox',
    jobId: string,
    columns: string,
  ): Promise<readonly (readonly unknown[])[]> {
    const order = { export_job: '1', export_item: 'position', posting_intent: '1', outbox: 'seq' }[table];
    const { rows } = await this.admin.query<unknown[]>({
      text: `SELECT ${columns} FROM ${table} WHERE ${table === 'export_job' ? 'id' : 'export_job_id'} = $1 ORDER BY ${order}`,
      values: [jobId],
      rowMode: 'array',
    });
    return rows;
  }

  /** A job as detected, not begun. */
  async addJob(tenant: Tenant, items: readonly FetchedItem[], changes: Partial<FakeJob> = {}): Promise<FakeJob> {
    const job = this.platform.addJob(tenant.companyId, items, changes);
    await this.detect(tenant, job);
    return job;
  }

  /** One worker's turn: claims the company, works off what is due and may be run on the place, releases it. */
  async processQueue(tenant: Tenant, stopping = new AbortController().signal, lane: Lane = 'long'): Promise<void> {
    await this.get(ProcessCompanyQueue).processUntilIdle(tenant, lane, stopping);
  }

  /** As `work`, after the pause of a postponed job. */
  async processQueueAgain(tenant: Tenant): Promise<void> {
    await this.endPause(tenant);
    await this.processQueue(tenant);
  }

  async stateOf(job: FakeJob): Promise<unknown> {
    return (await this.rows('export_job', job.id, 'state'))[0]?.[0];
  }

  /** Lets postponed jobs run at once. */
  private async endPause({ installationId }: Tenant): Promise<void> {
    await this.admin.query(
      `UPDATE export_job SET next_run_at = now(), version = version + 1 WHERE installation_id = $1 AND state IN ${OPEN}`,
      [installationId],
    );
  }
}

/** A card purchase as the platform gives it. */
export function purchase(
  companyId: string,
  changes: { readonly id?: string; readonly amount?: string; readonly account?: string } = {},
): FetchedItem {
  const { id = randomUUID(), amount = '12500', account = '5410' } = changes;
  return fetched(companyId, id, itemOf({ type: 'card_purchase', amount, lines: [{ amount, account }] }));
}

/** An item as it is read from the platform's answer. */
export function fetched(companyId: string, id: string, item: ExportItem): FetchedItem {
  return {
    accountingEntryId: id,
    item: exportItemSchema.parse({ ...item, accountingEntryId: id, companyId }),
  };
}

export function purchases(companyId: string, count: number): readonly FetchedItem[] {
  return Array.from({ length: count }, () => purchase(companyId));
}
