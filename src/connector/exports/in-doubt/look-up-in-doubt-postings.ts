// Looks up postings in doubt after their job has ended. That is why an item in doubt may be reported as failed (H7, H8).
import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import { AppLogger } from '../../../foundation/logging/app-logger.js';
import type { ExportJobId } from '../../../kernel/ids.js';
import { ErpUnavailable } from '../../erp/erp-ledger.js';
import { LeaseLost } from '../../runs/lease.js';
import type { CompanyTask } from '../../tasks/task-definition.js';
import type { CompanyLease } from '../stores/company-lease.repository.js';
import { CompanyOwnership } from '../stores/company-ownership.js';
import { LoadKnownEntries } from '../posting/load-known-entries.js';
import { fenced } from '../stores/fenced.js';
import { ExportJobRepository } from '../stores/export-job.repository.js';
import { InDoubtPostingRepository, type DueLookUp } from './in-doubt-posting.repository.js';

/** Postings per look-up. */
const BATCH = 500;

@Injectable()
export class LookUpInDoubtPostings {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly companyOwnership: CompanyOwnership,
    private readonly exportJobRepository: ExportJobRepository,
    private readonly inDoubtPostingRepository: InDoubtPostingRepository,
    private readonly loadKnownEntries: LoadKnownEntries,
    private readonly appLogger: AppLogger,
  ) {}

  /** Returns at once while another worker owns the company. Postings that stay in doubt are due again later. */
  async lookUpDue({ installationId, companyId }: CompanyTask, stopping: AbortSignal): Promise<void> {
    try {
      await this.companyOwnership.whileOwner(installationId, companyId, (lease) =>
        this.lookUpInBatches(lease, stopping),
      );
    } catch (error) {
      if (!(error instanceof ErpUnavailable) && !(error instanceof LeaseLost)) {
        throw error;
      }
      this.appLogger.of('exports').warn({ err: error, installationId, companyId }, 'posting.still_in_doubt');
    }
  }

  private async lookUpInBatches(lease: CompanyLease, stopping: AbortSignal): Promise<void> {
    while (!stopping.aborted) {
      const due = await fenced(this.tenantDatabase, 'take due look-ups', lease, (tx) =>
        this.inDoubtPostingRepository.claimDue(tx, lease, BATCH),
      );
      if (due.length === 0) {
        return;
      }
      for (const [jobId, lookUps] of Map.groupBy(due, ({ exportJobId }) => exportJobId)) {
        await this.lookUpBatch(lease, jobId, lookUps);
      }
    }
  }

  private async lookUpBatch(lease: CompanyLease, jobId: ExportJobId, lookUps: readonly DueLookUp[]): Promise<void> {
    const { installationId } = lease;
    const job = await this.tenantDatabase.readOnce('read job', installationId, (tx) =>
      this.exportJobRepository.find(tx, installationId, jobId),
    );
    if (job === undefined) {
      return;
    }
    const ids = lookUps.map(({ accountingEntryId }) => accountingEntryId);
    for (const [accountingEntryId, { posting, inDoubt }] of await this.loadKnownEntries.loadOrLookUp(job, lease, ids)) {
      if (posting !== undefined && inDoubt === undefined) {
        this.appLogger
          .of('exports')
          .warn({ installationId, exportJobId: jobId, accountingEntryId }, 'posting.late_effect');
      }
    }
  }
}
