import { Injectable } from '@nestjs/common';
import type { Tx } from '../../foundation/database/transaction.js';
import type { InstallationId, WebhookId } from '../../kernel/ids.js';
import { InstallationRepository } from '../installations/installation.repository.js';
import { TaskQueue } from '../tasks/task-queue.js';
import { handleNotificationTask } from './webhooks.tasks.js';

/** Starts what follows from a message, in the caller's transaction. */
@Injectable()
export class QueueNotification {
  constructor(
    private readonly installationRepository: InstallationRepository,
    private readonly taskQueue: TaskQueue,
  ) {}

  /**
   * The task makes it fast, the poll makes it certain: where the task is lost, the installation is still due for a poll.
   * @param webhookId undefined: a message was missed, and which one is unknown
   */
  async queue(tx: Tx, installationId: InstallationId, webhookId: WebhookId | undefined): Promise<void> {
    await this.installationRepository.schedulePollSoon(tx, installationId);
    const key = `${installationId}/${webhookId ?? 'stale'}`;
    await this.taskQueue.send(tx, handleNotificationTask, { installationId, webhookId }, key);
  }
}
