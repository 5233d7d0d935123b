import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { sql } from '../../../foundation/database/sql.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import type { SortColumns } from '../paging/keyset.js';
import type { PagedList } from '../paging/read-page.js';
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

export interface SecretHolder {
  readonly id: string;
  readonly secret: string;
  readonly previousSecret: string | null;
  readonly previousSecretUntil: Date | null;
}

/** What activities can be sorted by. */
export const ACTIVITY_COLUMNS: SortColumns = {
  id: { kind: 'uuid', expression: sql`id` },
  createdAt: { kind: 'instant', expression: sql`created_at` },
};

/** What subscriptions can be sorted by. */
export const SUBSCRIPTION_COLUMNS: SortColumns = {
  ...ACTIVITY_COLUMNS,
  updatedAt: { kind: 'instant', expression: sql`updated_at` },
};

/** Days of failures only, after which a subscription is disabled (P2.4). */
const DAYS_OF_FAILURE = 5;

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

  /**
   * Until the transaction ends, so that its deletion, which takes its subscriptions along, comes before or after it.
   * @returns whether there is one
   */
  async lockInstallation(tx: Tx, owner: SubscriptionOwner): Promise<boolean> {
    const rows = await tx.rows(sql`
      SELECT 1 FROM installation
      WHERE application_id = ${owner.applicationId} AND resource = ${owner.resource} AND deleted_at IS NULL FOR SHARE`);
    return rows.length > 0;
  }

  /** Until the transaction ends, so that a change that was read before a deletion does not take it back. */
  async lock(tx: Tx, id: string): Promise<void> {
    await tx.execute(sql`SELECT FROM subscription WHERE id = ${id} FOR UPDATE`);
  }

  /** A change resets the count of failed days. */
  async change(tx: Tx, changed: Subscription): Promise<void> {
    await tx.execute(sql`
      UPDATE subscription
      SET status = ${changed.status}, event_types = ${changed.eventTypes}::text[],
          endpoint_url = ${changed.endpointUrl}, custom_headers = ${jsonOrNull(changed.customHeaders)}::jsonb,
          endpoint_auth = ${jsonOrNull(changed.endpointAuth)}::jsonb, updated_at = ${changed.updatedAt},
          deleted_at = ${changed.deletedAt}, deleted_by = ${changed.deletedBy}, failing_since = NULL
      WHERE id = ${changed.id}`);
  }

  /** Deleted ones are no longer listed. */
  listOf(
    owner: SubscriptionOwner,
    filter: { readonly status: string | undefined; readonly eventTypes: readonly string[] },
  ): PagedList<Subscription> {
    const list = sql`
      FROM subscription
      WHERE application_id = ${owner.applicationId} AND resource = ${owner.resource} AND deleted_at IS NULL
        AND (${filter.status}::text IS NULL OR status = ${filter.status})
        AND (cardinality(${filter.eventTypes}::text[]) = 0 OR event_types && ${filter.eventTypes}::text[])`;
    return { list, columns: SUBSCRIPTION_COLUMNS, rows: (tx, ids) => this.findByIds(tx, ids) };
  }

  async findByIds(tx: Tx, ids: readonly string[]): Promise<readonly Subscription[]> {
    return tx.rows<Subscription>(sql`
      SELECT id, application_id AS "applicationId", resource, status, event_types AS "eventTypes",
             endpoint_url AS "endpointUrl", custom_headers AS "customHeaders", endpoint_auth AS "endpointAuth",
             secret, created_at AS "createdAt", updated_at AS "updatedAt", deleted_at AS "deletedAt",
             deleted_by AS "deletedBy"
      FROM subscription WHERE id = ANY(${ids}::uuid[])`);
  }

  /** Live subscriptions to an event of one of these resources. */
  async findSubscribed(tx: Tx, eventType: string, resources: readonly string[]): Promise<readonly SecretHolder[]> {
    return tx.rows<SecretHolder>(sql`
      SELECT id, secret, previous_secret AS "previousSecret", previous_secret_until AS "previousSecretUntil"
      FROM subscription
      WHERE resource = ANY(${resources}::text[]) AND ${eventType} = ANY(event_types)
        AND status = 'ACTIVE' AND deleted_at IS NULL
      ORDER BY position`);
  }

  /**
   * Gives a live subscription a new secret.
   * @param overlapUntil until when the one before signs as well
   * @returns false when there is no such subscription
   */
  async rotateSecret(tx: Tx, id: string, secret: string, overlapUntil: Date): Promise<boolean> {
    const touched = await tx.execute(sql`
      UPDATE subscription SET previous_secret = secret, previous_secret_until = ${overlapUntil}, secret = ${secret}
      WHERE id = ${id} AND deleted_at IS NULL`);
    return touched === 1;
  }

  /** A success ends a series of failures. */
  async recordSuccess(tx: Tx, id: string): Promise<void> {
    await tx.execute(sql`
      UPDATE subscription SET failing_since = NULL WHERE id = ${id} AND failing_since IS NOT NULL`);
  }

  /** Counts a failed attempt and disables the subscription after too many days of failures only. */
  async recordFailure(tx: Tx, id: string, now: Date): Promise<void> {
    await tx.execute(sql`UPDATE subscription SET failing_since = coalesce(failing_since, ${now}) WHERE id = ${id}`);
    await tx.execute(sql`
      WITH disabled AS (
        UPDATE subscription SET status = 'INACTIVE', updated_at = ${now}
        WHERE id = ${id} AND status = 'ACTIVE'
          AND failing_since <= ${now}::timestamptz - make_interval(days => ${DAYS_OF_FAILURE})
        RETURNING id, resource)
      INSERT INTO subscription_activity (id, subscription_id, operation_type, actor_urn, description, created_at)
      SELECT gen_random_uuid(), id, 'UPDATE', resource, 'Subscription disabled: deliveries failed for 5 days', ${now}
      FROM disabled`);
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

  async addActivity(tx: Tx, subscription: Subscription, operationType: OperationType, now: Date): Promise<void> {
    await tx.execute(sql`
      INSERT INTO subscription_activity (id, subscription_id, operation_type, actor_urn, description, created_at)
      VALUES (${randomUUID()}, ${subscription.id}, ${operationType}, ${subscription.resource},
              ${DESCRIPTIONS[operationType]}, ${now})`);
  }

  activitiesOf(subscriptionId: string, operationTypes: readonly string[]): PagedList<SubscriptionActivity> {
    const list = sql`
      FROM subscription_activity
      WHERE subscription_id = ${subscriptionId}
        AND (cardinality(${operationTypes}::text[]) = 0 OR operation_type = ANY(${operationTypes}::text[]))`;
    return { list, columns: ACTIVITY_COLUMNS, rows: (tx, ids) => this.findActivities(tx, ids) };
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
