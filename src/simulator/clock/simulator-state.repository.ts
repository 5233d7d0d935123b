import { Injectable } from '@nestjs/common';
import { sql } from '../../foundation/database/sql.js';
import type { Tx } from '../../foundation/database/transaction.js';

export type RetrySchedule = 'nine_attempts' | 'eight_attempts';
export type WebhookTime = 'system' | 'simulator';

/** Behaviour of the whole simulator that /control can change. */
export interface SimulatorSettings {
  readonly retrySchedule: RetrySchedule;
  /** Whose clock signs notifications: receivers compare with their own, which nobody moves. */
  readonly webhookTime: WebhookTime;
  /** Most elements of one page of a list. */
  readonly largestPage: number;
  /** Most tag groups of a company that are not archived. */
  readonly mostActiveTagGroups: number;
  /** Most tags of a group that are not archived. */
  readonly mostActiveTags: number;
}

@Injectable()
export class SimulatorStateRepository {
  /** Milliseconds the simulator's clock is ahead of the computer's. */
  async readClockOffset(tx: Tx): Promise<number> {
    const row = await tx.one<{ offsetMs: bigint }>(
      sql`SELECT clock_offset_ms AS "offsetMs" FROM simulator_state`,
    );
    return Number(row.offsetMs);
  }

  async writeClockOffset(tx: Tx, offsetMs: number): Promise<void> {
    await tx.execute(sql`UPDATE simulator_state SET clock_offset_ms = ${offsetMs}`);
  }

  async readSettings(tx: Tx): Promise<SimulatorSettings> {
    return tx.one<SimulatorSettings>(sql`
      SELECT retry_schedule AS "retrySchedule", webhook_time AS "webhookTime", largest_page AS "largestPage",
             most_active_tag_groups AS "mostActiveTagGroups", most_active_tags AS "mostActiveTags"
      FROM simulator_state`);
  }

  async writeSettings(tx: Tx, settings: SimulatorSettings): Promise<void> {
    await tx.execute(sql`
      UPDATE simulator_state
      SET retry_schedule = ${settings.retrySchedule}, webhook_time = ${settings.webhookTime},
          largest_page = ${settings.largestPage}, most_active_tag_groups = ${settings.mostActiveTagGroups},
          most_active_tags = ${settings.mostActiveTags}`);
  }

  /**
   * Keys of the authorization server, made once and kept, so that tokens outlive a restart.
   * @param made what to store when there are none yet
   */
  async keepKeys(
    tx: Tx,
    made: { readonly signingKey: string; readonly cookieKey: string },
  ): Promise<{ readonly signingKey: Readonly<Record<string, unknown>>; readonly cookieKey: string }> {
    return tx.one(sql`
      UPDATE simulator_state
      SET signing_key = coalesce(signing_key, ${made.signingKey}::jsonb),
          cookie_key = coalesce(cookie_key, ${made.cookieKey})
      RETURNING signing_key AS "signingKey", cookie_key AS "cookieKey"`);
  }

  /** Drops everything anybody did; keys and the registered client are made anew or kept by the caller. */
  async dropAll(tx: Tx): Promise<void> {
    await tx.execute(sql`
      TRUNCATE company, employee, oauth_client, oauth_record, api_key, installation, consent, subscription,
        subscription_activity, delivery, delivery_attempt, export_item, export_job, export_job_item,
        export_job_event, item_file, failure_switch, request_log, account, tax_code, vendor, tag_group, tag, tag_dimension,
        tag_dimension_value RESTART IDENTITY`);
    await tx.execute(sql`
      UPDATE simulator_state
      SET clock_offset_ms = DEFAULT, retry_schedule = DEFAULT, webhook_time = DEFAULT, largest_page = DEFAULT,
          most_active_tag_groups = DEFAULT, most_active_tags = DEFAULT`);
  }
}
