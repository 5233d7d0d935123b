import { Injectable } from '@nestjs/common';
import { sql } from '../../../foundation/database/sql.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import type { EndpointAuth } from '../subscriptions/subscription.js';

/** Everything one attempt needs. */
export interface DueDelivery {
  readonly webhookId: string;
  readonly subscriptionId: string;
  /** Counts all deliveries of the simulator. */
  readonly position: bigint;
  readonly body: string;
  readonly attempts: number;
  readonly state: DeliveryState;
  readonly nextAttemptAt: Date | null;
  /** When the event happened, by the simulator's clock and by the computer's. */
  readonly createdAt: Date;
  readonly generatedAt: Date;
  readonly endpointUrl: string;
  readonly customHeaders: Readonly<Record<string, string>> | null;
  readonly endpointAuth: EndpointAuth | null;
  readonly secret: string;
  /** Signs beside `secret` until `previousSecretUntil`. */
  readonly previousSecret: string | null;
  readonly previousSecretUntil: Date | null;
  /** The subscription is neither deleted nor inactive. */
  readonly live: boolean;
}

export type DeliveryState = 'due' | 'acknowledged' | 'given_up' | 'skipped';

export interface NewNotification {
  readonly companyId: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly createdAt: Date;
  readonly generatedAt: Date;
}

export interface Recipient {
  readonly webhookId: string;
  readonly subscriptionId: string;
  readonly body: string;
}

/** What came of one POST: a status, or why there was none. */
export interface AttemptOutcome {
  /** What it was signed with. */
  readonly timestamp: number;
  readonly signature: string | null;
  readonly status: number | null;
  readonly failure: string | null;
}

export interface AttemptRecord {
  readonly number: number;
  /** Sent by a person, outside the schedule. */
  readonly manual: boolean;
  readonly attemptedAt: string;
  readonly status: number | null;
  readonly failure: string | null;
}

export interface DeliveryRecord {
  readonly webhookId: string;
  readonly subscriptionId: string;
  readonly companyId: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly body: string;
  readonly state: DeliveryState;
  readonly nextAttemptAt: Date | null;
  readonly createdAt: Date;
  readonly attempts: readonly AttemptRecord[];
}

@Injectable()
export class DeliveryRepository {
  /** One delivery per subscription, due at once. */
  async add(tx: Tx, notification: NewNotification, recipients: readonly Recipient[]): Promise<void> {
    const { companyId, eventId, eventType, createdAt, generatedAt } = notification;
    await tx.execute(sql`
      INSERT INTO delivery (webhook_id, subscription_id, company_id, event_id, event_type, body, state,
                            next_attempt_at, created_at, generated_at)
      SELECT webhook_id, subscription_id, ${companyId}, ${eventId}, ${eventType}, body, 'due', ${createdAt},
             ${createdAt}, ${generatedAt}
      FROM unnest(${recipients.map((one) => one.webhookId)}::text[],
                  ${recipients.map((one) => one.subscriptionId)}::uuid[],
                  ${recipients.map((one) => one.body)}::text[]) AS one (webhook_id, subscription_id, body)`);
  }

  /** @param underway webhook ids whose attempt has not ended yet */
  async findDue(tx: Tx, now: Date, underway: readonly string[], limit: number): Promise<readonly DueDelivery[]> {
    const due = await tx.rows<{ webhookId: string }>(sql`
      SELECT webhook_id AS "webhookId" FROM delivery
      WHERE state = 'due' AND next_attempt_at <= ${now} AND NOT webhook_id = ANY(${underway}::text[])
      ORDER BY next_attempt_at, position
      LIMIT ${limit}`);
    return this.findByIds(
      tx,
      due.map(({ webhookId }) => webhookId),
    );
  }

