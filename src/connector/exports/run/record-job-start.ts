import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import { Clock } from '../../../kernel/clock.js';
import type { ErpCompanyId } from '../../../kernel/ids.js';
import { TaskQueue } from '../../tasks/task-queue.js';
import type { ExportJob } from '../domain/export-job.js';
import { checkDriftTask } from '../exports.tasks.js';
import type { CompanyLease } from '../stores/company-lease.repository.js';
import { fenced } from '../stores/fenced.js';
import { ExportJobRepository } from '../stores/export-job.repository.js';
import { OutboxRepository, type OutboxMessage } from '../reporting/outbox.repository.js';

/** Delayed, so that it runs after a rush of jobs and once for all of them. */
const SECONDS_TO_DRIFT_CHECK = 60;

/** Configuration that stays the same from a job's start to its end (I21). */
export interface PinnedConfiguration {
  readonly mappingVersion: number | undefined;
  readonly erpCompanyId: ErpCompanyId | undefined;
}

/** Records that a job runs, in one transaction with the event to send and the drift check. */
@Injectable()
export class RecordJobStart {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly exportJobRepository: ExportJobRepository,
    private readonly outboxRepository: OutboxRepository,
    private readonly taskQueue: TaskQueue,
    private readonly clock: Clock,
  ) {}

  /**
   * @param withEvent whether `started` has to be sent
   * @returns that message; undefined when other messages have to be sent first
   * @throws LeaseLost
   */
  async recordStart(
    job: ExportJob,
    lease: CompanyLease,
    pinned: PinnedConfiguration,
    withEvent: boolean,
  ): Promise<OutboxMessage | undefined> {
    const { installationId } = job;
    const at = this.clock.now();
    return fenced(this.tenantDatabase, 'start job', lease, async (tx) => {
      this.exportJobRepository.start(tx, job, { ...pinned, at });
      await this.taskQueue.send(tx, checkDriftTask, { installationId }, installationId, SECONDS_TO_DRIFT_CHECK);
      return withEvent ? this.outboxRepository.addLast(tx, job, 'started', { event: 'started' }, at) : undefined;
    });
  }
}
