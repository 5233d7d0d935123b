// Delivers the outbox of a job to the platform, in order, and records what was accepted.
import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import { Clock } from '../../../kernel/clock.js';
import type { JobEvent } from '../../platform/platform-api.js';
import type { ExportJob } from '../domain/export-job.js';
import type { CompanyLease } from '../stores/company-lease.repository.js';
import { fenced, fencedOnce } from '../stores/fenced.js';
import { ExportItemRepository } from '../stores/export-item.repository.js';
import { OutboxRepository, type OutboxMessage } from './outbox.repository.js';
import { ReportToPlatform } from './report-to-platform.js';

/** Update calls for one job at the same time: a chunk has results for so many, so that each chunk is one round. */
const MAX_CONCURRENT_UPDATES = 5;
/** Messages read at a time; when fewer wait, the outbox is not read again. */
const MAX_READ = 2 * MAX_CONCURRENT_UPDATES;

@Injectable()
export class RelayOutbox {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
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
    let waiting: readonly OutboxMessage[];
    do {
      waiting = await this.tenantDatabase.readOnce('next messages', lease.installationId, (tx) =>
        this.outboxRepository.findUndelivered(tx, job, lease, MAX_READ),
      );
      for (const messages of inRounds(waiting)) {
        await this.deliver(job, lease, messages);
      }
    } while (waiting.length === MAX_READ);
  }

  /**
   * Sends an event when no earlier message waits. The caller records the delivery.
   * @throws as `deliverAll`
   */
  async send(job: ExportJob, event: JobEvent): Promise<void> {
    await this.reportToPlatform.sendEvent(job, event);
  }

  /**
   * Delivers messages that can be sent together.
   * @throws as `deliverAll`, after the accepted ones are recorded
   */
  async deliver(job: ExportJob, lease: CompanyLease, messages: readonly OutboxMessage[]): Promise<void> {
    const sent = await Promise.allSettled(
      messages.map((message) =>
        message.kind === 'items'
          ? this.reportToPlatform.sendItems(job, message.body)
          : this.reportToPlatform.sendEvent(job, message.body),
      ),
    );
    const delivered = messages.filter((_, index) => sent[index]?.status === 'fulfilled');
    const problems = new Map(sent.flatMap((result) => (result.status === 'fulfilled' ? [...result.value] : [])));
    if (delivered.length > 0) {
      await this.markDelivered(job, lease, delivered, problems);
    }
    const failed = sent.find((result) => result.status === 'rejected');
    if (failed !== undefined) {
      throw failed.reason;
    }
  }

  private async markDelivered(
    job: ExportJob,
    lease: CompanyLease,
    messages: readonly OutboxMessage[],
    problems: ReadonlyMap<string, string>,
  ): Promise<void> {
    const at = this.clock.now();
    const seqs = messages.map(({ seq }) => seq);
    if (problems.size === 0) {
      await fencedOnce(this.tenantDatabase, 'messages delivered', lease, (tx) => {
        this.outboxRepository.markDelivered(tx, job, seqs, at);
      });
      return;
    }
    await fenced(this.tenantDatabase, 'messages delivered', lease, async (tx) => {
      this.outboxRepository.markDelivered(tx, job, seqs, at);
      await this.exportItemRepository.markRefused(tx, job, problems);
    });
  }
}

/** Groups messages that can be sent together: events alone, results with each other, since no item is in two messages. */
function inRounds(waiting: readonly OutboxMessage[]): readonly (readonly OutboxMessage[])[] {
  const rounds: OutboxMessage[][] = [];
  for (const message of waiting) {
    const before = rounds.at(-1);
    const isFull = before === undefined || before[0]?.kind !== 'items' || before.length === MAX_CONCURRENT_UPDATES;
    if (message.kind === 'items' && !isFull) {
      before.push(message);
    } else {
      rounds.push([message]);
    }
  }
  return rounds;
}
