import { Injectable } from '@nestjs/common';
import { Database } from '../../../foundation/database/database.js';
import { AppLogger } from '../../../foundation/logging/app-logger.js';
import { SimulatorClock } from '../clock/simulator-clock.js';
import { AttemptDelivery } from './attempt-delivery.js';
import { DeliveryRepository } from './delivery.repository.js';
import { SendNotification } from './send-notification.js';

const BATCH = 50;

/** Starts the attempts that are due; the database knows what is left. */
@Injectable()
export class DeliverNotifications {
  private readonly underway = new Map<string, Promise<void>>();

  constructor(
    private readonly deliveryRepository: DeliveryRepository,
    private readonly sendNotification: SendNotification,
    private readonly attemptDelivery: AttemptDelivery,
    private readonly database: Database,
    private readonly simulatorClock: SimulatorClock,
    private readonly appLogger: AppLogger,
  ) {}

  /**
   * Starts every due attempt without waiting for its end: a slow receiver delays no other one.
   * @param onEnd called when an attempt has ended, because the next one may be due at once
   */
  async startDue(onEnd: () => void): Promise<void> {
    const due = await this.database.inTransaction('find due deliveries', (tx) =>
      this.deliveryRepository.findDue(tx, this.simulatorClock.now(), [...this.underway.keys()], BATCH),
    );
    for (const delivery of due) {
      const { webhookId } = delivery;
      const attempt = this.attemptDelivery
        .attempt(delivery)
        .catch((error: unknown) => {
          this.appLogger.of('deliveries').error({ err: error, webhookId }, 'delivery.attempt_lost');
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

  /** Gives up the attempts under way; they are due again at the next start. */
  async stop(): Promise<void> {
    this.sendNotification.stop();
    await Promise.allSettled(this.underway.values());
  }
}
