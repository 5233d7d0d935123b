import { Injectable } from '@nestjs/common';
import { sql } from '../../foundation/database/sql.js';
import type { Tx } from '../../foundation/database/transaction.js';
import type { InstallationId } from '../../kernel/ids.js';
import type { AlertKind } from './domain/alert.js';
import type { SentAlert } from './domain/alert-message.js';

export interface NewAlert {
  readonly id: string;
  readonly kind: AlertKind;
  readonly fact: string;
  readonly title: string;
  readonly advice: string;
  readonly detail: string;
  readonly count: number;
}

/** A message that is about to be tried. */
export interface DueMessage {
  readonly id: string;
  /** This one included. */
  readonly attempts: number;
}

const HOUR_MS = 3_600_000;

/** Alerts, and the messages that contain them. */
@Injectable()
export class AlertRepository {
  /** One alert per fact, however often and by however many workers it is found. */
  async raise(tx: Tx, installationId: InstallationId, alerts: readonly NewAlert[], at: Date): Promise<void> {
    const column = (read: (alert: NewAlert) => string) => alerts.map(read);
    await tx.execute(sql`
      INSERT INTO alert (installation_id, id, kind, fact, raised_at, title, advice, detail, count)
      SELECT ${installationId}, id, kind, fact, ${at}, title, advice, left(detail, 1000), count
      FROM unnest(${column(({ id }) => id)}::uuid[], ${column(({ kind }) => kind)}::text[],
        ${column(({ fact }) => fact)}::text[], ${column(({ title }) => title)}::text[],
        ${column(({ advice }) => advice)}::text[],
        ${column(({ detail }) => detail)}::text[], ${alerts.map(({ count }) => count)}::int[])
        AS new (id, kind, fact, title, advice, detail, count)
      ON CONFLICT (installation_id, kind, fact) DO NOTHING`);
  }

  /** Alerts without a message, oldest first; locked, so that two workers do not make two messages of one alert. */
  async lockWaiting(tx: Tx, installationId: InstallationId, limit: number): Promise<readonly string[]> {
    const rows = await tx.rows<{ id: string }>(sql`
      SELECT id FROM alert WHERE installation_id = ${installationId} AND message_id IS NULL
      ORDER BY raised_at, id LIMIT ${limit} FOR UPDATE`);
    return rows.map(({ id }) => id);
  }

  async messagesInLastHour(tx: Tx, installationId: InstallationId, now: Date): Promise<number> {
    const row = await tx.one<{ count: number }>(sql`
      SELECT count(*)::int AS count FROM alert_message
      WHERE installation_id = ${installationId} AND created_at > ${new Date(now.getTime() - HOUR_MS)}`);
    return row.count;
  }

  async addMessage(
    tx: Tx,
    installationId: InstallationId,
    messageId: string,
    alertIds: readonly string[],
    at: Date,
  ): Promise<void> {
    await tx.execute(sql`
      INSERT INTO alert_message (installation_id, id, created_at, next_try_at)
      VALUES (${installationId}, ${messageId}, ${at}, ${at})`);
    await tx.execute(sql`
      UPDATE alert SET message_id = ${messageId}
      WHERE installation_id = ${installationId} AND id = ANY(${alertIds}::uuid[])`);
  }

  /**
   * Claims the next due message. The attempt is counted now, and the message is due again if this worker crashes.
   * @param again when another worker may try it
   */
  async claimDue(tx: Tx, installationId: InstallationId, now: Date, again: Date): Promise<DueMessage | undefined> {
    return tx.maybeOne<DueMessage>(sql`
      UPDATE alert_message SET attempts = attempts + 1, next_try_at = ${again}
      WHERE installation_id = ${installationId} AND id = (
        SELECT id FROM alert_message
        WHERE installation_id = ${installationId} AND sent_at IS NULL AND given_up_at IS NULL AND next_try_at <= ${now}
        ORDER BY next_try_at, id LIMIT 1 FOR UPDATE SKIP LOCKED)
      RETURNING id, attempts`);
  }

  /** The alerts of a message, oldest first. */
  async listByMessage(tx: Tx, installationId: InstallationId, messageId: string): Promise<readonly SentAlert[]> {
    return tx.rows<SentAlert>(sql`
      SELECT id, kind, title, advice, raised_at AS "raisedAt" FROM alert
      WHERE installation_id = ${installationId} AND message_id = ${messageId} ORDER BY raised_at, id`);
  }

  async markSent(tx: Tx, installationId: InstallationId, messageId: string, at: Date): Promise<void> {
    await tx.execute(sql`
      UPDATE alert_message SET sent_at = ${at}, given_up_at = NULL, problem = NULL
      WHERE installation_id = ${installationId} AND id = ${messageId}`);
  }

  /**
   * One that another worker has sent while this attempt took too long stays sent.
   * @param failure without `nextTryAt` the message is given up
   */
  async markFailed(
    tx: Tx,
    installationId: InstallationId,
    messageId: string,
    failure: { readonly problem: string; readonly at: Date; readonly nextTryAt: Date | undefined },
  ): Promise<void> {
    const { problem, at, nextTryAt } = failure;
    await tx.execute(sql`
      UPDATE alert_message SET problem = ${problem}, next_try_at = coalesce(${nextTryAt ?? null}, next_try_at),
        given_up_at = CASE WHEN ${nextTryAt === undefined} THEN ${at}::timestamptz END
      WHERE installation_id = ${installationId} AND id = ${messageId} AND sent_at IS NULL AND given_up_at IS NULL`);
  }

  /** Over all tenants: what was raised before it, and the messages of that. */
  async deleteBefore(tx: Tx, before: Date): Promise<void> {
    await tx.execute(sql`DELETE FROM alert WHERE raised_at < ${before}`);
    await tx.execute(sql`DELETE FROM alert_message WHERE created_at < ${before}`);
  }
}
