import { Injectable } from '@nestjs/common';
import { sql } from '../../../foundation/database/sql.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import type { SimulatorSettings } from './simulator-settings.js';

@Injectable()
export class SimulatorStateRepository {
  /** Milliseconds the simulator's clock is ahead of the computer's. */
  async readClockOffset(tx: Tx): Promise<number> {
    const row = await tx.one<{ offsetMs: bigint }>(sql`SELECT clock_offset_ms AS "offsetMs" FROM simulator_state`);
    return Number(row.offsetMs);
  }

  async writeClockOffset(tx: Tx, offsetMs: number): Promise<void> {
    await tx.execute(sql`UPDATE simulator_state SET clock_offset_ms = ${offsetMs}`);
  }

  async readSettings(tx: Tx): Promise<SimulatorSettings> {
    return tx.one<SimulatorSettings>(sql`
      SELECT retry_schedule AS "retrySchedule", retry_jitter_percent AS "retryJitterPercent",
             retry_jitter_seed AS "retryJitterSeed", webhook_time AS "webhookTime",
             webhook_timestamp AS "webhookTimestamp", webhook_body AS "webhookBody",
             refresh_rotation AS "refreshRotation", refresh_grace_seconds AS "refreshGraceSeconds",
             requests_per_minute AS "requestsPerMinute", largest_page AS "largestPage",
             most_active_tag_groups AS "mostActiveTagGroups", most_active_tags AS "mostActiveTags"
      FROM simulator_state`);
  }

  async writeSettings(tx: Tx, settings: SimulatorSettings): Promise<void> {
    await tx.execute(sql`
      UPDATE simulator_state
      SET retry_schedule = ${settings.retrySchedule}, retry_jitter_percent = ${settings.retryJitterPercent},
          retry_jitter_seed = ${settings.retryJitterSeed}, webhook_time = ${settings.webhookTime},
          webhook_timestamp = ${settings.webhookTimestamp}, webhook_body = ${settings.webhookBody},
          refresh_rotation = ${settings.refreshRotation},
          refresh_grace_seconds = ${settings.refreshGraceSeconds},
          requests_per_minute = ${settings.requestsPerMinute}, largest_page = ${settings.largestPage},
          most_active_tag_groups = ${settings.mostActiveTagGroups}, most_active_tags = ${settings.mostActiveTags}`);
  }

  /**
   * Keys of the authorization server, created once and stored, so that tokens stay valid over a restart.
   * @param created stored when there are no keys yet
   */
  async findOrStoreKeys(
    tx: Tx,
    created: { readonly signingKey: string; readonly cookieKey: string },
  ): Promise<{ readonly signingKey: Readonly<Record<string, unknown>>; readonly cookieKey: string }> {
    return tx.one(sql`
      UPDATE simulator_state
      SET signing_key = coalesce(signing_key, ${created.signingKey}::jsonb),
          cookie_key = coalesce(cookie_key, ${created.cookieKey})
      RETURNING signing_key AS "signingKey", cookie_key AS "cookieKey"`);
  }

  /**
   * Drops all data but the keys of the authorization server; the caller registers the configured client again.
   * @throws the driver's error `lock_not_available` when a table is not free within 200 ms
   */
  async dropAll(tx: Tx): Promise<void> {
    await tx.execute(sql`SET LOCAL lock_timeout = '200ms'`);
    await tx.execute(sql`
      TRUNCATE company, employee, oauth_client, oauth_record, api_key, installation, consent, subscription,
        subscription_activity, delivery, delivery_attempt, export_item, export_job, export_job_item,
        export_job_event, item_file, failure_switch, webhook_switch, request_log, account, category, tax_code, vendor, tag_group, tag, tag_dimension,
        tag_dimension_value RESTART IDENTITY`);
    await tx.execute(sql`
      UPDATE simulator_state
      SET clock_offset_ms = DEFAULT, retry_schedule = DEFAULT, retry_jitter_percent = DEFAULT,
          retry_jitter_seed = DEFAULT, webhook_time = DEFAULT, webhook_timestamp = DEFAULT, webhook_body = DEFAULT,
          refresh_rotation = DEFAULT, refresh_grace_seconds = DEFAULT, requests_per_minute = DEFAULT,
          largest_page = DEFAULT, most_active_tag_groups = DEFAULT, most_active_tags = DEFAULT`);
  }
}
