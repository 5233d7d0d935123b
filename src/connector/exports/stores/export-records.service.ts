import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import {
  toExportJobId,
  type CompanyId,
  type ErpCompanyId,
  type InstallationId,
} from '../../../kernel/ids.js';
import type { WireMoney } from '../../bookkeeping/item/export-item.js';
import type { CompanyLease } from './company-lease.repository.js';
import type { ExportJob } from '../domain/export-job.js';
import {
  ExportRecordRepository,
  type EntryRecord,
  type ItemCounts,
  type JobRecord,
  type JobRecordPosition,
  type PlanRecord,
  type PostingRecord,
  type PostingRecordPosition,
} from './export-record.repository.js';
import { ExportStores } from './export-stores.js';
import { MarkEntryMissing, type MissingEntryCheck } from '../in-doubt/mark-entry-missing.js';
import { RepairRecord, type BookedPosting } from './repair-record.js';

export type {
  EntryRecord,
  JobRecord,
  JobRecordPosition,
  PlanRecord,
  PostingRecord,
  StoredPlanEntry,
} from './export-record.repository.js';
export type { BookedPosting } from './repair-record.js';
export type { CompanyLease } from './company-lease.repository.js';

/** What the rest of the connector may ask of the record of exports, and mend of it. */
@Injectable()
export class ExportRecordsService {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly exportStores: ExportStores,
    private readonly exportRecordRepository: ExportRecordRepository,
    private readonly repairRecord: RepairRecord,
    private readonly markEntryMissing: MarkEntryMissing,
  ) {}

  /** In the order in which the platform made them, at most `limit`. */
  async jobs(
    installationId: InstallationId,
    companyId: CompanyId,
    period: { readonly from: Date; readonly until: Date },
    after: JobRecordPosition | undefined,
    limit: number,
  ): Promise<readonly JobRecord[]> {
    return this.tenantDatabase.inInstallation('list job records', installationId, (tx) =>
      this.exportRecordRepository.jobs(tx, installationId, companyId, period, after, limit),
    );
  }

  async job(installationId: InstallationId, id: string): Promise<JobRecord | undefined> {
    return this.tenantDatabase.inInstallation('read job record', installationId, (tx) =>
      this.exportRecordRepository.job(tx, installationId, id),
    );
  }

  /** One row per id, also for those that the job does not have. */
  async entries(
    installationId: InstallationId,
    job: JobRecord,
    ids: readonly string[],
  ): Promise<readonly EntryRecord[]> {
    return this.tenantDatabase.inInstallation('read entry records', installationId, (tx) =>
      this.exportRecordRepository.entries(tx, installationId, job, ids),
    );
  }

  async idsAt(
    installationId: InstallationId,
    jobId: string,
    positions: readonly number[],
  ): Promise<readonly string[]> {
    return this.tenantDatabase.inInstallation('read items by position', installationId, (tx) =>
      this.exportRecordRepository.idsAt(tx, installationId, jobId, positions),
    );
  }

  /** What a job has posted until then, in the order of keys and revisions. */
  async postings(
    installationId: InstallationId,
    jobId: string,
    until: Date,
    after: PostingRecordPosition | undefined,
    limit: number,
  ): Promise<readonly PostingRecord[]> {
    return this.tenantDatabase.inInstallation('read posting records', installationId, (tx) =>
      this.exportRecordRepository.postings(tx, installationId, jobId, until, after, limit),
    );
  }

  /** As `postings`, with their whole plans and items. */
  async plans(
    installationId: InstallationId,
    jobId: string,
    until: Date,
    after: PostingRecordPosition | undefined,
    limit: number,
  ): Promise<readonly PlanRecord[]> {
    return this.tenantDatabase.inInstallation('read plans', installationId, (tx) =>
      this.exportRecordRepository.plans(tx, installationId, jobId, until, after, limit),
    );
  }

  /** Whose job it is; undefined when there is none. */
  async ownerOf(jobId: string): Promise<InstallationId | undefined> {
    return this.tenantDatabase.acrossInstallations('find owner of job', (tx) =>
      this.exportRecordRepository.ownerOf(tx, jobId),
    );
  }

  /** What the platform said of entries when they were planned; those whose item was not kept are left out. */
  async itemAmounts(
    installationId: InstallationId,
    jobId: string,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, WireMoney>> {
    return this.tenantDatabase.inInstallation('read item amounts', installationId, (tx) =>
      this.exportRecordRepository.itemAmounts(tx, installationId, jobId, ids),
    );
  }

  async countItems(installationId: InstallationId, jobId: string): Promise<ItemCounts> {
    return this.tenantDatabase.inInstallation('count items', installationId, (tx) =>
      this.exportRecordRepository.countItems(tx, installationId, jobId),
    );
  }

  /** Those that any job has had, or that were sent to this ERP company. */
  async knownEntries(
    installationId: InstallationId,
    erpCompanyId: ErpCompanyId,
    ids: readonly string[],
  ): Promise<ReadonlySet<string>> {
    return this.tenantDatabase.inInstallation('known entries', installationId, (tx) =>
      this.exportRecordRepository.knownEntries(tx, installationId, erpCompanyId, ids),
    );
  }

  /** ERP companies that jobs of the period were posted to. */
  async erpCompanies(
    installationId: InstallationId,
    companyId: CompanyId,
    period: { readonly from: Date; readonly until: Date },
  ): Promise<readonly ErpCompanyId[]> {
    return this.tenantDatabase.inInstallation('ERP companies of jobs', installationId, (tx) =>
      this.exportRecordRepository.erpCompanies(tx, installationId, companyId, period),
    );
  }

  async knownJobs(installationId: InstallationId, ids: readonly string[]): Promise<ReadonlySet<string>> {
    return this.tenantDatabase.inInstallation('known jobs', installationId, (tx) =>
      this.exportRecordRepository.knownJobs(tx, installationId, ids),
    );
  }

  /**
   * Does something as the company's owner, which no export of it runs beside. It has to end within seconds.
   * @returns undefined when somebody works on the company
   * @throws LeaseLost
   */
  async asOwner<T>(
    installationId: InstallationId,
    companyId: CompanyId,
    work: (lease: CompanyLease) => Promise<T>,
  ): Promise<{ readonly result: T } | undefined> {
    const lease = await this.exportStores.inInstallation('claim company', installationId, (tx) =>
      this.exportStores.companyLeaseRepository.claim(tx, installationId, companyId, randomUUID()),
    );
    if (lease === undefined) {
      return undefined;
    }
    try {
      return { result: await work(lease) };
    } finally {
      await this.exportStores.inInstallation('release company', installationId, (tx) =>
        this.exportStores.companyLeaseRepository.release(tx, lease),
      );
    }
  }

  /** @throws ErpUnavailable, LeaseLost */
  async lookUp(lease: CompanyLease, jobId: string, ids: readonly string[]): Promise<void> {
    await this.withJob(lease, jobId, (job) => this.repairRecord.lookUp(job, lease, ids));
  }

  /** @throws LeaseLost */
  async importPostings(
    lease: CompanyLease,
    jobId: string,
    found: ReadonlyMap<string, BookedPosting>,
  ): Promise<void> {
    await this.withJob(lease, jobId, (job) => this.repairRecord.importPostings(job, lease, found));
  }

  /** @throws LeaseLost */
  async markReversed(
    lease: CompanyLease,
    jobId: string,
    found: ReadonlyMap<string, BookedPosting>,
  ): Promise<void> {
    await this.withJob(lease, jobId, (job) => this.repairRecord.markReversed(job, lease, found));
  }

  /**
   * Notes that the ERP has lost what was posted of an accounting entry, once the ERP has said so again.
   * @param since when it was first seen to be missing
   * @throws ErpUnavailable, LeaseLost
   */
  async markMissing(
    lease: CompanyLease,
    jobId: string,
    entryId: string,
    since: Date,
  ): Promise<MissingEntryCheck> {
    const noted = await this.withJob(lease, jobId, (job) =>
      this.markEntryMissing.markMissingIfAbsent(job, lease, entryId, since),
    );
    return noted ?? 'not-verifiable';
  }

  /** @throws LeaseLost */
  async beginReversal(
    lease: CompanyLease,
    jobId: string,
    found: ReadonlyMap<string, BookedPosting>,
  ): Promise<void> {
    await this.withJob(lease, jobId, (job) => this.repairRecord.beginReversal(job, lease, found));
  }

  /**
   * The ERP has surely not reversed these.
   * @throws LeaseLost
   */
  async withdrawReversal(lease: CompanyLease, jobId: string, keys: readonly string[]): Promise<void> {
    await this.withJob(lease, jobId, (job) => this.repairRecord.withdrawReversal(job, lease, keys));
  }

  /** @throws PlatformRefusal, NoResponse */
  async reportAgain(lease: CompanyLease, jobId: string, ids: readonly string[]): Promise<void> {
    await this.withJob(lease, jobId, (job) => this.repairRecord.reportAgain(job, ids));
  }

  /** @throws PlatformRefusal, NoResponse */
  async sendVerdict(lease: CompanyLease, jobId: string): Promise<void> {
    await this.withJob(lease, jobId, (job) => this.repairRecord.sendVerdict(job));
  }

  /** @returns undefined when there is no such job */
  private async withJob<T>(
    { installationId }: CompanyLease,
    jobId: string,
    work: (job: ExportJob) => Promise<T>,
  ): Promise<T | undefined> {
    const job = await this.exportStores.inInstallation('read job', installationId, (tx) =>
      this.exportStores.exportJobRepository.find(tx, installationId, toExportJobId(jobId)),
    );
    return job && work(job);
  }
}
