import { Injectable } from '@nestjs/common';
import type { Tx } from '../../../foundation/database/transaction.js';
import { Clock } from '../../../kernel/clock.js';
import { type CompanyLease } from '../stores/company-lease.repository.js';
import type { ExportJob } from '../domain/export-job.js';
import { decideVerdict, type Verdict } from '../domain/verdict.js';
import { ExportStores } from '../stores/export-stores.js';

/** Decides the final event and puts it into the outbox in the same transaction: exactly one per job (invariant I10). */
@Injectable()
export class DecideVerdict {
  constructor(
    private readonly exportStores: ExportStores,
    private readonly clock: Clock,
  ) {}

  /** From the results of all items. */
  async decideFromItems(job: ExportJob, lease: CompanyLease): Promise<void> {
    await this.decideAndRecord(job, lease, async (tx) =>
      decideVerdict(await this.exportStores.exportItemRepository.totals(tx, job), job.numberOfItems),
    );
  }

  /** Without the items: something is wrong that concerns all of them. */
  async decideFailure(job: ExportJob, lease: CompanyLease, verdict: Verdict): Promise<void> {
    await this.decideAndRecord(job, lease, () => Promise.resolve(verdict));
  }

  private async decideAndRecord(
    job: ExportJob,
    lease: CompanyLease,
    decide: (tx: Tx) => Promise<Verdict>,
  ): Promise<void> {
    await this.exportStores.fenced('decide verdict', lease, async (tx) => {
      const verdict = await decide(tx);
      const failure =
        verdict.event === 'failed'
          ? { type: verdict.failureReasonType, reason: verdict.failureReason }
          : undefined;
      await this.exportStores.exportJobRepository.markVerdictDecided(tx, job, failure);
      await this.exportStores.outboxRepository.add(tx, job, 'verdict', verdict, this.clock.now());
    });
  }
}
