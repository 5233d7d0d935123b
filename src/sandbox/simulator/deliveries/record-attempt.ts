import { Injectable } from '@nestjs/common';
import { Database } from '../../../foundation/database/database.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import { SimulatorClock } from '../clock/simulator-clock.js';
import { SimulatorStateRepository } from '../clock/simulator-state.repository.js';
import { SubscriptionRepository } from '../subscriptions/subscription.repository.js';
import { DeliveryRepository, type AttemptOutcome, type DueDelivery } from './delivery.repository.js';
import { jitterOf } from './notification-message.js';
import { nextAttemptAt } from './retry-schedule.js';

/** Records how an attempt of the schedule ended, and when the next one is due. */
@Injectable()
export class RecordAttempt {
  constructor(
    private readonly deliveryRepository: DeliveryRepository,
    private readonly subscriptionRepository: SubscriptionRepository,
    private readonly simulatorStateRepository: SimulatorStateRepository,
    private readonly database: Database,
    private readonly simulatorClock: SimulatorClock,
  ) {}

  /** @param outcomes of the POSTs of one attempt: one success makes the attempt a success */
  async record(delivery: DueDelivery, outcomes: readonly AttemptOutcome[]): Promise<void> {
    const { webhookId } = delivery;
    await this.database.inTransaction('record attempt', async (tx) => {
      const now = this.simulatorClock.now();
      if (await this.settle(tx, delivery, outcomes, now)) {
        for (const outcome of outcomes) {
          await this.deliveryRepository.addAttempt(tx, { ...outcome, webhookId, manual: false, at: now });
        }
      }
    });
  }

  /** Changes the state of a delivery without an attempt. */
  async move(delivery: DueDelivery, to: Parameters<DeliveryRepository['move']>[2]): Promise<void> {
    await this.database.inTransaction('move delivery', (tx) =>
      this.deliveryRepository.move(tx, delivery.webhookId, to),
    );
  }

  /**
   * Writes the subscription first: a reset locks the tables in the same order.
   * @returns false when a reset has dropped the delivery meanwhile
   */
  private async settle(
    tx: Tx,
    delivery: DueDelivery,
    outcomes: readonly AttemptOutcome[],
    now: Date,
  ): Promise<boolean> {
    const { webhookId, subscriptionId } = delivery;
    const attempts = delivery.attempts + 1;
    if (outcomes.some(({ failure }) => failure === null)) {
      await this.subscriptionRepository.recordSuccess(tx, subscriptionId);
      return this.deliveryRepository.move(tx, webhookId, {
        state: 'acknowledged',
        attempts,
        nextAttemptAt: null,
      });
    }
    const settings = await this.simulatorStateRepository.readSettings(tx);
    const next = nextAttemptAt(settings.retrySchedule, attempts, now, jitterOf(delivery, settings));
    await this.subscriptionRepository.recordFailure(tx, subscriptionId, now);
    return this.deliveryRepository.move(tx, webhookId, {
      state: next === undefined ? 'given_up' : 'due',
      attempts,
      nextAttemptAt: next ?? null,
    });
  }
}
