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
    private readonly deliveries: DeliveryRepository,
    private readonly sender: SendNotification,
    private readonly attempts: AttemptDelivery,
    private readonly subscriptions: SubscriptionRepository,
    private readonly database: Database,
    private readonly clock: SimulatorClock,
    private readonly log: SimulatorLog,
  ) {}

  /**
   * Starts every due attempt without waiting for its end: a slow receiver holds up nobody else.
   * @param onEnd called when an attempt has ended, because the next one may be due at once
   */
  async startDue(onEnd: () => void): Promise<void> {
    const due = await this.database.inTransaction('find due deliveries', (tx) =>
      this.deliveries.findDue(tx, this.clock.now(), [...this.underway.keys()], BATCH),
    );
    for (const delivery of due) {
      const { webhookId } = delivery;
      const attempt = this.attempts
        .run(delivery, this.stopping.signal)
        .catch((error: unknown) => {
          this.log.logger.error({ err: error, webhookId }, 'delivery.attempt_lost');
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
      this.deliveries.nextDueAt(tx, [...this.underway.keys()]),
    );
    return next === undefined ? undefined : Math.max(0, next.getTime() - this.clock.now().getTime());
  }

  /**
   * Sends a notification once more, outside the schedule and whatever its state.
   * @throws ApiError 404 when there is no such notification
   */
  async resend(webhookId: string): Promise<AttemptOutcome> {
    const delivery = await this.find(webhookId);
    return this.sendByHand(delivery, await this.attempts.message(delivery));
  }

  /**
   * Sends the newest attempt of a notification once more as it was: the same timestamp and signature, however old.
   * @throws ApiError 404 when there is no such notification; 409 before its first attempt
   */
  async replay(webhookId: string): Promise<AttemptOutcome> {
    const delivery = await this.find(webhookId);
    const signed = await this.database.inTransaction('find signature', (tx) =>
      this.deliveries.lastSignature(tx, webhookId),
    );
    if (signed === undefined) {
      throw new ApiError(409, 'NOTHING_TO_REPLAY', 'There was no attempt of this notification yet.');
    }
    return this.sendByHand(delivery, { webhookId, body: delivery.body, ...signed });
  }

  /**
   * Sends what pretends to be this notification. It is no attempt, so nothing is written down.
   * @throws ApiError 404 when there is no such notification
   */
  async forge(webhookId: string, forgery: Forgery): Promise<AttemptOutcome> {
    const delivery = await this.find(webhookId);
    const message = forgedMessage(delivery, await this.attempts.message(delivery), forgery);
    return this.sender.send(delivery, message, this.stopping.signal);
  }

  /** Gives up the attempts under way; they are due again at the next start. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await Promise.allSettled(this.underway.values());
  }

  private async find(webhookId: string): Promise<DueDelivery> {
    const [delivery] = await this.database.inTransaction('find delivery', (tx) =>
      this.deliveries.findByIds(tx, [webhookId]),
    );
    if (delivery === undefined) {
      throw notFound('DELIVERY_NOT_FOUND', 'There is no notification with this webhook-id.');
    }
    return delivery;
  }

  private async sendByHand(delivery: DueDelivery, message: NotificationMessage): Promise<AttemptOutcome> {
    const { webhookId, subscriptionId, attempts } = delivery;
    const outcome = await this.sender.send(delivery, message, this.stopping.signal);
    const acknowledged = { state: 'acknowledged', attempts, nextAttemptAt: null } as const;
    await this.database.inTransaction('record resend', async (tx) => {
      if (outcome.failure === null) {
        await this.subscriptions.noteSuccess(tx, subscriptionId);
        await this.deliveries.move(tx, webhookId, acknowledged);
      }
      if (await this.deliveries.hold(tx, webhookId)) {
        await this.deliveries.addAttempt(tx, { ...outcome, webhookId, manual: true, at: this.clock.now() });
      }
    });
    return outcome;
  }
}
