// Compares one job in all three sources, following the platform's list page by page.
import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import { isFinal } from '../../exports/domain/state-transitions.js';
import { PlatformAccess } from '../../installations/credentials/platform-access.js';
import { PlatformApi } from '../../platform/platform-api.js';
import { PlatformRefusal } from '../../platform/platform-error.js';
import type { PlatformExportJob } from '../../platform/platform.schema.js';
import { NotificationReader } from '../../webhooks/notification.reader.js';
import { CompareJobEntries } from './compare-job-entries.js';
import { classifyJob } from '../domain/classify-job.js';
import { JobTotals } from '../domain/job-totals.js';
import { PositionSet } from '../domain/position-set.js';
import type { PlatformItem } from '../domain/compared-sources.js';
import { ReconciliationRunRepository } from '../reconciliation-run.repository.js';
import { RunPostponed, RunStopped } from '../../runs/run-interruptions.js';
import type { ReconciliationScope } from './reconciliation-scope.js';
import { RecordDiscrepancies } from './record-discrepancies.js';
import { RepeatReports } from '../../exports/reporting/repeat-reports.js';
import { CompanyOwnership } from '../../exports/stores/company-ownership.js';
import { ExportRecordReader } from '../../exports/stores/export-record.reader.js';
import type { JobRecord } from '../../exports/stores/export-record.repository.js';

/** Entries that are compared together: as many keys as one request to the ERP takes. */
const CHUNK = 500;
/** The platform's last attempt to deliver a message comes 27 h 35 min after the first, give or take a fifth (F1). */
const LAST_DELIVERY_MS = 34 * 3_600_000;

/** State of a comparison, page by page. */
interface Tally {
  readonly seen: PositionSet;
  readonly totals: JobTotals;
}

