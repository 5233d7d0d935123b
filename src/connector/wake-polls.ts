import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../foundation/database/tenant-database.js';
import { detectExportJobsTask } from './exports/exports.tasks.js';
import { InstallationRepository, type DueInstallation } from './installations/installation.repository.js';
import { finishConnectionTask } from './installations/installations.tasks.js';
import type { InstallationTask, TaskDefinition } from './tasks/task-definition.js';
import { TaskQueue } from './tasks/task-queue.js';

/** Most installations of one tick; the others follow at the next one. */
const POLL_LIMIT = 200;

/**
 * The safety net under the webhooks and the queue: every company is polled regularly, and at once after a hint, whatever
 * message or task was lost.
 */
@Injectable()
export class WakePolls {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly installationRepository: InstallationRepository,
    private readonly taskQueue: TaskQueue,
  ) {}

  /** Wakes a worker for each installation whose poll, or whose unfinished connection, is due. */
  async wakeDue(): Promise<void> {
    const due = await this.tenantDatabase.acrossInstallations('claim due installations', (tx) =>
      this.installationRepository.claimDue(tx, POLL_LIMIT),
    );
    await this.wake(
      detectExportJobsTask,
      due.filter(({ state }) => state === 'active'),
    );
    await this.wake(
      finishConnectionTask,
      due.filter(({ state }) => state !== 'active'),
    );
  }

  private async wake(task: TaskDefinition<InstallationTask>, due: readonly DueInstallation[]): Promise<void> {
    if (due.length > 0) {
      const payloads = new Map(due.map(({ id }) => [id, { installationId: id }]));
      await this.tenantDatabase.withoutInstallation('wake for poll', (tx) =>
        this.taskQueue.sendAll(tx, task, payloads),
      );
    }
  }
}
