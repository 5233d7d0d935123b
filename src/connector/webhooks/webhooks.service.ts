import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import type { NotificationTask } from './webhooks.tasks.js';
import { NotificationRepository } from './notification.repository.js';

@Injectable()
export class WebhooksService {
  constructor(
    private readonly database: TenantDatabase,
    private readonly notifications: NotificationRepository,
  ) {}

  /** Event type of a stored notification; undefined when the task is only a hint that one was missed. */
  async eventTypeOf({ installationId, webhookId }: NotificationTask): Promise<string | undefined> {
    if (webhookId === undefined) {
      return undefined;
    }
    return this.database.inInstallation('load notification', installationId, (tx) =>
      this.notifications.findEventType(tx, installationId, webhookId),
    );
  }
}
