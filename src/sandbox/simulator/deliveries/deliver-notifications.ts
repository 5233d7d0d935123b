import { Injectable } from '@nestjs/common';
import { Database } from '../../../foundation/database/database.js';
import { SimulatorClock } from '../clock/simulator-clock.js';
import { SimulatorLog } from '../simulator-log.js';
import { SubscriptionRepository } from '../subscriptions/subscription.repository.js';
import { ApiError, notFound } from '../wire/api-error.js';
import { AttemptDelivery } from './attempt-delivery.js';
import { DeliveryRepository, type AttemptOutcome, type DueDelivery } from './delivery.repository.js';
import { forgedMessage, type Forgery, type NotificationMessage } from './notification-message.js';
import { SendNotification } from './send-notification.js';

const BATCH = 50;

/** Starts the attempts that are due, and sends again by hand; the database knows what is left. */
@Injectable()
export class DeliverNotifications {
  private readonly underway = new Map<string, Promise<void>>();
  private readonly stopping = new AbortController();

  constructor(
    private readonly deliveryRepository: DeliveryRepository,
    private readonly sendNotification: SendNotification,
    private readonly attemptDelivery: AttemptDelivery,
    private readonly subscriptionRepository: SubscriptionRepository,
    private readonly database: Database,
    private readonly simulatorClock: SimulatorClock,
    private readonly simulatorLog: SimulatorLog,
  ) {}

  /**
   * Starts every due attempt without waiting for its end: a slow receiver holds up nobody else.
   * @param onEnd called when an attempt has ended, because the next one may be due at once
   */
  async startDue(onEnd: () => void): Promise<void> {
    const due = await this.database.inTransaction('find due deliveries', (tx) =>
      this.deliveryRepository.findDue(tx, this.simulatorClock.now(), [...this.underway.keys()], BATCH),
    );
    for (const delivery of due) {
      const { webhookId } = delivery;
      const attempt = this.attemptDelivery
        .attempt(delivery, this.stopping.signal)
        .catch((error: unknown) => {
          this.simulatorLog.logger.error({ err: error, webhookId }, 'delivery.attempt_lost');
        })
        .finally(() => {
          this.underway.delete(webhookId);
          onEnd();
        });
      this.underway.set(webhookId, attempt);
    }
  }

  /** Milliseconds until something falls due; undefined when nothing waits. */
  async millisecondsToNext(): Promise<number | undefined> {
    const next = await this.database.inTransaction('find next delivery', (tx) =>
      this.deliveryRepository.nextDueAt(tx, [...this.underway.keys()]),
    );
    return next === undefined ? undefined : Math.max(0, next.getTime() - this.simulatorClock.now().getTime());
  }

  /**
   * Sends a notification once more, outside the schedule and whatever its state.
   * @throws ApiError 404 when there is no such notification
   */
  async resend(webhookId: string): Promise<AttemptOutcome> {
    const delivery = await this.find(webhookId);
    return this.sendManually(delivery, await this.attemptDelivery.composeMessage(delivery));
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
   * Sends what pretends to be this notification. It is no attempt, so nothing is written down.
   * @throws ApiError 404 when there is no such notification
   */
  async forge(webhookId: string, forgery: Forgery): Promise<AttemptOutcome> {
    const delivery = await this.find(webhookId);
    const message = forgedMessage(delivery, await this.attemptDelivery.composeMessage(delivery), forgery);
    return this.sendNotification.send(delivery, message, this.stopping.signal);
  }

  /** Gives up the attempts under way; they are due again at the next start. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await Promise.allSettled(this.underway.values());
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
    const outcome = await this.sendNotification.send(delivery, message, this.stopping.signal);
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
