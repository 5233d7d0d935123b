import { Injectable } from '@nestjs/common';
import type { Tx } from '../../foundation/database/transaction.js';
import type { InstallationId, WebhookId } from '../../kernel/ids.js';
import { InstallationRepository } from '../installations/installation.repository.js';
import { TaskQueue } from '../tasks/task-queue.js';
import { handleNotificationTask, refuseUnconnectedJobTask } from './webhooks.tasks.js';

/** In which the company's own integration, should it have another one, starts the job. */
const REFUSED_AFTER_SECONDS = 30;

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

  /** @param exportJobId of a company that is not connected */
  async queueRefusal(tx: Tx, installationId: InstallationId, exportJobId: string): Promise<void> {
    const key = `${installationId}/${exportJobId}`;
    const task = { installationId, exportJobId };
    await this.taskQueue.send(tx, refuseUnconnectedJobTask, task, key, REFUSED_AFTER_SECONDS);
  }
}
