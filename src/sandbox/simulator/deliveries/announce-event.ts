import { Injectable } from '@nestjs/common';
import { randomBytes, randomUUID } from 'node:crypto';
import { Database } from '../../../foundation/database/database.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import { BackgroundSignal } from '../clock/background-signal.js';
import { SimulatorClock } from '../clock/simulator-clock.js';
import type { SimulatorSettings } from '../clock/simulator-settings.js';
import { SimulatorStateRepository } from '../clock/simulator-state.repository.js';
import type { Company } from '../companies/company.repository.js';
import type { EventType } from '../subscriptions/subscription.js';
import { SubscriptionRepository } from '../subscriptions/subscription.repository.js';
import { resourceUrn } from '../wire/resource-urn.js';
import { DeliveryRepository } from './delivery.repository.js';
import { signingSecrets } from './notification-message.js';
import { signNotification } from './signature.js';

@Injectable()
export class AnnounceEvent {
  constructor(
    private readonly subscriptionRepository: SubscriptionRepository,
    private readonly deliveryRepository: DeliveryRepository,
    private readonly simulatorStateRepository: SimulatorStateRepository,
    private readonly simulatorClock: SimulatorClock,
    private readonly backgroundSignal: BackgroundSignal,
    private readonly database: Database,
  ) {}

  /** Runs work that announces events in one transaction, and wakes their delivery after its commit. */
  async inTransaction<Result>(label: string, work: (tx: Tx) => Promise<Result>): Promise<Result> {
    const result = await this.database.inTransaction(label, work);
    this.backgroundSignal.wake();
    return result;
  }

  /**
   * Stores one notification for each active subscription to the event, in the transaction of the change itself.
   * @param data the resource as it is now; later attempts send the same
   */
  async announce(tx: Tx, eventType: EventType, company: Company, data: object): Promise<void> {
    const resources = [resourceUrn('company', company.id), resourceUrn('organisation', company.organizationId)];
    const subscribed = await this.subscriptionRepository.findSubscribed(tx, eventType, resources);
    if (subscribed.length === 0) {
      return;
    }
    const settings = await this.simulatorStateRepository.readSettings(tx);
    const now = { simulator: this.simulatorClock.now(), system: this.simulatorClock.systemNow() };
    const eventId = randomUUID();
    const recipients = subscribed.map((subscription) => {
      const webhookId = `msg_${randomBytes(18).toString('base64url').replace(/[-_]/g, 'x')}`;
      const timestamp = Math.floor(now[settings.webhookTime].getTime() / 1000);
      const payload = { data, eventId, eventType };
      const secrets = signingSecrets(subscription, now.simulator);
      const body = notificationBody(settings.webhookBody, { webhookId, timestamp, payload, secrets });
      return { webhookId, subscriptionId: subscription.id, body };
    });
    const notification = { companyId: company.id, eventId, eventType, createdAt: now.simulator };
    await this.deliveryRepository.add(tx, { ...notification, generatedAt: now.system }, recipients);
  }
}

/**
 * The body of a notification. With the headers inside, their signature is over the payload alone, because none can be over
 * itself; the header's signature is over the whole body nevertheless.
 */
function notificationBody(
  layout: SimulatorSettings['webhookBody'],
  parts: {
    readonly webhookId: string;
    readonly timestamp: number;
    readonly payload: object;
    readonly secrets: readonly string[];
  },
): string {
  const { webhookId, timestamp, payload, secrets } = parts;
  const plain = JSON.stringify({ payload });
  return layout === 'payload'
    ? plain
    : JSON.stringify({
        'webhook-id': webhookId,
        'webhook-timestamp': timestamp,
        'webhook-signature': signNotification(secrets, webhookId, timestamp, plain),
        payload,
      });
}
