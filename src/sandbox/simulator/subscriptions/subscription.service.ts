import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { Database } from '../../../foundation/database/database.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import type { Caller } from '../access/caller.js';
import { SimulatorClock } from '../clock/simulator-clock.js';
import { ApiError, notFound } from '../wire/api-error.js';
import { parseUuid } from '../wire/parse-request.js';
import { newSigningSecret } from './signing-secret.js';
import { SubscriptionRepository } from './subscription.repository.js';
import { EVENT_SCOPES, type Subscription, type SubscriptionRequest } from './subscription.js';

/** What can be done to subscriptions; a caller sees the ones of its own application and resource only. */
@Injectable()
export class SubscriptionService {
  constructor(
    private readonly subscriptionRepository: SubscriptionRepository,
    private readonly database: Database,
    private readonly simulatorClock: SimulatorClock,
  ) {}

  /** @throws ApiError 403 when the credential may not read what the events tell about */
  async create(caller: Caller, request: SubscriptionRequest): Promise<Subscription> {
    assertMaySubscribe(caller, request);
    const now = this.simulatorClock.now();
    const fresh: Subscription = {
      ...fieldsOf(request),
      id: randomUUID(),
      applicationId: caller.applicationId,
      resource: caller.resource,
      secret: newSigningSecret(),
      createdAt: now,
      updatedAt: now,
      deletedAt: null,
      deletedBy: null,
    };
    await this.database.inTransaction('create subscription', async (tx) => {
      await this.subscriptionRepository.add(tx, fresh);
      await this.subscriptionRepository.addActivity(tx, fresh, 'CREATE', now);
    });
    return fresh;
  }

  /** @throws ApiError 404 for a deleted, foreign or unknown one; 403 as `create` */
  async update(caller: Caller, id: string, request: SubscriptionRequest): Promise<Subscription> {
    assertMaySubscribe(caller, request);
    const now = this.simulatorClock.now();
    return this.change(caller, id, 'UPDATE', { ...fieldsOf(request), updatedAt: now });
  }

  /** Soft: the row stays, with who deleted it and when. */
  async remove(caller: Caller, id: string): Promise<void> {
    const now = this.simulatorClock.now();
    await this.change(caller, id, 'DELETE', { updatedAt: now, deletedAt: now, deletedBy: caller.resource });
  }

  /**
   * A subscription of the caller's, deleted ones included.
   * @throws ApiError 404
   */
  async find(tx: Tx, caller: Caller, id: string): Promise<Subscription> {
    const [found] = await this.subscriptionRepository.findByIds(tx, [parseUuid('id', id)]);
    if (found?.applicationId !== caller.applicationId || found.resource !== caller.resource) {
      throw notFound('SUBSCRIPTION_NOT_FOUND', 'Subscription not found.');
    }
    return found;
  }

  private async change(
    caller: Caller,
    id: string,
    operation: 'UPDATE' | 'DELETE',
    changes: Partial<Subscription>,
  ): Promise<Subscription> {
    return this.database.inTransaction(`${operation.toLowerCase()} subscription`, async (tx) => {
      const found = await this.find(tx, caller, id);
      if (found.deletedAt !== null) {
        throw notFound('SUBSCRIPTION_NOT_FOUND', 'Subscription not found.');
      }
      const changed = { ...found, ...changes };
      await this.subscriptionRepository.change(tx, changed);
      await this.subscriptionRepository.addActivity(tx, changed, operation, this.simulatorClock.now());
      return changed;
    });
  }
}

function fieldsOf(request: SubscriptionRequest) {
  const { endpointUrl, eventTypes, status, customHeaders = null, endpointAuth = null } = request;
  return { endpointUrl, eventTypes, status, customHeaders, endpointAuth };
}

function assertMaySubscribe(caller: Caller, request: SubscriptionRequest): void {
  const missing = request.eventTypes
    .map((type) => EVENT_SCOPES[type])
    .find((scope) => !caller.scopes.includes(scope));
  if (missing !== undefined) {
    throw new ApiError(403, 'FORBIDDEN', `The credential lacks the scope ${missing} of a subscribed event.`);
  }
}
