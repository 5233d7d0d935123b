// Tells the platform what stands in the outbox, in order, and remembers what it took.
import { Injectable } from '@nestjs/common';
import { AppLogger } from '../../foundation/logging/app-logger.js';
import { Clock } from '../../kernel/clock.js';
import { InstallationsService } from '../installations/installations.service.js';
import { PlatformApi, type ItemResult, type JobEvent } from '../platform/platform-api.js';
import { PlatformRefusal } from '../platform/platform-error.js';
import { isEndedByOthers, type ExportJob } from './domain/export-job.js';
import { type CompanyLease } from './company-lease.repository.js';
import { type OutboxMessage } from './outbox.repository.js';
import { ExportStores } from './export-stores.js';

/** The platform says the job is over, and not because of what we are telling it. */
export class JobClosed extends Error {
  override readonly name = 'JobClosed';
}

const STATUS_AFTER: Readonly<Record<JobEvent['event'], string>> = {
  started: 'in_progress',
  completed: 'completed',
  completed_with_errors: 'completed_with_errors',
  failed: 'failed',
};

@Injectable()
export class RelayOutbox {
  constructor(
    private readonly stores: ExportStores,
    private readonly installations: InstallationsService,
    private readonly platform: PlatformApi,
    private readonly clock: Clock,
    private readonly logger: AppLogger,
  ) {}

  /**
   * Delivers everything that waits for this job.
   * @throws JobClosed when the platform has ended the job otherwise; PlatformRefusal, NoAnswer or AuthorisationLost
   *   when it could not be told: the rows wait for the next attempt
   */
  async run(job: ExportJob, lease: CompanyLease): Promise<void> {
    for (;;) {
      const message = await this.stores.open('next message', job.installationId, async (tx) =>
        this.stores.outbox.nextUndelivered(tx, job),
      );
      if (message === undefined) {
        return;
      }
      const problems =
        message.kind === 'items'
          ? await this.sendItems(job, message.body)
          : await this.sendEvent(job, message.body);
      await this.markDelivered(job, lease, message, problems);
    }
  }

  /** @returns what the platform said about items it did not take; a 200 alone does not mean that all is well */
  private async sendItems(
    job: ExportJob,
    results: readonly ItemResult[],
  ): Promise<ReadonlyMap<string, string>> {
    try {
      const answer = await this.platform.updateJobItems(
        this.installations.authorisation(job.installationId),
        job.id,
        results,
      );
      const problems = new Map(
        answer.errors.map((error) => [
          error.accountingEntryId.toLowerCase(),
          `${error.type}: ${error.message}`,
        ]),
      );
      if (problems.size > 0) {
        this.logger
          .of('exports')
          .warn({ exportJobId: job.id, items: [...problems] }, 'export_item.report_refused');
      }
      return problems;
    } catch (error) {
      if (error instanceof PlatformRefusal && (error.status === 422 || error.status === 404)) {
        throw new JobClosed('the platform takes no more item results for this job', { cause: error });
      }
      throw error;
    }
  }

  private async sendEvent(job: ExportJob, event: JobEvent): Promise<ReadonlyMap<string, string>> {
    const auth = this.installations.authorisation(job.installationId);
    try {
      await this.platform.sendJobEvent(auth, job.id, event);
    } catch (error) {
      if (!(error instanceof PlatformRefusal && error.status === 422)) {
        throw error;
      }
      // Either an earlier attempt was accepted and its answer lost, or the job was ended by somebody else.
      const { status, failureReasonType } = await this.platform.getExportJob(auth, job.id);
      if (status !== STATUS_AFTER[event.event] || isEndedByOthers(failureReasonType)) {
        throw new JobClosed(`the platform says the job is ${status}`, { cause: error });
      }
    }
    return new Map();
  }

  private async markDelivered(
    job: ExportJob,
    lease: CompanyLease,
    message: OutboxMessage,
    problems: ReadonlyMap<string, string>,
  ): Promise<void> {
    const at = this.clock.now();
    await this.stores.fenced('message delivered', lease, async (tx) => {
      await this.stores.outbox.markDelivered(tx, job, message.seq, at);
      if (message.kind === 'items') {
        const ids = message.body.map((result) => result.accountingEntryId);
        await this.stores.items.markReported(tx, job, ids, problems, at);
      }
    });
  }
}
