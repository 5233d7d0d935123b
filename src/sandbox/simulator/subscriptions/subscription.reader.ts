import { Injectable } from '@nestjs/common';
import { Database } from '../../../foundation/database/database.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import type { Caller } from '../access/caller.js';
import { ReadPage, type PageResponse } from '../paging/read-page.js';
import { notFound, type ApiError } from '../wire/api-error.js';
import { parseUuid, queryList, type Query } from '../wire/parse-request.js';
import { SubscriptionRepository } from './subscription.repository.js';
import type { Subscription } from './subscription.js';

/** Reads subscriptions; a caller sees those of its own application and resource only. */
@Injectable()
export class SubscriptionReader {
  constructor(
    private readonly subscriptionRepository: SubscriptionRepository,
    private readonly readPage: ReadPage,
    private readonly database: Database,
  ) {}

  /**
   * A subscription of the caller, deleted ones included.
   * @throws ApiError 404; 400 when the id is no UUID
   */
  async find(caller: Caller, id: string): Promise<Subscription> {
    return this.database.inTransaction('find subscription', (tx) => this.findIn(tx, caller, id));
  }

  /** As `find`, in a transaction of the caller. */
  async findIn(tx: Tx, caller: Caller, id: string): Promise<Subscription> {
    const [found] = await this.subscriptionRepository.findByIds(tx, [parseUuid('id', id)]);
    if (found?.applicationId !== caller.applicationId || found.resource !== caller.resource) {
      throw subscriptionNotFound();
    }
    return found;
  }

  /** One page of a subscription's activities. @throws ApiError 404 */
  async activities(caller: Caller, id: string, query: Query): Promise<PageResponse> {
    const operationTypes = queryList(query, 'operation_types');
    return this.readPage.respond(
      query,
      async (tx) => {
        const subscription = await this.findIn(tx, caller, id);
        return this.subscriptionRepository.activitiesOf(subscription.id, operationTypes);
      },
      (activity) => ({ ...activity, createdAt: activity.createdAt.toISOString() }),
    );
  }
}

export function subscriptionNotFound(): ApiError {
  return notFound('SUBSCRIPTION_NOT_FOUND', 'Subscription not found.');
}
