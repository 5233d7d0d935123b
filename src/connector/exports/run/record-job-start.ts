import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import type { ErpCompanyId } from '../../../kernel/ids.js';
import { TaskQueue } from '../../tasks/task-queue.js';
import type { ExportJob } from '../domain/export-job.js';
import { checkDriftTask } from '../exports.tasks.js';
import type { CompanyLease } from '../stores/company-lease.repository.js';
import { ExportStores } from '../stores/export-stores.js';

/** What a job keeps from its start to its end (I21). */
export interface PinnedConfiguration {
  readonly mappingVersion: number | undefined;
  readonly erpCompanyId: ErpCompanyId | undefined;
}

/** Records that a job runs, in one transaction with the event to send and the drift check. */
@Injectable()
export class RecordJobStart {
  constructor(
    private readonly exportStores: ExportStores,
    private readonly taskQueue: TaskQueue,
    private readonly clock: Clock,
  ) {}

  /**
   * @param withEvent whether `started` has to be sent
   * @throws LeaseLost
   */
  async recordStart(
    job: ExportJob,
    lease: CompanyLease,
    pinned: PinnedConfiguration,
    withEvent: boolean,
  ): Promise<void> {
    const { installationId } = job;
    const at = this.clock.now();
    await this.exportStores.fenced('start job', lease, async (tx) => {
      await this.exportStores.exportJobRepository.start(tx, job, { ...pinned, at });
      await this.taskQueue.send(tx, checkDriftTask, { installationId }, installationId);
      if (withEvent) {
        await this.exportStores.outboxRepository.add(tx, job, 'started', { event: 'started' }, at);
      }
    });
  }
}
