import { Injectable } from '@nestjs/common';
import { SimulatorClock } from '../clock/simulator-clock.js';
import { ComposeNotification } from './compose-notification.js';
import type { AttemptOutcome, DueDelivery } from './delivery.repository.js';
import { forgedMessage, type NotificationMessage } from './notification-message.js';
import { RecordAttempt } from './record-attempt.js';
import { SendNotification } from './send-notification.js';
import type { WebhookSwitch } from './webhook-switch.repository.js';
import { WebhookSwitches } from './webhook-switches.js';

/** One attempt of the schedule: sends as the settings and switches say, and records the outcome. */
@Injectable()
export class AttemptDelivery {
  constructor(
    private readonly sendNotification: SendNotification,
    private readonly composeNotification: ComposeNotification,
    private readonly recordAttempt: RecordAttempt,
    private readonly webhookSwitches: WebhookSwitches,
    private readonly simulatorClock: SimulatorClock,
  ) {}

  /** While the program stops, a failed attempt is not recorded: it is due again at the next start. */
  async attempt(delivery: DueDelivery): Promise<void> {
    const { attempts } = delivery;
    if (!delivery.live) {
      await this.recordAttempt.move(delivery, { state: 'skipped', attempts, nextAttemptAt: null });
      return;
    }
    const matched = await this.webhookSwitches.match();
    if (matched?.effect === 'reorder') {
      const nextAttemptAt = new Date(this.simulatorClock.now().getTime() + matched.delaySeconds * 1000);
      await this.recordAttempt.move(delivery, { state: 'due', attempts, nextAttemptAt });
      return;
    }
    const outcomes = await this.sendAll(delivery, await this.composeNotification.compose(delivery), matched);
    if (!this.sendNotification.isStopped || outcomes.every(({ failure }) => failure === null)) {
      await this.recordAttempt.record(delivery, outcomes);
    }
  }

  /** @returns the outcomes of all POSTs but that of a forged copy, which is no attempt */
  private async sendAll(
    delivery: DueDelivery,
    message: NotificationMessage,
    matched: WebhookSwitch | undefined,
  ): Promise<readonly AttemptOutcome[]> {
    const send = (one: NotificationMessage) => this.sendNotification.send(delivery, one);
    if (matched?.effect === 'forge') {
      await send(forgedMessage(delivery, message, matched.forgery ?? 'wrong_secret'));
    }
    const copies = matched?.effect === 'duplicate' ? [message, message] : [message];
    const outcomes = await Promise.all(copies.map(send));
    return matched?.effect === 'replay' ? [...outcomes, await send(message)] : outcomes;
  }
}
