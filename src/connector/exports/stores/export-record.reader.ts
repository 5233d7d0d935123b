import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import type { CompanyId, ErpCompanyId, InstallationId } from '../../../kernel/ids.js';
import type { WireMoney } from '../../bookkeeping/item/export-item.js';
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

/** What is recorded of exports, for comparison with platform and ERP. */
@Injectable()
export class ExportRecordReader {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly exportRecordRepository: ExportRecordRepository,
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

  async idsAt(installationId: InstallationId, jobId: string, positions: readonly number[]): Promise<readonly string[]> {
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

  /** The installation of a job; undefined when there is no such job. */
  async ownerOf(jobId: string): Promise<InstallationId | undefined> {
    return this.tenantDatabase.acrossInstallations('find owner of job', (tx) =>
      this.exportRecordRepository.ownerOf(tx, jobId),
    );
  }

  /** Amounts of entries as the platform stated them when they were planned; those whose item was not stored are left out. */
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
}
