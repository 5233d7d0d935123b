import { Injectable } from '@nestjs/common';
import type { Tx } from '../../../foundation/database/transaction.js';
import type { CompanyId, InstallationId } from '../../../kernel/ids.js';
import { PlatformApi } from '../../platform/platform-api.js';
import { TaskQueue } from '../../tasks/task-queue.js';
import { nearEnd } from '../domain/deadline.js';
import { placeFor } from '../domain/places.js';
import { ExportJobRepository } from '../stores/export-job.repository.js';
import { runExportJobsTasks } from '../exports.tasks.js';

@Injectable()
export class WakeCompany {
  constructor(
    private readonly jobs: ExportJobRepository,
    private readonly tasks: TaskQueue,
    private readonly platform: PlatformApi,
  ) {}

  /**
   * Lets a worker work off what of a company is due, on the place where it belongs; does nothing when nothing is due.
   * @param tx the caller's, of this installation: the task exists exactly when it commits
   */
  async run(tx: Tx, installationId: InstallationId, companyId: CompanyId): Promise<void> {
    const due = await this.jobs.findDue(tx, installationId, companyId);
    if (due === undefined) {
      return;
    }
    const place = placeFor(due, nearEnd(this.platform.platformNow()));
    await this.tasks.send(
      tx,
      runExportJobsTasks[place],
      { installationId, companyId },
      `${installationId}/${companyId}`,
    );
  }
}
