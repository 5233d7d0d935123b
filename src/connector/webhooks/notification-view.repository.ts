import { Injectable } from '@nestjs/common';
import { sql } from '../../foundation/database/sql.js';
import type { Tx } from '../../foundation/database/transaction.js';
import type { InstallationId } from '../../kernel/ids.js';
import { HANDLED_EVENT_TYPES, type NotificationState, type QuarantineReason } from './domain/notification-state.js';

/** What people see of a message: never its body. */
export interface NotificationView {
  /** `accepted.<webhook id>` or `quarantine.<id>`. */
  readonly id: string;
  readonly state: NotificationState;
  readonly webhookId: string;
  /** Null for a malformed message. */
  readonly eventId: string | null;
  readonly eventType: string | null;
  readonly reason: QuarantineReason | null;
  readonly detail: string | null;
  readonly bodyBytes: number;
  readonly deliveries: number;
  readonly receivedAt: Date;
  readonly lastReceivedAt: Date;
}

export interface NotificationFilter {
  readonly state: NotificationState | undefined;
  /** The last one of the page before. */
  readonly after: { readonly receivedAt: Date; readonly id: string } | undefined;
  readonly limit: number;
}

@Injectable()
export class NotificationViewRepository {
  /** Newest first. Times are truncated to milliseconds, the precision of a cursor. */
  async list(
    tx: Tx,
    installationId: InstallationId,
    { state, after, limit }: NotificationFilter,
  ): Promise<readonly NotificationView[]> {
    return tx.rows<NotificationView>(sql`
      WITH message AS (
        SELECT 'accepted.' || webhook_id AS id,
          CASE WHEN event_type = ANY (${HANDLED_EVENT_TYPES}) THEN 'taken' ELSE 'ignored' END AS state,
          webhook_id AS "webhookId", event_id AS "eventId", event_type AS "eventType", NULL AS reason, NULL AS detail,
          octet_length(body) AS "bodyBytes", 1 AS deliveries,
          date_trunc('milliseconds', received_at) AS "receivedAt", received_at AS "lastReceivedAt"
        FROM notification WHERE installation_id = ${installationId}
        UNION ALL
        SELECT 'quarantine.' || id, CASE WHEN ingested_at IS NULL THEN 'quarantined' ELSE 'replayed' END,
          webhook_id, NULL, NULL, reason, detail, body_bytes, deliveries,
          date_trunc('milliseconds', received_at), last_received_at
        FROM quarantined_notification WHERE installation_id = ${installationId})
      SELECT * FROM message
      WHERE (${state ?? null}::text IS NULL OR state = ${state ?? null})
        AND (${after?.receivedAt ?? null}::timestamptz IS NULL
          OR ("receivedAt", id) < (${after?.receivedAt ?? null}::timestamptz, ${after?.id ?? null}::text))
      ORDER BY "receivedAt" DESC, id DESC LIMIT ${limit}`);
  }
}
