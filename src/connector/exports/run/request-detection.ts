import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import type { InstallationId } from '../../../kernel/ids.js';
import { InstallationRepository } from '../../installations/installation.repository.js';
import { TaskQueue } from '../../tasks/task-queue.js';
import { detectExportJobsTask } from '../exports.tasks.js';

@Injectable()
export class RequestDetection {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly installationRepository: InstallationRepository,
    private readonly taskQueue: TaskQueue,
  ) {}

  /** Wakes a worker that looks for open jobs; if the task is lost, the next poll finds them. */
  async requestDetection(installationId: InstallationId): Promise<void> {
    await this.tenantDatabase.byKeys('request detection', installationId, async (tx) => {
      await this.installationRepository.schedulePollSoon(tx, installationId);
      await this.taskQueue.send(tx, detectExportJobsTask, { installationId }, installationId);
    });
  }
}
