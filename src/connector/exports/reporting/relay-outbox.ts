// Delivers the outbox of a job to the platform, in order, and records what was accepted.
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import type { ExportJob } from '../domain/export-job.js';
import type { CompanyLease } from '../stores/company-lease.repository.js';
import { OutboxRepository, type OutboxMessage } from './outbox.repository.js';
import { ReportToPlatform } from './report-to-platform.js';
import { CompanyTransactions } from '../stores/company-transactions.js';
import { ExportItemRepository } from '../stores/export-item.repository.js';

/** Update calls under way at the same time for one job: as many as a recorded chunk has results for, so that each is one round. */
const MAX_CONCURRENT_UPDATES = 5;

@Injectable()
export class RelayOutbox {
  constructor(
    private readonly companyTransactions: CompanyTransactions,
    private readonly exportItemRepository: ExportItemRepository,
    private readonly outboxRepository: OutboxRepository,
    private readonly reportToPlatform: ReportToPlatform,
    private readonly clock: Clock,
  ) {}

  /**
   * Delivers everything that waits for this job.
   * @throws JobClosed when the platform has ended the job otherwise; PlatformRefusal, NoResponse or AuthorizationLost
   *   when it did not accept them: the rows wait for the next attempt; LeaseLost
   */
  async deliverAll(job: ExportJob, lease: CompanyLease): Promise<void> {
    const waiting = await this.companyTransactions.readOnce('next messages', lease.installationId, (tx) =>
      this.outboxRepository.findUndeliveredAsOwner(tx, job, lease, MAX_CONCURRENT_UPDATES),
    );
    let messages = sendableTogether(waiting);
    while (messages.length > 0) {
      messages = await this.deliver(job, lease, messages);
    }
  }

  /** @returns the messages after them */
  private async deliver(
    job: ExportJob,
    lease: CompanyLease,
    messages: readonly OutboxMessage[],
  ): Promise<readonly OutboxMessage[]> {
    const sent = await Promise.allSettled(
      messages.map((message) =>
        message.kind === 'items'
          ? this.reportToPlatform.sendItems(job, message.body)
          : this.reportToPlatform.sendEvent(job, message.body),
      ),
    );
    const delivered = messages.filter((_, index) => sent[index]?.status === 'fulfilled');
    const problems = new Map(sent.flatMap((result) => (result.status === 'fulfilled' ? [...result.value] : [])));
    const following = delivered.length > 0 ? await this.markDelivered(job, lease, delivered, problems) : [];
    const failed = sent.find((result) => result.status === 'rejected');
    if (failed !== undefined) {
      throw failed.reason;
    }
    return following;
  }

  /** @returns the messages that wait then */
  private async markDelivered(
    job: ExportJob,
    lease: CompanyLease,
    messages: readonly OutboxMessage[],
    problems: ReadonlyMap<string, string>,
  ): Promise<readonly OutboxMessage[]> {
    const at = this.clock.now();
    const seqs = messages.map(({ seq }) => seq);
    return this.companyTransactions.fenced('messages delivered', lease, async (tx) => {
      await this.outboxRepository.markAllDelivered(tx, job, seqs, at);
      if (problems.size > 0) {
        await this.exportItemRepository.markRefused(tx, job, problems);
      }
      return sendableTogether(await this.outboxRepository.findUndelivered(tx, job, MAX_CONCURRENT_UPDATES));
    });
  }
}

/** An event alone, or results, since no item is in two messages. */
function sendableTogether(waiting: readonly OutboxMessage[]): readonly OutboxMessage[] {
  const event = waiting.findIndex(({ kind }) => kind !== 'items');
  return event === -1 ? waiting : waiting.slice(0, Math.max(event, 1));
}
