import { randomUUID } from 'node:crypto';
import type { INestApplicationContext, Type } from '@nestjs/common';
import type pg from 'pg';
import type { BookkeepingPolicies } from '../../../../src/connector/bookkeeping/item/bookkeeping-context.js';
import { companyData, itemOf } from '../../../../src/connector/bookkeeping/item/planning.fixtures.js';
import type { ExportItem } from '../../../../src/connector/bookkeeping/item/export-item.js';
import { OutboxRepository } from '../../../../src/connector/exports/reporting/outbox.repository.js';
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
import { Clock } from '../../../../src/kernel/clock.js';
import { toExportJobId, type CompanyId, type ErpCompanyId, type InstallationId } from '../../../../src/kernel/ids.js';
import { insertInstallation, startConnectorRooms } from '../../../support/connector-app.js';
import { FakeErp } from '../../../support/fake-erp.js';
import { OneErp } from '../../../support/one-erp.js';
import { FakePlatform, type FakeJob } from '../../../support/platform/fake-platform.js';
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

/** The export pipeline on a fresh database between a platform and an ERP in memory. */
export class ExportsHarness {
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
    const clock = new FakeClock();
    const platform = new FakePlatform(clock);
    const erp = new FakeErp();
    const replaced = [
      { provide: Clock, useFactory: () => clock },
      { provide: PlatformApi, useFactory: () => platform },
      { provide: ErpConnections, useFactory: () => ledger ?? new OneErp(erp, undefined, {}, undefined, clock) },
      ...(files === undefined ? [] : [{ provide: FileClient, useFactory: () => files }]),
    ];
    const { app, admin, close } = await startConnectorRooms([ExportsModule, ...features], replaced, environment);
    return new ExportsHarness(admin, clock, platform, app.get(TenantDatabase), erp, app, close);
  }

  /** A provider of the pipeline. */
  get<T>(type: Type<T>): T {
    return this.app.get(type, { strict: false });
  }

  /**
   * An active installation, linked and configured by default. Jobs of earlier ones are not due any more: a worker
   * lets a company go when others wait, and how long a test takes must not decide that.
   */
  async addTenant({ erpCompany = true, mapping = true, policies }: TenantOptions = {}): Promise<Tenant> {
    await this.admin.query(
      `UPDATE export_job SET next_run_at = now() + interval '1 day', version = version + 1 WHERE state IN ${OPEN}`,
    );
    return insertInstallation(this.admin, {
      erpCompanyId: typeof erpCompany === 'string' ? erpCompany : erpCompany ? this.erp.companyId : null,
      settings: mapping
        ? { accounts: companyData.settings, policies: { ...companyData.policies, ...policies } }
        : undefined,
    });
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
    await this.database.inInstallation('detect', tenant.installationId, (tx) => {
      this.stores.exportJobRepository.saveDetected(tx, tenant.installationId, [detected], this.clock.now());
    });
  }

  async claim({ installationId, companyId }: Tenant): Promise<CompanyLease | undefined> {
    return this.database.inInstallation('claim', installationId, (tx) =>
      this.stores.companyLeaseRepository.claim(tx, installationId, companyId, randomUUID()),
    );
  }

  /** @throws Error when another worker holds the company */
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
    const job = await this.database.inInstallation('read job', installationId, (tx) =>
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

  /** One worker's turn: claims the company, processes what is due and its lane accepts, releases it. */
  async processQueue(tenant: Tenant, stopping = new AbortController().signal, lane: Lane = 'long'): Promise<void> {
    await this.get(ProcessCompanyQueue).processUntilIdle(tenant, lane, stopping);
  }

  /** As `processQueue`, after the pause of a postponed job. */
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
