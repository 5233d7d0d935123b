import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import { TaskQueue } from '../../tasks/task-queue.js';
import { maintainSubscriptionTask } from '../installations.tasks.js';
import { SubscriptionRepository } from './subscription.repository.js';

/** Most subscriptions of one tick: three requests each, which leaves request budget for the exports. */
const MAINTENANCE_LIMIT = 20;

@Injectable()
export class WakeSubscriptionMaintenance {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly subscriptionRepository: SubscriptionRepository,
    private readonly taskQueue: TaskQueue,
  ) {}

  /** Wakes a worker for each installation whose subscription is due for maintenance. */
  async wakeDue(): Promise<void> {
    const due = await this.tenantDatabase.acrossInstallations('claim subscriptions due', (tx) =>
      this.subscriptionRepository.claimMaintenanceDue(tx, MAINTENANCE_LIMIT),
    );
    for (const installationId of due) {
      await this.tenantDatabase.inInstallation('wake for subscription', installationId, (tx) =>
        this.taskQueue.send(tx, maintainSubscriptionTask, { installationId }, installationId),
      );
    }
  }
}
