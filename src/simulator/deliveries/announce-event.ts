import { Injectable } from '@nestjs/common';
import { randomBytes, randomUUID } from 'node:crypto';
import type { Tx } from '../../foundation/database/transaction.js';
import { SimulatorClock } from '../clock/simulator-clock.js';
import type { Company } from '../companies/company.repository.js';
import type { EventType } from '../subscriptions/subscription.js';
import { SubscriptionRepository } from '../subscriptions/subscription.repository.js';
import { resourceUrn } from '../wire/resource-urn.js';
import { DeliveryRepository } from './delivery.repository.js';

@Injectable()
export class AnnounceEvent {
  constructor(
    private readonly subscriptions: SubscriptionRepository,
    private readonly deliveries: DeliveryRepository,
    private readonly clock: SimulatorClock,
  ) {}

  /**
   * Stores one notification per live subscription that hears the event, in the transaction of what happened.
   * @param data the resource as it is now; it is sent as such however late an attempt comes
   */
  async announce(tx: Tx, eventType: EventType, company: Company, data: object): Promise<void> {
    const resources = [
      resourceUrn('company', company.id),
      resourceUrn('organisation', company.organizationId),
    ];
    const hearing = await this.subscriptions.idsHearing(tx, eventType, resources);
    if (hearing.length === 0) {
      return;
    }
    const eventId = randomUUID();
    const notification = {
      companyId: company.id,
      eventId,
      eventType,
      body: JSON.stringify({ payload: { data, eventId, eventType } }),
      createdAt: this.clock.now(),
    };
    const recipients = hearing.map((subscriptionId) => ({
      webhookId: `msg_${randomBytes(18).toString('base64url').replace(/[-_]/g, 'x')}`,
      subscriptionId,
    }));
    await this.deliveries.add(tx, notification, recipients);
  }
}
