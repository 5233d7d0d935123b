import { Injectable } from '@nestjs/common';
import type { Tx } from '../../../foundation/database/transaction.js';
import type { CompanyId, InstallationId } from '../../../kernel/ids.js';
import { PlatformApi } from '../../platform/platform-api.js';
import { TaskQueue } from '../../tasks/task-queue.js';
import { urgentBefore } from '../domain/deadline.js';
import { laneFor } from '../domain/lanes.js';
import { ExportJobRepository } from '../stores/export-job.repository.js';
import { companyQueueTasksByLane } from '../exports.tasks.js';

@Injectable()
export class WakeCompany {
  constructor(
    private readonly exportJobRepository: ExportJobRepository,
    private readonly taskQueue: TaskQueue,
    private readonly platformApi: PlatformApi,
  ) {}

  /**
   * Lets a worker work off what of a company is due, on the place where it belongs; does nothing when nothing is due.
   * @param tx the caller's, of this installation: the task exists exactly when it commits
   */
  async wakeIfDue(tx: Tx, installationId: InstallationId, companyId: CompanyId): Promise<void> {
    const due = await this.exportJobRepository.findDue(tx, installationId, companyId);
    if (due === undefined) {
      return;
    }
    const place = laneFor(due, urgentBefore(this.platformApi.platformNow()));
    await this.taskQueue.send(
      tx,
      companyQueueTasksByLane[place],
      { installationId, companyId },
      `${installationId}/${companyId}`,
    );
  }
}
