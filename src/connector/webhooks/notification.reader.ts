import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import type { InstallationId } from '../../kernel/ids.js';
import {
  NotificationViewRepository,
  type NotificationFilter,
  type NotificationView,
} from './notification-view.repository.js';
import { NotificationRepository } from './notification.repository.js';
import type { NotificationTask } from './webhooks.tasks.js';

/** Reads notifications, each call in a transaction of its own. */
@Injectable()
export class NotificationReader {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly notificationRepository: NotificationRepository,
    private readonly notificationViewRepository: NotificationViewRepository,
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
   * Whether the platform should have announced an export job by now, and has not.
   * @param createdAt when the platform created the job
   */
  async isJobUnannounced(installationId: InstallationId, jobId: string, createdAt: Date): Promise<boolean> {
    return this.tenantDatabase.inInstallation('look for announcement', installationId, (tx) =>
      this.notificationRepository.isMissing(tx, installationId, 'v1.export-job.created', jobId, createdAt),
    );
  }

  /** Accepted and quarantined messages, newest first. */
  async list(installationId: InstallationId, filter: NotificationFilter): Promise<readonly NotificationView[]> {
    return this.tenantDatabase.inInstallation('list notifications', installationId, (tx) =>
      this.notificationViewRepository.list(tx, installationId, filter),
    );
  }
}
