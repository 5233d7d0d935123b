// Asks the ERP, after their job is over, for postings that nobody could be sure of while it ran: an item may be reported
// as failed in doubt only because this comes later (spec: reliability §c6, A7×P2 and A7×H4).
import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { AppLogger } from '../../../foundation/logging/app-logger.js';
import type { ExportJobId } from '../../../kernel/ids.js';
import { ErpUnavailable } from '../../erp/erp-ledger.js';
import { LeaseLost, type CompanyLease } from '../stores/company-lease.repository.js';
import { ExportStores } from '../stores/export-stores.js';
import { KnownPostings } from '../posting/known-postings.js';
import { UncertainPostingRepository, type DueLookUp } from './uncertain-posting.repository.js';
import type { SettleUncertainTask } from './uncertain-postings.tasks.js';

/** Postings looked up in one go. */
const BATCH = 500;

@Injectable()
export class SettleUncertain {
  constructor(
    private readonly stores: ExportStores,
    private readonly postings: UncertainPostingRepository,
    private readonly known: KnownPostings,
    private readonly logger: AppLogger,
  ) {}

  /** Returns at once while somebody works on the company; what could not be settled is due again later. */
  async run({ installationId, companyId }: SettleUncertainTask, stopping: AbortSignal): Promise<void> {
    const lease = await this.stores.open('claim company', installationId, (tx) =>
      this.stores.leases.claim(tx, installationId, companyId, randomUUID()),
    );
    if (lease === undefined) {
      return;
    }
    const log = this.logger.of('exports').child({ installationId, companyId });
    try {
      await this.settle(lease, stopping);
    } catch (error) {
      if (!(error instanceof ErpUnavailable) && !(error instanceof LeaseLost)) {
        throw error;
      }
      log.warn({ err: error }, 'posting.still_uncertain');
    } finally {
      await this.stores.open('release company', installationId, (tx) =>
        this.stores.leases.release(tx, lease),
      );
    }
  }

  private async settle(lease: CompanyLease, stopping: AbortSignal): Promise<void> {
    while (!stopping.aborted) {
      const due = await this.stores.fenced('take due look-ups', lease, (tx) =>
        this.postings.takeDue(tx, lease, BATCH),
      );
      if (due.length === 0) {
        return;
      }
      for (const [jobId, lookUps] of Map.groupBy(due, ({ exportJobId }) => exportJobId)) {
        await this.lookUp(lease, jobId, lookUps);
      }
    }
  }

  private async lookUp(
    lease: CompanyLease,
    jobId: ExportJobId,
    lookUps: readonly DueLookUp[],
  ): Promise<void> {
    const { installationId } = lease;
    const job = await this.stores.open('read job', installationId, (tx) =>
      this.stores.jobs.find(tx, installationId, jobId),
    );
    if (job === undefined) {
      return;
    }
    const ids = lookUps.map(({ accountingEntryId }) => accountingEntryId);
    for (const [accountingEntryId, { posting, doubt }] of await this.known.find(job, lease, ids)) {
      if (posting !== undefined && doubt === undefined) {
        this.logger
          .of('exports')
          .warn({ installationId, exportJobId: jobId, accountingEntryId }, 'posting.late_effect');
      }
    }
  }
}
