// Tells the platform what stands in the outbox, in order, and remembers what it took.
import { Injectable } from '@nestjs/common';
import type { Tx } from '../../../foundation/database/transaction.js';
import { AppLogger } from '../../../foundation/logging/app-logger.js';
import { Clock } from '../../../kernel/clock.js';
import { InstallationsService } from '../../installations/installations.service.js';
import { PlatformApi, type ItemResult, type JobEvent } from '../../platform/platform-api.js';
import { PlatformRefusal } from '../../platform/platform-error.js';
import type { ItemUpdateResponse } from '../../platform/platform.schema.js';
import { isEndedByOthers, type ExportJob } from '../domain/export-job.js';
import { isLong } from '../domain/lanes.js';
import { type CompanyLease } from '../stores/company-lease.repository.js';
import { type OutboxMessage } from './outbox.repository.js';
import { ExportStores } from '../stores/export-stores.js';
import { JobClosed } from '../run/run-interruptions.js';

/** Update calls under way at the same time for one job. */
const MAX_CONCURRENT_UPDATES = 3;

/** The platform will not know the entry at the next attempt either (P1.6). */
const UNKNOWN_ENTRY = 'ACCOUNTING_ENTRY_DOES_NOT_EXIST';
/** Of one result that the platform does not take. */
const MAX_ATTEMPTS = 3;
const PAUSE_MS = 1_000;

const STATUS_AFTER: Readonly<Record<JobEvent['event'], string>> = {
  started: 'in_progress',
  completed: 'completed',
  completed_with_errors: 'completed_with_errors',
  failed: 'failed',
};

@Injectable()
export class RelayOutbox {
  constructor(
    private readonly exportStores: ExportStores,
    private readonly installationsService: InstallationsService,
    private readonly platformApi: PlatformApi,
    private readonly clock: Clock,
    private readonly appLogger: AppLogger,
  ) {}

  /**
   * Delivers everything that waits for this job.
   * @throws JobClosed when the platform has ended the job otherwise; PlatformRefusal, NoResponse or AuthorizationLost
   *   when it could not be told: the rows wait for the next attempt; LeaseLost
   */
  async deliverAll(job: ExportJob, lease: CompanyLease): Promise<void> {
    let messages = await this.exportStores.fenced('next messages', lease, (tx) => this.nextMessages(tx, job));
    while (messages.length > 0) {
      messages = await this.deliver(job, lease, messages);
    }
  }

  /** What may be sent at the same time: an event alone, or results, since no item is in two messages. */
  private async nextMessages(tx: Tx, job: ExportJob): Promise<readonly OutboxMessage[]> {
    const waiting = await this.exportStores.outboxRepository.findUndelivered(tx, job, MAX_CONCURRENT_UPDATES);
    const event = waiting.findIndex(({ kind }) => kind !== 'items');
    return event === -1 ? waiting : waiting.slice(0, Math.max(event, 1));
  }

  /** @returns the messages after them */
  private async deliver(
    job: ExportJob,
    lease: CompanyLease,
    messages: readonly OutboxMessage[],
  ): Promise<readonly OutboxMessage[]> {
    const sent = await Promise.allSettled(
      messages.map((message) =>
        message.kind === 'items' ? this.sendItems(job, message.body) : this.sendEvent(job, message.body),
      ),
    );
    const delivered = messages.filter((_, index) => sent[index]?.status === 'fulfilled');
    const problems = new Map(
      sent.flatMap((answer) => (answer.status === 'fulfilled' ? [...answer.value] : [])),
    );
    const following = delivered.length > 0 ? await this.markDelivered(job, lease, delivered, problems) : [];
    const failed = sent.find((answer) => answer.status === 'rejected');
    if (failed !== undefined) {
      throw failed.reason;
    }
    return following;
  }

  /**
   * A 200 alone does not mean that all is well: what the platform did not take is sent again, unless it does not know
   * the entry at all.
   * @returns what it said about the items that it does not take in the end
   */
  private async sendItems(
    job: ExportJob,
    results: readonly ItemResult[],
  ): Promise<ReadonlyMap<string, string>> {
    const problems = new Map<string, string>();
    let open = results;
    for (let attempt = 1; open.length > 0; attempt += 1) {
      const errors = await this.updateItems(job, open);
      for (const { accountingEntryId } of open) {
        problems.delete(accountingEntryId);
      }
      for (const [id, { type, message }] of errors) {
        problems.set(id, `${type}: ${message}`);
      }
      open = open.filter(({ accountingEntryId }) => {
        const type = errors.get(accountingEntryId)?.type;
        return type !== undefined && type !== UNKNOWN_ENTRY && attempt < MAX_ATTEMPTS;
      });
      if (open.length > 0) {
        await this.clock.sleep(attempt * PAUSE_MS);
      }
    }
    if (problems.size > 0) {
      this.appLogger
        .of('exports')
        .warn({ exportJobId: job.id, items: [...problems] }, 'export_item.report_refused');
    }
    return problems;
  }

  /** @returns the errors of the answer, by accounting entry */
  private async updateItems(
    job: ExportJob,
    results: readonly ItemResult[],
  ): Promise<ReadonlyMap<string, ItemUpdateResponse['errors'][number]>> {
    try {
      const asker = isLong(job) ? 'long-exports' : 'connector';
      const auth = this.installationsService.authorization(job.installationId, asker);
      const { errors } = await this.platformApi.updateJobItems(auth, job.id, results);
      return new Map(errors.map((error) => [error.accountingEntryId.toLowerCase(), error]));
    } catch (error) {
      if (error instanceof PlatformRefusal && (error.status === 422 || error.status === 404)) {
        throw new JobClosed('the platform takes no more item results for this job', { cause: error });
      }
      throw error;
    }
  }

  private async sendEvent(job: ExportJob, event: JobEvent): Promise<ReadonlyMap<string, string>> {
    const auth = this.installationsService.authorization(job.installationId);
    try {
      await this.platformApi.sendJobEvent(auth, job.id, event);
    } catch (error) {
      if (!(error instanceof PlatformRefusal && error.status === 422)) {
        throw error;
      }
      // Either an earlier attempt was accepted and its answer lost, or the job was ended by somebody else.
      const { status, failureReasonType } = await this.platformApi.getExportJob(auth, job.id);
      if (status !== STATUS_AFTER[event.event] || isEndedByOthers(failureReasonType)) {
        throw new JobClosed(`the platform says the job is ${status}`, { cause: error });
      }
    }
    return new Map();
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
    const ids = messages
      .flatMap(({ kind, body }) => (kind === 'items' ? body : []))
      .map((result) => result.accountingEntryId);
    return this.exportStores.fenced('messages delivered', lease, async (tx) => {
      await this.exportStores.outboxRepository.markAllDelivered(tx, job, seqs, at);
      if (ids.length > 0) {
        await this.exportStores.exportItemRepository.markReported(tx, job, ids, problems, at);
      }
      return this.nextMessages(tx, job);
    });
  }
}