@Injectable()
export class CompareJob {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly exportRecordReader: ExportRecordReader,
    private readonly companyOwnership: CompanyOwnership,
    private readonly repeatReports: RepeatReports,
    private readonly platformAccess: PlatformAccess,
    private readonly platformApi: PlatformApi,
    private readonly notificationReader: NotificationReader,
    private readonly compareJobEntries: CompareJobEntries,
    private readonly reconciliationRunRepository: ReconciliationRunRepository,
    private readonly recordDiscrepancies: RecordDiscrepancies,
  ) {}

  /**
   * A job that has not ended in the record is skipped: it is half-written (H14).
   * @throws RunPostponed, RunStopped, LeaseLost, ErpUnavailable, PlatformRefusal, NoResponse
   */
  async compare(scope: ReconciliationScope, job: JobRecord): Promise<void> {
    if (!isFinal(job.state)) {
      return;
    }
    const platformJob = await this.readJob(scope, job);
    const tally = { seen: new PositionSet(job.lastPosition), totals: new JobTotals() };
    if (platformJob !== undefined) {
      await this.compareListed(scope, job, platformJob.status, tally);
    }
    await this.compareRest(scope, job, platformJob?.status, tally);
    // After its items: the platform accepts no more results once it has the verdict.
    await this.compareAsWhole(scope, job, platformJob);
    await this.compareTotals(scope, job, tally.totals);
  }

  private async readJob({ run }: ReconciliationScope, job: JobRecord): Promise<PlatformExportJob | undefined> {
    try {
      return await this.platformApi.getExportJob(this.platformAccess.authorizationFor(run.installationId), job.id);
    } catch (error) {
      if (error instanceof PlatformRefusal && error.status === 404) {
        return undefined;
      }
      throw error;
    }
  }

  private async compareListed(
    scope: ReconciliationScope,
    job: JobRecord,
    jobStatus: string,
    tally: Tally,
  ): Promise<void> {
    const auth = this.platformAccess.authorizationFor(scope.run.installationId);
    let chunk = new Map<string, PlatformItem>();
    for await (const page of this.platformApi.jobItemPages(auth, job.id)) {
      for (const { accountingEntryId, status, externalId } of page) {
        chunk.set(accountingEntryId, { status, externalId: externalId ?? undefined });
      }
      if (chunk.size >= CHUNK) {
        await this.compareChunk(scope, job, jobStatus, chunk, tally);
        chunk = new Map();
      }
    }
    await this.compareChunk(scope, job, jobStatus, chunk, tally);
  }

  /** Items of the record that the platform has not listed. */
  private async compareRest(
    scope: ReconciliationScope,
    job: JobRecord,
    jobStatus: string | undefined,
    tally: Tally,
  ): Promise<void> {
    for (const positions of tally.seen.missing(CHUNK)) {
      const ids = await this.exportRecordReader.idsAt(scope.run.installationId, job.id, positions);
      const items = new Map(ids.map((id) => [id, undefined]));
      await this.compareChunk(scope, job, jobStatus, items, tally);
    }
  }

  private async compareChunk(
    scope: ReconciliationScope,
    job: JobRecord,
    jobStatus: string | undefined,
    items: ReadonlyMap<string, PlatformItem | undefined>,
    { seen, totals }: Tally,
  ): Promise<void> {
    if (scope.stopping.aborted) {
      throw new RunStopped('the worker stops');
    }
    if (items.size === 0) {
      return;
    }
    const positions = await this.compareJobEntries.compareAndRepair(scope, job, { jobStatus, items }, totals);
    for (const position of positions) {
      seen.add(position);
    }
    await this.tenantDatabase.inInstallation('count compared entries', scope.run.installationId, (tx) =>
      this.reconciliationRunRepository.advance(tx, scope.run, { items: items.size }),
    );
  }

  /** Only once the platform has given up sending it. */
  private async isUnannounced({ run }: ReconciliationScope, job: JobRecord): Promise<boolean> {
    const { id, createdAt } = job;
    const isOver = createdAt.getTime() + LAST_DELIVERY_MS < this.platformApi.platformNow().getTime();
    return isOver && this.notificationReader.isJobUnannounced(run.installationId, id, createdAt);
  }

  private async compareAsWhole(
    scope: ReconciliationScope,
    job: JobRecord,
    platform: PlatformExportJob | undefined,
  ): Promise<void> {
    const { installationId, companyId } = scope.run;
    const unannounced = await this.isUnannounced(scope, job);
    const findings = classifyJob({ ...job, unannounced }, platform);
    const evidence = {
      platform: platform === undefined ? null : { status: platform.status, numberOfItems: platform.numberOfItems },
      record: { state: job.state, numberOfItems: job.numberOfItems, items: job.items, unannounced },
      erp: null,
    };
    const repaired = findings.find(({ repair }) => repair === 'send-verdict');
    if (repaired !== undefined) {
      const sent = await this.companyOwnership.whileOwner(installationId, companyId, () =>
        this.repeatReports.repeatVerdict(installationId, job.id),
      );
      if (sent === undefined) {
        throw new RunPostponed('an export of the company is under way');
      }
    }
    await this.recordDiscrepancies.record(
      scope,
      findings.map((finding) => ({
        class: finding.class,
        subject: job.id,
        accountingEntryId: undefined,
        exportJobId: job.id,
        erpCompanyId: job.erpCompanyId,
        evidence,
        amount: undefined,
        occurredAt: job.createdAt,
        repairedAs: finding.repair,
      })),
    );
  }

  private async compareTotals(scope: ReconciliationScope, job: JobRecord, totals: JobTotals): Promise<void> {
    await this.recordDiscrepancies.record(
      scope,
      totals.differing().map(({ currency, itemsMinor, bookedMinor }) => ({
        class: 'job-total-differs',
        subject: job.id,
        accountingEntryId: undefined,
        exportJobId: job.id,
        erpCompanyId: job.erpCompanyId,
        evidence: {
          platform: null,
          record: { currency, itemsMinor: itemsMinor.toString() },
          erp: { currency, expenseDebitsMinor: bookedMinor.toString() },
        },
        amount: {
          currency,
          minor: itemsMinor > bookedMinor ? itemsMinor - bookedMinor : bookedMinor - itemsMinor,
        },
        occurredAt: job.createdAt,
        repairedAs: undefined,
      })),
    );
  }
}
