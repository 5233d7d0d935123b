import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import { Clock } from '../../../kernel/clock.js';
import type { JobEvent } from '../../platform/platform-api.js';
import type { ExportJob } from '../domain/export-job.js';
import { decideVerdict, verdictMessages, type FailedVerdict, type Verdict } from '../domain/verdict.js';
import type { CompanyLease } from '../stores/company-lease.repository.js';
import { fenced } from '../stores/fenced.js';
import { ExportJobRepository } from '../stores/export-job.repository.js';
import { ExportItemRepository } from '../stores/export-item.repository.js';
import { OutboxRepository, type OutboxMessage } from '../reporting/outbox.repository.js';
import { FailUnfinishedItems } from './fail-unfinished-items.js';

/** Decides the final event and puts it into the outbox in the same transaction: exactly one per job (I10). */
@Injectable()
export class DecideVerdict {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly exportJobRepository: ExportJobRepository,
    private readonly exportItemRepository: ExportItemRepository,
    private readonly outboxRepository: OutboxRepository,
    private readonly failUnfinishedItems: FailUnfinishedItems,
    private readonly clock: Clock,
  ) {}

  /**
   * Decided from the results of all items. Where something is or may be in the books, a failure of the whole job is first made the
   * result of the items that have none (I4).
   * @param failure why the whole job fails; undefined: every item has a result
   * @returns the verdict as a message to the platform; undefined when other messages have to be sent first
   * @throws ErpUnavailable while there is time to wait until the ERP shows what it has; LeaseLost
   */
  async decide(
    job: ExportJob,
    lease: CompanyLease,
    failure: FailedVerdict | undefined,
  ): Promise<OutboxMessage | undefined> {
    const failsAsWhole = failure !== undefined && !(await this.mayHavePosted(job));
    if (failure !== undefined && !failsAsWhole) {
      const { failureReasonType: failureType, failureReason, messages } = failure;
      await this.failUnfinishedItems.failItems(job, lease, { failureType, failureReason, messages });
    }
    return fenced(this.tenantDatabase, 'decide verdict', lease, async (tx) => {
      const verdict = failsAsWhole ? failure : await this.fromResults(tx, job);
      this.exportJobRepository.markVerdictDecided(tx, job, verdict);
      return this.outboxRepository.addLast(tx, job, 'verdict', eventOf(verdict), this.clock.now());
    });
  }

  private async fromResults(tx: Tx, job: ExportJob): Promise<Verdict> {
    const totals = await this.exportItemRepository.totals(tx, job);
    const verdict = decideVerdict(totals, job.numberOfItems);
    return verdict.event === 'failed' ? { ...verdict, messages: verdictMessages(totals, job.numberOfItems) } : verdict;
  }

  private async mayHavePosted(job: ExportJob): Promise<boolean> {
    return this.tenantDatabase.readOnce('what is posted', job.installationId, (tx) =>
      this.exportJobRepository.mayHavePosted(tx, job),
    );
  }
}

/** Without the messages, which are for the connector's own pages. */
function eventOf(verdict: Verdict): JobEvent {
  if (verdict.event !== 'failed') {
    return verdict;
  }
  const { event, failureReasonType, failureReason } = verdict;
  return { event, failureReasonType, failureReason };
}
