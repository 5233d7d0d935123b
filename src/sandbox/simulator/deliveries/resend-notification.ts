import { Injectable } from '@nestjs/common';
import { Database } from '../../../foundation/database/database.js';
import { SimulatorClock } from '../clock/simulator-clock.js';
import { SubscriptionRepository } from '../subscriptions/subscription.repository.js';
import { ApiError, notFound } from '../wire/api-error.js';
import { ComposeNotification } from './compose-notification.js';
import { DeliveryRepository, type AttemptOutcome, type DueDelivery } from './delivery.repository.js';
import { forgedMessage, type Forgery, type NotificationMessage } from './notification-message.js';
import { SendNotification } from './send-notification.js';

/** Sends a notification again on request, outside the schedule. */
@Injectable()
export class ResendNotification {
  constructor(
    private readonly deliveryRepository: DeliveryRepository,
    private readonly subscriptionRepository: SubscriptionRepository,
    private readonly sendNotification: SendNotification,
    private readonly composeNotification: ComposeNotification,
    private readonly database: Database,
    private readonly simulatorClock: SimulatorClock,
  ) {}

  /**
   * Sends a notification once more, outside the schedule and whatever its state.
   * @throws ApiError 404 when there is no such notification
   */
  async resend(webhookId: string): Promise<AttemptOutcome> {
    const delivery = await this.find(webhookId);
    return this.sendManually(delivery, await this.composeNotification.compose(delivery));
  }

  /**
   * Sends the newest attempt of a notification once more as it was: the same timestamp and signature, however old.
   * @throws ApiError 404 when there is no such notification; 409 before its first attempt
   */
  async replay(webhookId: string): Promise<AttemptOutcome> {
    const delivery = await this.find(webhookId);
    const signed = await this.database.inTransaction('find signature', (tx) =>
      this.deliveryRepository.lastSignature(tx, webhookId),
    );
    if (signed === undefined) {
      throw new ApiError(409, 'NOTHING_TO_REPLAY', 'There was no attempt of this notification yet.');
    }
    return this.sendManually(delivery, { webhookId, body: delivery.body, ...signed });
  }

  /**
   * Sends a forgery of this notification. It is no attempt, so nothing is recorded.
   * @throws ApiError 404 when there is no such notification
   */
  async forge(webhookId: string, forgery: Forgery): Promise<AttemptOutcome> {
    const delivery = await this.find(webhookId);
    const message = forgedMessage(delivery, await this.composeNotification.compose(delivery), forgery);
    return this.sendNotification.send(delivery, message);
  }

  private async find(webhookId: string): Promise<DueDelivery> {
    const [delivery] = await this.database.inTransaction('find delivery', (tx) =>
      this.deliveryRepository.findByIds(tx, [webhookId]),
    );
    if (delivery === undefined) {
      throw notFound('DELIVERY_NOT_FOUND', 'There is no notification with this webhook-id.');
    }
    return delivery;
  }

  private async sendManually(delivery: DueDelivery, message: NotificationMessage): Promise<AttemptOutcome> {
    const { webhookId, subscriptionId, attempts } = delivery;
    const outcome = await this.sendNotification.send(delivery, message);
    const acknowledged = { state: 'acknowledged', attempts, nextAttemptAt: null } as const;
    await this.database.inTransaction('record resend', async (tx) => {
      if (outcome.failure === null) {
        await this.subscriptionRepository.recordSuccess(tx, subscriptionId);
        await this.deliveryRepository.move(tx, webhookId, acknowledged);
      }
      if (await this.deliveryRepository.lock(tx, webhookId)) {
        await this.deliveryRepository.addAttempt(tx, {
          ...outcome,
          webhookId,
          manual: true,
          at: this.simulatorClock.now(),
        });
      }
    });
    return outcome;
  }
}
