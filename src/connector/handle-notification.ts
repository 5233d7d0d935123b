import { Injectable } from '@nestjs/common';
import { PollInstallation } from './poll-installation.js';
import { StartSyncs } from './reference-data/start-syncs.js';
import { NotificationReader } from './webhooks/notification.reader.js';
import type { NotificationTask } from './webhooks/webhooks.tasks.js';

/** Event type → use case. It stands above the features: `webhooks` knows none of them. */
@Injectable()
export class HandleNotification {
  constructor(
    private readonly notificationReader: NotificationReader,
    private readonly pollInstallation: PollInstallation,
    private readonly startSyncs: StartSyncs,
  ) {}

  /** A type without subscription is stored and otherwise ignored. */
  async handleNotification(task: NotificationTask): Promise<void> {
    const eventType = await this.notificationReader.eventTypeOf(task);
    switch (eventType) {
      case 'v1.export-job.created':
      case undefined: // Only a hint that a message was missed.
        await this.pollInstallation.poll(task.installationId);
        return;
      case 'v1.vendor.created':
        await this.startSyncs.startAfterVendorCreated(task.installationId);
        return;
      default:
        return;
    }
  }
}
