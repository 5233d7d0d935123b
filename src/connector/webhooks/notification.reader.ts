import { Injectable } from '@nestjs/common';
import { sql } from '../../foundation/database/sql.js';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import type { InstallationId } from '../../kernel/ids.js';
import { NotificationRepository } from './notification.repository.js';
import type { NotificationTask } from './webhooks.tasks.js';
import { type NotificationState, type QuarantineReason, HANDLED_EVENT_TYPES } from './domain/notification-state.js';

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

/** Reads notifications, each call in a transaction of its own. */
@Injectable()
export class NotificationReader {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly notificationRepository: NotificationRepository,
  ) {}

  /** Event type of a stored notification; undefined when the task is only a hint that one was missed. */
  async eventTypeOf({ installationId, webhookId }: NotificationTask): Promise<string | undefined> {
    if (webhookId === undefined) {
      return undefined;
    }
    return this.tenantDatabase.readOnce('load notification', installationId, (tx) =>
      this.notificationRepository.findEventType(tx, installationId, webhookId),
    );
  }

  /**
   * Whether the platform should have announced an export job by now, and has not: it knew our address by then, and no message
   * since names the job or has no resource id.
   * @param createdAt when the platform created the job
   */
  async isJobUnannounced(installationId: InstallationId, jobId: string, createdAt: Date): Promise<boolean> {
    const row = await this.tenantDatabase.readOnce('look for announcement', installationId, (tx) =>
      tx.one<{ missing: boolean }>(sql`
        SELECT EXISTS (SELECT FROM installation JOIN subscription ON installation_id = id WHERE id = ${installationId}
            AND activated_at <= ${createdAt} AND platform_subscription_id IS NOT NULL AND wanted_status = 'ACTIVE')
          AND NOT EXISTS (SELECT FROM notification WHERE installation_id = ${installationId}
            AND event_type = 'v1.export-job.created' AND subject_id = ${jobId})
          AND NOT EXISTS (SELECT FROM notification WHERE installation_id = ${installationId}
            AND event_type = 'v1.export-job.created' AND subject_id IS NULL AND received_at >= ${createdAt}) AS missing`),
    );
    return row.missing;
  }

  /** Accepted and quarantined messages, newest first. Times are truncated to milliseconds, the precision of a cursor. */
  async list(
    installationId: InstallationId,
    { state, after, limit }: NotificationFilter,
  ): Promise<readonly NotificationView[]> {
    return this.tenantDatabase.readOnce('list notifications', installationId, (tx) =>
      tx.rows<NotificationView>(sql`
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
        ORDER BY "receivedAt" DESC, id DESC LIMIT ${limit}`),
    );
  }
}
