import { Injectable } from '@nestjs/common';
import { Database } from '../../../foundation/database/database.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import { SimulatorClock } from '../clock/simulator-clock.js';
import { ApiError } from '../wire/api-error.js';
import { nextJobStatus, type JobEvent } from './domain/job-state.js';
import { ExportAccess } from './export-access.js';
import type { ExportJob } from './export-job.js';
import { ExportJobRepository } from './export-job.repository.js';
import { ExportJobItemRepository } from './export-job-item.repository.js';

export interface JobEventRequest {
  readonly jobId: string;
  readonly event: JobEvent;
  readonly failureReason: string | null;
  readonly failureReasonType: string | null;
}

/** Moves a job by an event of the integration, or by its user who cancels it (P1.4). */
@Injectable()
export class ApplyJobEvent {
  constructor(
    private readonly exportAccess: ExportAccess,
    private readonly exportJobRepository: ExportJobRepository,
    private readonly exportJobItemRepository: ExportJobItemRepository,
    private readonly database: Database,
    private readonly simulatorClock: SimulatorClock,
  ) {}

  /** @throws ApiError 422 when the job does not take the event now; 404 when the caller has no such job */
  async apply(companyIds: readonly string[], request: JobEventRequest): Promise<void> {
    await this.database.inTransaction('apply job event', async (tx) => {
      const job = await this.exportAccess.lockJob(tx, { companyIds }, request.jobId);
      const reason =
        request.event === 'failed'
          ? { failureReason: request.failureReason, failureReasonType: request.failureReasonType }
          : { failureReason: null, failureReasonType: null };
      await this.move(tx, job, request.event, request.event, reason);
    });
  }

  /** The user cancels in the web app. */
  async cancel(companyIds: readonly string[], jobId: string): Promise<void> {
    await this.database.inTransaction('cancel job', async (tx) => {
      const job = await this.exportAccess.lockJob(tx, { companyIds }, jobId);
      await this.move(tx, job, 'failed', 'canceled', {
        failureReason: 'The export was canceled by a user.',
        failureReasonType: 'canceled_by_user',
      });
    });
  }

  private async move(
    tx: Tx,
    job: ExportJob,
    event: JobEvent,
    recordedAs: string,
    reason: Pick<ExportJob, 'failureReason' | 'failureReasonType'>,
  ): Promise<void> {
    const status = nextJobStatus(job.status, event);
    if (status === undefined) {
      throw new ApiError(422, 'INVALID_EXPORT_JOB_STATUS_CHANGE', 'Export Job status change failed');
    }
    const now = this.simulatorClock.now();
    await this.exportJobRepository.change(tx, {
      ...job,
      ...reason,
      status,
      lastUpdatedAt: now,
      ...(event === 'started' ? { startedAt: now } : { completedAt: now }),
    });
    await this.exportJobRepository.addEvent(tx, {
      exportJobId: job.id,
      event: recordedAs,
      ...reason,
      acceptedAt: now,
    });
    if (status === 'failed') {
      await this.exportJobItemRepository.abandonOpen(tx, job.id);
    }
  }
}
