import { Module } from '@nestjs/common';
import { InstallationsModule } from '../installations/installations.module.js';
import { AcceptNotification } from './accept-notification.js';
import { NotificationRepository } from './notification.repository.js';
import { WebhooksController } from './webhooks.controller.js';
import { WebhooksService } from './webhooks.service.js';

@Module({
  imports: [InstallationsModule],
  controllers: [WebhooksController],
  providers: [AcceptNotification, NotificationRepository, WebhooksService],
  exports: [WebhooksService],
})
export class WebhooksModule {}
