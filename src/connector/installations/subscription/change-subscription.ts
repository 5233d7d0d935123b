import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import type { InstallationId } from '../../../kernel/ids.js';
import { TaskQueue } from '../../tasks/task-queue.js';
import { maintainSubscriptionTask } from '../installations.tasks.js';
import { SubscriptionRepository, type StoredSubscription, type SubscriptionStatus } from './subscription.repository.js';

/** Changes what an administrator may set of the subscription. The platform learns of it in the background. */
@Injectable()
export class ChangeSubscription {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly subscriptionRepository: SubscriptionRepository,
    private readonly taskQueue: TaskQueue,
  ) {}

  /** @returns false before the first subscription */
  async setWantedStatus(installationId: InstallationId, status: SubscriptionStatus): Promise<boolean> {
    return this.changeAndMaintain('set subscription status', installationId, (tx) =>
      this.subscriptionRepository.setWantedStatus(tx, installationId, status),
    );
  }

  /** The previous secret stays valid for 24 hours (S15). @returns false when there is no secret yet */
  async rotateSecret(installationId: InstallationId): Promise<boolean> {
    return this.changeAndMaintain('request secret rotation', installationId, (tx) =>
      this.subscriptionRepository.requestRotation(tx, installationId),
    );
  }

  /**
   * Sets how `webhook-timestamp` is read, from the next message on (F2).
   * @returns false before the first subscription
   */
  async setTimestampMeaning(
    installationId: InstallationId,
    meaning: StoredSubscription['timestampMeaning'],
  ): Promise<boolean> {
    return this.tenantDatabase.inInstallation('set timestamp meaning', installationId, (tx) =>
      this.subscriptionRepository.setTimestampMeaning(tx, installationId, meaning),
    );
  }

  private async changeAndMaintain(
    label: string,
    installationId: InstallationId,
    change: (tx: Tx) => Promise<boolean>,
  ): Promise<boolean> {
    return this.tenantDatabase.inInstallation(label, installationId, async (tx) => {
      const isChanged = await change(tx);
      await this.taskQueue.send(tx, maintainSubscriptionTask, { installationId }, installationId);
      return isChanged;
    });
  }
}
