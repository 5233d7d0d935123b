import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { sql } from '../../foundation/database/sql.js';
import type { Tx } from '../../foundation/database/transaction.js';
import type { InstallationId } from '../../kernel/ids.js';
import type { QuarantineReason } from './domain/notification-state.js';

export interface QuarantinedMessage {
  readonly webhookId: string;
  readonly reason: QuarantineReason;
  /** For people; never a part of the body. */
  readonly detail: string;
  readonly body: Buffer;
  readonly bodyDigest: Buffer;
  readonly receivedAt: Date;
}

/** What a replay needs; the body is null a week after the first delivery. */
export interface StoredQuarantinedMessage {
  readonly webhookId: string;
  readonly body: Buffer | null;
}

const BODY_RETENTION_DAYS = 7;

/** Signed messages that were not accepted: a poison message must neither block others nor be lost (I25). */
@Injectable()
export class QuarantineRepository {
  /** A repeated delivery of the same message is counted, not stored again. */
  async add(tx: Tx, installationId: InstallationId, message: QuarantinedMessage): Promise<void> {
    const { webhookId, reason, detail, body, bodyDigest, receivedAt } = message;
    const counted = await tx.execute(sql`
      UPDATE quarantined_notification SET deliveries = deliveries + 1, last_received_at = ${receivedAt}
      WHERE installation_id = ${installationId} AND webhook_id = ${webhookId} AND body_digest = ${bodyDigest}`);
    if (counted === 0) {
      await tx.execute(sql`
        INSERT INTO quarantined_notification (installation_id, id, webhook_id, reason, detail, body, body_digest,
          body_bytes, body_kept_until, received_at, last_received_at)
        VALUES (${installationId}, ${randomUUID()}, ${webhookId}, ${reason}, ${detail}, ${body}, ${bodyDigest},
          ${body.length}, ${receivedAt}::timestamptz + make_interval(days => ${BODY_RETENTION_DAYS}), ${receivedAt}, ${receivedAt})
        ON CONFLICT (installation_id, webhook_id, body_digest) DO UPDATE
          SET deliveries = quarantined_notification.deliveries + 1, last_received_at = EXCLUDED.last_received_at`);
    }
  }

  async find(tx: Tx, installationId: InstallationId, id: string): Promise<StoredQuarantinedMessage | undefined> {
    return tx.maybeOne<StoredQuarantinedMessage>(sql`
      SELECT webhook_id AS "webhookId", body FROM quarantined_notification
      WHERE installation_id = ${installationId} AND id = ${id}`);
  }

  async markIngested(tx: Tx, installationId: InstallationId, id: string): Promise<void> {
    await tx.execute(sql`
      UPDATE quarantined_notification SET ingested_at = coalesce(ingested_at, clock_timestamp())
      WHERE installation_id = ${installationId} AND id = ${id}`);
  }

  /** Over all tenants: deletes expired bodies. @returns their number */
  async deleteOldBodies(tx: Tx): Promise<number> {
    return tx.execute(sql`
      UPDATE quarantined_notification SET body = NULL, body_kept_until = NULL
      WHERE body_kept_until < clock_timestamp()`);
  }
}
