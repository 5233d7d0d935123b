import { Module } from '@nestjs/common';
import { InstallationsModule } from '../installations/installations.module.js';
import { AcceptNotification } from './accept-notification.js';
import { NotificationRepository } from './notification.repository.js';
import { QuarantineRepository } from './quarantine.repository.js';
import { ReplayNotification } from './replay-notification.js';
import { DeleteOldBodies } from './delete-old-bodies.js';
import { NotificationReader } from './notification.reader.js';
import { QueueNotification } from './queue-notification.js';
import { IngestNotification } from './ingest-notification.js';
import { WebhooksController } from './webhooks.controller.js';

@Module({
  imports: [InstallationsModule],
  controllers: [WebhooksController],
  providers: [
    AcceptNotification,
    IngestNotification,
    ReplayNotification,
    NotificationRepository,
    QuarantineRepository,
    NotificationReader,
    QueueNotification,
    DeleteOldBodies,
  ],
  exports: [NotificationReader, ReplayNotification, DeleteOldBodies],
})
export class WebhooksModule {}
