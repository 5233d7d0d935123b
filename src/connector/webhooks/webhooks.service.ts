import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import type { InstallationId } from '../../kernel/ids.js';
import { NotificationRepository } from './notification.repository.js';
import {
  NotificationViewRepository,
  type NotificationFilter,
  type NotificationView,
} from './notification-view.repository.js';
import { QuarantineRepository } from './quarantine.repository.js';
import { ReplayMessage, type Replay } from './replay-message.js';
import type { NotificationTask } from './webhooks.tasks.js';

/** What other features may ask of the notifications. */
@Injectable()
export class WebhooksService {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly notificationRepository: NotificationRepository,
    private readonly notificationViewRepository: NotificationViewRepository,
    private readonly quarantineRepository: QuarantineRepository,
    private readonly replayMessage: ReplayMessage,
  ) {}

  /** Event type of a stored notification; undefined when the task is only a hint that one was missed. */
  async eventTypeOf({ installationId, webhookId }: NotificationTask): Promise<string | undefined> {
    if (webhookId === undefined) {
      return undefined;
    }
    return this.tenantDatabase.inInstallation('load notification', installationId, (tx) =>
      this.notificationRepository.findEventType(tx, installationId, webhookId),
    );
  }

  /**
   * Whether the platform should have told us of an export job by now, and has not.
   * @param createdAt when the platform made it
   */
  async isJobUnannounced(installationId: InstallationId, jobId: string, createdAt: Date): Promise<boolean> {
    return this.tenantDatabase.inInstallation('look for announcement', installationId, (tx) =>
      this.notificationRepository.isMissing(tx, installationId, 'v1.export-job.created', jobId, createdAt),
    );
  }

  /** Accepted and quarantined messages, newest first. */
  async list(
    installationId: InstallationId,
    filter: NotificationFilter,
  ): Promise<readonly NotificationView[]> {
    return this.tenantDatabase.inInstallation('list notifications', installationId, (tx) =>
      this.notificationViewRepository.list(tx, installationId, filter),
    );
  }

  /** @param id as `list` names it */
  async replay(installationId: InstallationId, id: string): Promise<Replay> {
    return this.replayMessage.replay(installationId, id);
  }

  /** Forgets quarantined bodies after a week (D1.31). */
  async deleteOldBodies(): Promise<void> {
    await this.tenantDatabase.acrossInstallations('forget old bodies', (tx) =>
      this.quarantineRepository.deleteOldBodies(tx),
    );
  }
}
