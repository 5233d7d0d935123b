import { Module } from '@nestjs/common';
import { SubscriptionsModule } from '../subscriptions/subscriptions.module.js';
import { AnnounceEvent } from './announce-event.js';
import { AttemptDelivery } from './attempt-delivery.js';
import { ComposeNotification } from './compose-notification.js';
import { DeliverNotifications } from './deliver-notifications.js';
import { DeliveryReader } from './delivery.reader.js';
import { DeliveryRepository } from './delivery.repository.js';
import { RecordAttempt } from './record-attempt.js';
import { ResendNotification } from './resend-notification.js';
import { SendNotification } from './send-notification.js';
import { WebhookSwitches } from './webhook-switches.js';
import { WebhookSwitchRepository } from './webhook-switch.repository.js';

/** Notifications: stored with the event, sent and retried by schedule (P2). */
@Module({
  imports: [SubscriptionsModule],
  providers: [
    AnnounceEvent,
    AttemptDelivery,
    ComposeNotification,
    DeliverNotifications,
    DeliveryReader,
    DeliveryRepository,
    RecordAttempt,
    ResendNotification,
    SendNotification,
    WebhookSwitches,
    WebhookSwitchRepository,
  ],
  exports: [AnnounceEvent, DeliverNotifications, DeliveryReader, ResendNotification, WebhookSwitches],
})
export class DeliveriesModule {}