  /** In the order in which they fall due. */
  async findByIds(tx: Tx, webhookIds: readonly string[]): Promise<readonly DueDelivery[]> {
    return tx.rows<DueDelivery>(sql`
      SELECT d.webhook_id AS "webhookId", d.subscription_id AS "subscriptionId", d.position, d.body, d.attempts,
             d.state, d.next_attempt_at AS "nextAttemptAt", d.created_at AS "createdAt",
             d.generated_at AS "generatedAt", s.endpoint_url AS "endpointUrl",
             s.custom_headers AS "customHeaders", s.endpoint_auth AS "endpointAuth", s.secret,
             s.previous_secret AS "previousSecret", s.previous_secret_until AS "previousSecretUntil",
             s.status = 'ACTIVE' AND s.deleted_at IS NULL AS live
      FROM delivery d JOIN subscription s ON s.id = d.subscription_id
      WHERE d.webhook_id = ANY(${webhookIds}::text[])
      ORDER BY d.next_attempt_at, d.position`);
  }

  /** What the newest attempt was signed with, if there was one. */
  async lastSignature(tx: Tx, webhookId: string): Promise<Pick<AttemptOutcome, 'timestamp' | 'signature'> | undefined> {
    const row = await tx.maybeOne<{ timestamp: bigint; signature: string | null }>(sql`
      SELECT signed_timestamp AS timestamp, signature FROM delivery_attempt
      WHERE webhook_id = ${webhookId} AND signed_timestamp IS NOT NULL ORDER BY id DESC LIMIT 1`);
    return row && { timestamp: Number(row.timestamp), signature: row.signature };
  }

  /** When the next attempt falls due that is not under way, if any does. */
  async nextDueAt(tx: Tx, underway: readonly string[]): Promise<Date | undefined> {
    const row = await tx.one<{ at: Date | null }>(sql`
      SELECT min(next_attempt_at) AS at FROM delivery
      WHERE state = 'due' AND NOT webhook_id = ANY(${underway}::text[])`);
    return row.at ?? undefined;
  }

  async addAttempt(
    tx: Tx,
    attempt: AttemptOutcome & { readonly webhookId: string; readonly manual: boolean; readonly at: Date },
  ): Promise<void> {
    await tx.execute(sql`
      INSERT INTO delivery_attempt (webhook_id, number, manual, attempted_at, status, failure, signed_timestamp,
                                    signature)
      SELECT ${attempt.webhookId}, count(*) + 1, ${attempt.manual}, ${attempt.at}, ${attempt.status}::integer,
             ${attempt.failure}, ${attempt.timestamp}::bigint, ${attempt.signature}
      FROM delivery_attempt WHERE webhook_id = ${attempt.webhookId}`);
  }

  /**
   * Keeps a delivery from being dropped until the transaction ends.
   * @returns false when there is none any more
   */
  async lock(tx: Tx, webhookId: string): Promise<boolean> {
    const found = await tx.rows(sql`SELECT FROM delivery WHERE webhook_id = ${webhookId} FOR UPDATE`);
    return found.length === 1;
  }

  /** @returns false when there is no such delivery any more */
  async move(
    tx: Tx,
    webhookId: string,
    to: {
      readonly state: DeliveryState;
      readonly attempts: number;
      readonly nextAttemptAt: Date | null;
    },
  ): Promise<boolean> {
    const touched = await tx.execute(sql`
      UPDATE delivery SET state = ${to.state}, attempts = ${to.attempts}, next_attempt_at = ${to.nextAttemptAt}
      WHERE webhook_id = ${webhookId}`);
    return touched === 1;
  }

  /** Newest first, with all attempts of each. */
  async readLog(tx: Tx, companyId: string | undefined, limit: number): Promise<readonly DeliveryRecord[]> {
    return tx.rows<DeliveryRecord>(sql`
      SELECT d.webhook_id AS "webhookId", d.subscription_id AS "subscriptionId", d.company_id AS "companyId",
             d.event_id AS "eventId", d.event_type AS "eventType", d.body, d.state,
             d.next_attempt_at AS "nextAttemptAt", d.created_at AS "createdAt",
             coalesce((SELECT jsonb_agg(jsonb_build_object('number', a.number, 'manual', a.manual,
                         'attemptedAt', a.attempted_at, 'status', a.status, 'failure', a.failure) ORDER BY a.id)
                       FROM delivery_attempt a WHERE a.webhook_id = d.webhook_id), '[]') AS attempts
      FROM delivery d
      WHERE ${companyId}::uuid IS NULL OR d.company_id = ${companyId}
      ORDER BY d.position DESC
      LIMIT ${limit}`);
  }
}
