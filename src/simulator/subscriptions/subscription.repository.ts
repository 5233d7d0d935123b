import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { sql } from '../../foundation/database/sql.js';
import type { Tx } from '../../foundation/database/transaction.js';
import type { ListKey } from '../paging/sorting.js';
import type { Subscription } from './subscription.js';

export type SubscriptionOwner = Pick<Subscription, 'applicationId' | 'resource'>;
export type OperationType = 'CREATE' | 'UPDATE' | 'DELETE';

export interface SubscriptionActivity {
  readonly id: string;
  readonly subscriptionId: string;
  readonly operationType: OperationType;
  readonly actorUrn: string;
  readonly description: string;
  readonly createdAt: Date;
}

const DESCRIPTIONS: Readonly<Record<OperationType, string>> = {
  CREATE: 'Subscription created',
  UPDATE: 'Subscription updated',
  DELETE: 'Subscription deleted',
};

@Injectable()
export class SubscriptionRepository {
  async add(tx: Tx, fresh: Subscription): Promise<void> {
    await tx.execute(sql`
      INSERT INTO subscription (id, application_id, resource, status, event_types, endpoint_url, custom_headers,
                                endpoint_auth, secret, created_at, updated_at)
      VALUES (${fresh.id}, ${fresh.applicationId}, ${fresh.resource}, ${fresh.status},
              ${fresh.eventTypes}::text[], ${fresh.endpointUrl}, ${jsonOrNull(fresh.customHeaders)}::jsonb,
              ${jsonOrNull(fresh.endpointAuth)}::jsonb, ${fresh.secret}, ${fresh.createdAt}, ${fresh.updatedAt})`);
  }

  async change(tx: Tx, changed: Subscription): Promise<void> {
    await tx.execute(sql`
      UPDATE subscription
      SET status = ${changed.status}, event_types = ${changed.eventTypes}::text[],
          endpoint_url = ${changed.endpointUrl}, custom_headers = ${jsonOrNull(changed.customHeaders)}::jsonb,
          endpoint_auth = ${jsonOrNull(changed.endpointAuth)}::jsonb, updated_at = ${changed.updatedAt},
          deleted_at = ${changed.deletedAt}, deleted_by = ${changed.deletedBy}
      WHERE id = ${changed.id}`);
  }

  /** Deleted ones are no longer listed. */
  async keys(
    tx: Tx,
    owner: SubscriptionOwner,
    filter: { readonly status: string | undefined; readonly eventTypes: readonly string[] },
  ): Promise<readonly ListKey[]> {
    return tx.rows<ListKey>(sql`
      SELECT id, position FROM subscription
      WHERE application_id = ${owner.applicationId} AND resource = ${owner.resource} AND deleted_at IS NULL
        AND (${filter.status}::text IS NULL OR status = ${filter.status})
        AND (cardinality(${filter.eventTypes}::text[]) = 0 OR event_types && ${filter.eventTypes}::text[])
      ORDER BY position`);
  }

  async findByIds(tx: Tx, ids: readonly string[]): Promise<readonly Subscription[]> {
    return tx.rows<Subscription>(sql`
      SELECT id, application_id AS "applicationId", resource, status, event_types AS "eventTypes",
             endpoint_url AS "endpointUrl", custom_headers AS "customHeaders", endpoint_auth AS "endpointAuth",
             secret, created_at AS "createdAt", updated_at AS "updatedAt", deleted_at AS "deletedAt",
             deleted_by AS "deletedBy"
      FROM subscription WHERE id = ANY(${ids}::uuid[])`);
  }

  /** Live subscriptions that hear an event of one of these resources. */
  async idsHearing(tx: Tx, eventType: string, resources: readonly string[]): Promise<readonly string[]> {
    const rows = await tx.rows<{ id: string }>(sql`
      SELECT id FROM subscription
      WHERE resource = ANY(${resources}::text[]) AND ${eventType} = ANY(event_types)
        AND status = 'ACTIVE' AND deleted_at IS NULL
      ORDER BY position`);
    return rows.map(({ id }) => id);
  }

  /** Soft delete of everything an application subscribed to for a resource, with its activities. */
  async removeAllOf(tx: Tx, owner: SubscriptionOwner, now: Date): Promise<void> {
    await tx.execute(sql`
      WITH removed AS (
        UPDATE subscription SET deleted_at = ${now}, deleted_by = ${owner.resource}, updated_at = ${now}
        WHERE application_id = ${owner.applicationId} AND resource = ${owner.resource} AND deleted_at IS NULL
        RETURNING id)
      INSERT INTO subscription_activity (id, subscription_id, operation_type, actor_urn, description, created_at)
      SELECT gen_random_uuid(), id, 'DELETE', ${owner.resource}, ${DESCRIPTIONS.DELETE}, ${now} FROM removed`);
  }

  async addActivity(
    tx: Tx,
    subscription: Subscription,
    operationType: OperationType,
    now: Date,
  ): Promise<void> {
    await tx.execute(sql`
      INSERT INTO subscription_activity (id, subscription_id, operation_type, actor_urn, description, created_at)
      VALUES (${randomUUID()}, ${subscription.id}, ${operationType}, ${subscription.resource},
              ${DESCRIPTIONS[operationType]}, ${now})`);
  }

  async activityKeys(
    tx: Tx,
    subscriptionId: string,
    operationTypes: readonly string[],
  ): Promise<readonly ListKey[]> {
    return tx.rows<ListKey>(sql`
      SELECT id, position FROM subscription_activity
      WHERE subscription_id = ${subscriptionId}
        AND (cardinality(${operationTypes}::text[]) = 0 OR operation_type = ANY(${operationTypes}::text[]))
      ORDER BY position`);
  }

  async findActivities(tx: Tx, ids: readonly string[]): Promise<readonly SubscriptionActivity[]> {
    return tx.rows<SubscriptionActivity>(sql`
      SELECT id, subscription_id AS "subscriptionId", operation_type AS "operationType",
             actor_urn AS "actorUrn", description, created_at AS "createdAt"
      FROM subscription_activity WHERE id = ANY(${ids}::uuid[])`);
  }
}

function jsonOrNull(value: object | null): string | null {
  return value === null ? null : JSON.stringify(value);
}
