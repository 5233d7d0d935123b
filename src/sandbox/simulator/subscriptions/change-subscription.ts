import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { Database } from '../../../foundation/database/database.js';
import { unauthorized, type Caller } from '../access/caller.js';
import { SimulatorClock } from '../clock/simulator-clock.js';
import { ApiError } from '../wire/api-error.js';
import { parseUuid } from '../wire/parse-request.js';
import { newSigningSecret } from './signing-secret.js';
import { SubscriptionReader, subscriptionNotFound } from './subscription.reader.js';
import { SubscriptionRepository } from './subscription.repository.js';
import { EVENT_SCOPES, type Subscription, type SubscriptionRequest } from './subscription.js';

/** Creates, changes and deletes subscriptions (P2.1). */
@Injectable()
export class ChangeSubscription {
  constructor(
    private readonly subscriptionReader: SubscriptionReader,
    private readonly subscriptionRepository: SubscriptionRepository,
    private readonly database: Database,
    private readonly simulatorClock: SimulatorClock,
  ) {}

  /** @throws ApiError 403 when the credential lacks the scope of a subscribed event; 401 without an installation */
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
      const isInstalled = await this.subscriptionRepository.lockInstallation(tx, caller);
      if (!isInstalled && caller.authMethod === 'OAUTH2') {
        throw unauthorized();
      }
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

  /** Soft: the row stays, with the time and the resource that deleted it. @throws ApiError 404 */
  async remove(caller: Caller, id: string): Promise<void> {
    const now = this.simulatorClock.now();
    await this.change(caller, id, 'DELETE', { updatedAt: now, deletedAt: now, deletedBy: caller.resource });
  }

  private async change(
    caller: Caller,
    id: string,
    operation: 'UPDATE' | 'DELETE',
    changes: Partial<Subscription>,
  ): Promise<Subscription> {
    return this.database.inTransaction(`${operation.toLowerCase()} subscription`, async (tx) => {
      await this.subscriptionRepository.lock(tx, parseUuid('id', id));
      const found = await this.subscriptionReader.findIn(tx, caller, id);
      if (found.deletedAt !== null) {
        throw subscriptionNotFound();
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
  const missing = request.eventTypes.map((type) => EVENT_SCOPES[type]).find((scope) => !caller.scopes.includes(scope));
  if (missing !== undefined) {
    throw new ApiError(403, 'FORBIDDEN', `The credential lacks the scope ${missing} of a subscribed event.`);
  }
}
