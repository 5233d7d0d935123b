import { Injectable } from '@nestjs/common';
import { sql } from '../../foundation/database/sql.js';
import type { Tx } from '../../foundation/database/transaction.js';
import type { InstallationId, WebhookId } from '../../kernel/ids.js';

export interface NewNotification {
  readonly webhookId: WebhookId;
  readonly eventId: string;
  readonly eventType: string;
  /** Id of the resource it is about; undefined where the message has none. */
  readonly subjectId: string | undefined;
  readonly body: Buffer;
  readonly bodyDigest: Buffer;
  readonly receivedAt: Date;
}

/** Every accepted message exactly once, without end (I6, I7). */
@Injectable()
export class NotificationRepository {
  /** @returns false when this message, or another one of the same event, is already stored */
  async insert(tx: Tx, installationId: InstallationId, notification: NewNotification): Promise<boolean> {
    const { webhookId, eventId, eventType, subjectId, body, bodyDigest, receivedAt } = notification;
    const inserted = await tx.execute(sql`
      INSERT INTO notification (installation_id, webhook_id, event_id, event_type, subject_id, body, body_digest, received_at)
      VALUES (${installationId}, ${webhookId}, ${eventId}, ${eventType}, ${subjectId ?? null}, ${body}, ${bodyDigest},
        ${receivedAt})
      ON CONFLICT DO NOTHING`);
    return inserted === 1;
  }

  /** Digest of the body that was accepted under this id. */
  async findDigest(tx: Tx, installationId: InstallationId, webhookId: WebhookId): Promise<Buffer | undefined> {
    const row = await tx.maybeOne<{ body_digest: Buffer }>(sql`
      SELECT body_digest FROM notification WHERE installation_id = ${installationId} AND webhook_id = ${webhookId}`);
    return row?.body_digest;
  }

  async findEventType(tx: Tx, installationId: InstallationId, webhookId: WebhookId): Promise<string | undefined> {
    const row = await tx.maybeOne<{ event_type: string }>(sql`
      SELECT event_type FROM notification WHERE installation_id = ${installationId} AND webhook_id = ${webhookId}`);
    return row?.event_type;
  }
}
