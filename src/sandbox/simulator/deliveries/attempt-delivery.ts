import { Injectable } from '@nestjs/common';
import { Database } from '../../../foundation/database/database.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import { SimulatorClock } from '../clock/simulator-clock.js';
import { SimulatorStateRepository } from '../clock/simulator-state.repository.js';
import { SubscriptionRepository } from '../subscriptions/subscription.repository.js';
import { DeliveryRepository, type AttemptOutcome, type DueDelivery } from './delivery.repository.js';
import { MatchWebhookSwitch } from './match-webhook-switch.js';
import { composeMessage, forgedMessage, jitterOf, type NotificationMessage } from './notification-message.js';
import { nextAttemptAt } from './retry-schedule.js';
import { SendNotification } from './send-notification.js';
import type { WebhookSwitch } from './webhook-switch.repository.js';

/** One attempt of the schedule: sends as the settings and switches say, and writes down what came of it. */
@Injectable()
export class AttemptDelivery {
  constructor(
    private readonly deliveryRepository: DeliveryRepository,
    private readonly subscriptionRepository: SubscriptionRepository,
    private readonly sendNotification: SendNotification,
    private readonly matchWebhookSwitch: MatchWebhookSwitch,
    private readonly simulatorStateRepository: SimulatorStateRepository,
    private readonly database: Database,
    private readonly simulatorClock: SimulatorClock,
  ) {}

  /** @param stopping when it is aborted, a failed attempt counts as none: it is due again at the next start */
  async attempt(delivery: DueDelivery, stopping: AbortSignal): Promise<void> {
    const { webhookId, attempts } = delivery;
    if (!delivery.live) {
      await this.move(delivery, { state: 'skipped', attempts, nextAttemptAt: null });
      return;
    }
    const met = await this.matchWebhookSwitch.match();
    if (met?.effect === 'reorder') {
      const nextAttemptAt = new Date(this.simulatorClock.now().getTime() + met.delaySeconds * 1000);
      await this.move(delivery, { state: 'due', attempts, nextAttemptAt });
      return;
    }
    const outcomes = await this.sendAll(delivery, await this.composeMessage(delivery), met, stopping);
    if (stopping.aborted && outcomes.some(({ failure }) => failure !== null)) {
      return;
    }
    await this.database.inTransaction('record attempt', async (tx) => {
      const now = this.simulatorClock.now();
      if (await this.settle(tx, delivery, outcomes, now)) {
        for (const outcome of outcomes) {
          await this.deliveryRepository.addAttempt(tx, { ...outcome, webhookId, manual: false, at: now });
        }
      }
    });
  }

  /** A notification as an attempt sends it now. */
  async composeMessage(delivery: DueDelivery): Promise<NotificationMessage> {
    const settings = await this.database.inTransaction('read settings', (tx) =>
      this.simulatorStateRepository.readSettings(tx),
    );
    const now = { system: this.simulatorClock.systemNow(), simulator: this.simulatorClock.now() };
    return composeMessage(delivery, settings, now);
  }

  /** What comes of a forged copy is nobody's business; the other POSTs are attempts. */
  private async sendAll(
    delivery: DueDelivery,
    message: NotificationMessage,
    met: WebhookSwitch | undefined,
    stopping: AbortSignal,
  ): Promise<readonly AttemptOutcome[]> {
    const send = (one: NotificationMessage) => this.sendNotification.send(delivery, one, stopping);
    if (met?.effect === 'forge') {
      await send(forgedMessage(delivery, message, met.forgery ?? 'wrong_secret'));
    }
    const copies = met?.effect === 'duplicate' ? [message, message] : [message];
    const outcomes = await Promise.all(copies.map(send));
    return met?.effect === 'replay' ? [...outcomes, await send(message)] : outcomes;
  }

  /**
   * Writes the subscription first: a reset locks the tables in that order, too.
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

  private async move(delivery: DueDelivery, to: Parameters<DeliveryRepository['move']>[2]): Promise<void> {
    await this.database.inTransaction('move delivery', (tx) =>
      this.deliveryRepository.move(tx, delivery.webhookId, to),
    );
  }
}
