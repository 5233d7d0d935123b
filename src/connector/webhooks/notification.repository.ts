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
  /** @returns ids of those that are stored now: not of a message, nor of an event, that was stored before */
  async insert(
    tx: Tx,
    installationId: InstallationId,
    notifications: readonly NewNotification[],
  ): Promise<ReadonlySet<string>> {
    const of = <Column>(read: (notification: NewNotification) => Column) => notifications.map(read);
    const rows = await tx.rows<{ id: string }>(sql`
      INSERT INTO notification (installation_id, webhook_id, event_id, event_type, subject_id, body, body_digest, received_at)
      SELECT ${installationId}, * FROM unnest(${of(({ webhookId }) => webhookId)}::text[],
        ${of(({ eventId }) => eventId)}::text[], ${of(({ eventType }) => eventType)}::text[],
        ${of(({ subjectId }) => subjectId ?? null)}::uuid[], ${of(({ body }) => body)}::bytea[],
        ${of(({ bodyDigest }) => bodyDigest)}::bytea[], ${of(({ receivedAt }) => receivedAt)}::timestamptz[])
      ON CONFLICT DO NOTHING RETURNING webhook_id AS id`);
    return new Set(rows.map(({ id }) => id));
  }

  /** @returns digests of the bodies that were accepted under these ids */
  async findDigests(
    tx: Tx,
    installationId: InstallationId,
    webhookIds: readonly WebhookId[],
  ): Promise<ReadonlyMap<string, Buffer>> {
    if (webhookIds.length === 0) {
      return new Map();
    }
    const rows = await tx.rows<{ webhook_id: string; body_digest: Buffer }>(sql`
      SELECT webhook_id, body_digest FROM notification
      WHERE installation_id = ${installationId} AND webhook_id = ANY(${webhookIds}::text[])`);
    return new Map(rows.map(({ webhook_id, body_digest }) => [webhook_id, body_digest]));
  }

  async findEventType(tx: Tx, installationId: InstallationId, webhookId: WebhookId): Promise<string | undefined> {
    const row = await tx.maybeOne<{ event_type: string }>(sql`
      SELECT event_type FROM notification WHERE installation_id = ${installationId} AND webhook_id = ${webhookId}`);
    return row?.event_type;
  }
}
