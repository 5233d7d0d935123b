import { Injectable } from '@nestjs/common';
import { Database } from '../../foundation/database/database.js';
import { SimulatorClock } from '../clock/simulator-clock.js';
import { SimulatorStateRepository } from '../clock/simulator-state.repository.js';
import { SimulatorLog } from '../simulator-log.js';
import { notFound } from '../wire/api-error.js';
import { DeliveryRepository, type AttemptOutcome, type DueDelivery } from './delivery.repository.js';
import { nextAttemptAt } from './retry-schedule.js';
import { SendNotification } from './send-notification.js';

const BATCH = 50;

/** Starts the attempts that are due and writes down what came of them; the database knows what is left. */
@Injectable()
export class DeliverNotifications {
  private readonly underway = new Map<string, Promise<void>>();
  private readonly stopping = new AbortController();

  constructor(
    private readonly deliveries: DeliveryRepository,
    private readonly sender: SendNotification,
    private readonly states: SimulatorStateRepository,
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
      const attempt = this.attempt(delivery)
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
    const delivery = await this.database.inTransaction('find delivery', (tx) =>
      this.deliveries.find(tx, webhookId),
    );
    if (delivery === undefined) {
      throw notFound('DELIVERY_NOT_FOUND', 'There is no notification with this webhook-id.');
    }
    const outcome = await this.sender.send(delivery, await this.signingTime(), this.stopping.signal);
    await this.database.inTransaction('record resend', async (tx) => {
      await this.deliveries.addAttempt(tx, { ...outcome, webhookId, manual: true, at: this.clock.now() });
      if (outcome.failure === null) {
        const { attempts } = delivery;
        await this.deliveries.move(tx, webhookId, { state: 'acknowledged', attempts, nextAttemptAt: null });
      }
    });
    return outcome;
  }

  /** Gives up the attempts under way; they are due again at the next start. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await Promise.allSettled(this.underway.values());
  }

  private async attempt(delivery: DueDelivery): Promise<void> {
    const { webhookId, attempts } = delivery;
    if (!delivery.live) {
      await this.database.inTransaction('skip delivery', (tx) =>
        this.deliveries.move(tx, webhookId, { state: 'skipped', attempts, nextAttemptAt: null }),
      );
      return;
    }
    const outcome = await this.sender.send(delivery, await this.signingTime(), this.stopping.signal);
    if (this.stopping.signal.aborted && outcome.failure !== null) {
      return;
    }
    await this.database.inTransaction('record attempt', async (tx) => {
      const now = this.clock.now();
      const { retrySchedule } = await this.states.readSettings(tx);
      await this.deliveries.addAttempt(tx, { ...outcome, webhookId, manual: false, at: now });
      const next = outcome.failure === null ? undefined : nextAttemptAt(retrySchedule, attempts + 1, now);
      const over = outcome.failure === null ? 'acknowledged' : 'given_up';
      await this.deliveries.move(tx, webhookId, {
        state: next === undefined ? over : 'due',
        attempts: attempts + 1,
        nextAttemptAt: next ?? null,
      });
    });
  }

  private async signingTime(): Promise<Date> {
    const { webhookTime } = await this.database.inTransaction('read settings', (tx) =>
      this.states.readSettings(tx),
    );
    return webhookTime === 'system' ? this.clock.systemNow() : this.clock.now();
  }
}
