import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import type { ExportJob } from '../domain/export-job.js';
import { decideVerdict, type FailedVerdict } from '../domain/verdict.js';
import type { CompanyLease } from '../stores/company-lease.repository.js';
import { ExportStores } from '../stores/export-stores.js';
import { FailUnfinishedItems } from './fail-unfinished-items.js';

/** Decides the final event and puts it into the outbox in the same transaction: exactly one per job (I10). */
@Injectable()
export class DecideVerdict {
  constructor(
    private readonly exportStores: ExportStores,
    private readonly failUnfinishedItems: FailUnfinishedItems,
    private readonly clock: Clock,
  ) {}

  /**
   * From the results of all items. A job of which something is, or may be, in the books cannot end as `failed` without a
   * look-up (I4): then the failure becomes the result of the items that have none.
   * @param failure why the whole job fails; undefined: every item has a result
   * @throws ErpUnavailable while there is time to wait until the ERP shows what it has; LeaseLost
   */
  async decide(job: ExportJob, lease: CompanyLease, failure: FailedVerdict | undefined): Promise<void> {
    const failsAsWhole = failure !== undefined && !(await this.mayHavePosted(job));
    if (failure !== undefined && !failsAsWhole) {
      const { failureReasonType: failureType, failureReason } = failure;
      await this.failUnfinishedItems.failItems(job, lease, { failureType, failureReason });
    }
    await this.exportStores.fenced('decide verdict', lease, async (tx) => {
      const verdict = failsAsWhole
        ? failure
        : decideVerdict(await this.exportStores.exportItemRepository.totals(tx, job), job.numberOfItems);
      await this.exportStores.exportJobRepository.markVerdictDecided(tx, job, verdict);
      await this.exportStores.outboxRepository.add(tx, job, 'verdict', verdict, this.clock.now());
    });
  }

  private async mayHavePosted(job: ExportJob): Promise<boolean> {
    return this.exportStores.inInstallation('what is posted', job.installationId, (tx) =>
      this.exportStores.exportJobRepository.mayHavePosted(tx, job),
    );
  }
}
