import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import type { CompanyId, InstallationId } from '../../../kernel/ids.js';
import { PlatformApi } from '../../platform/platform-api.js';
import { TaskQueue } from '../../tasks/task-queue.js';
import { urgentBefore } from '../domain/deadline.js';
import { laneFor } from '../domain/lanes.js';
import { companyQueueTasksByLane } from '../exports.tasks.js';
import { ExportJobRepository } from '../stores/export-job.repository.js';

@Injectable()
export class WakeCompany {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly exportJobRepository: ExportJobRepository,
    private readonly taskQueue: TaskQueue,
    private readonly platformApi: PlatformApi,
  ) {}

  /** As `wakeIfDueIn`, in a transaction of its own. */
  async wakeIfDue(installationId: InstallationId, companyId: CompanyId): Promise<void> {
    await this.tenantDatabase.byKeys('wake company', installationId, (tx) =>
      this.wakeIfDueIn(tx, installationId, companyId),
    );
  }

  /**
   * Wakes a worker for the due jobs of a company, on their lane; does nothing when none is due.
   * @param tx of this installation: the task exists exactly when it commits
   */
  async wakeIfDueIn(tx: Tx, installationId: InstallationId, companyId: CompanyId): Promise<void> {
    const due = await this.exportJobRepository.findDue(tx, installationId, companyId);
    if (due === undefined) {
      return;
    }
    const lane = laneFor(due, urgentBefore(this.platformApi.platformNow()));
    const key = `${installationId}/${companyId}`;
    await this.taskQueue.send(tx, companyQueueTasksByLane[lane], { installationId, companyId }, key);
  }
}
