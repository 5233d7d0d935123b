import { Injectable } from '@nestjs/common';
import { sql } from '../../foundation/database/sql.js';
import type { Tx } from '../../foundation/database/transaction.js';
import { toInstallationId, type InstallationId } from '../../kernel/ids.js';
import type { AlertKind } from './domain/alert.js';
import type { AlertChannel, AlertSettings, SavedAlertSettings } from './domain/alert-settings.js';

export interface StoredAlertSettings extends SavedAlertSettings {
  /** Of a webhook, in full. */
  readonly sealedAddress: string | undefined;
  readonly sealedSecret: string | undefined;
  /** Earlier facts raise no alert. */
  readonly since: Date;
}

interface SettingRow {
  readonly version: number;
  readonly channel: AlertChannel;
  readonly address: string | null;
  readonly sealed_address: string | null;
  readonly webhook_secret: string | null;
  readonly kinds: readonly AlertKind[];
  readonly since: Date;
}

const LOOK_EVERY_SECONDS = 60;

@Injectable()
export class AlertSettingRepository {
  async find(tx: Tx, installationId: InstallationId): Promise<StoredAlertSettings | undefined> {
    const row = await tx.maybeOne<SettingRow>(sql`
      SELECT version, channel, address, sealed_address, webhook_secret, kinds, since FROM alert_setting
      WHERE installation_id = ${installationId}`);
    return (
      row && {
        version: row.version,
        channel: row.channel,
        address: row.address ?? undefined,
        kinds: row.kinds,
        sealedAddress: row.sealed_address ?? undefined,
        sealedSecret: row.webhook_secret ?? undefined,
        since: row.since,
      }
    );
  }

  /**
   * Stores the settings as the version after the one that was edited. Alerts that are switched on are about facts from
   * then on; with a kind that is added, all are about facts from two minutes before, since what is searched for every minute has
   * been found until then.
   * @param seen version that was edited, 0 for the first
   * @returns false when another person saved meanwhile
   */
  async saveVersion(
    tx: Tx,
    installationId: InstallationId,
    seen: number,
    settings: AlertSettings & Pick<StoredAlertSettings, 'sealedAddress' | 'sealedSecret'>,
    at: Date,
  ): Promise<boolean> {
    const { channel, address = null, kinds, sealedAddress = null, sealedSecret = null } = settings;
    const saved = await tx.execute(sql`
      INSERT INTO alert_setting AS setting (installation_id, version, channel, address, sealed_address, webhook_secret,
        kinds, since, next_check_at)
      SELECT ${installationId}, 1, ${channel}, ${address}, ${sealedAddress}, ${sealedSecret}, ${kinds}::text[], ${at},
        clock_timestamp()
      WHERE ${seen}::int = 0 OR EXISTS (SELECT FROM alert_setting WHERE installation_id = ${installationId})
      ON CONFLICT (installation_id) DO UPDATE SET version = setting.version + 1, channel = EXCLUDED.channel,
        address = EXCLUDED.address, sealed_address = EXCLUDED.sealed_address, webhook_secret = EXCLUDED.webhook_secret, kinds = EXCLUDED.kinds,
        since = CASE WHEN setting.channel = 'off' THEN EXCLUDED.since WHEN EXCLUDED.kinds <@ setting.kinds THEN setting.since
          ELSE greatest(setting.since, EXCLUDED.since - make_interval(secs => ${2 * LOOK_EVERY_SECONDS})) END,
        next_check_at = EXCLUDED.next_check_at
      WHERE setting.version = ${seen}`);
    return saved === 1;
  }

  /**
   * Records a test message, unless the limit is reached.
   * @param limit at most `most` tests after `since`
   * @returns false when nothing was recorded
   */
  async recordTest(
    tx: Tx,
    installationId: InstallationId,
    limit: { readonly most: number; readonly since: Date; readonly now: Date },
  ): Promise<boolean> {
    const { most, since, now } = limit;
    const noted = await tx.execute(sql`
      UPDATE alert_setting SET tested_at =
        ARRAY (SELECT moment FROM unnest(tested_at) AS moment WHERE moment > ${since}) || ${now}::timestamptz
      WHERE installation_id = ${installationId}
        AND (SELECT count(*) FROM unnest(tested_at) AS moment WHERE moment > ${since}) < ${most}`);
    return noted === 1;
  }

  /** Over all tenants: claims up to `limit` installations that are due; each is due again in a minute. */
  async claimDue(tx: Tx, limit: number): Promise<readonly InstallationId[]> {
    const rows = await tx.rows<{ installation_id: string }>(sql`
      UPDATE alert_setting SET next_check_at = clock_timestamp() + make_interval(secs => ${LOOK_EVERY_SECONDS})
      WHERE installation_id IN (
        SELECT installation_id FROM alert_setting WHERE channel <> 'off' AND next_check_at <= clock_timestamp()
        ORDER BY next_check_at LIMIT ${limit} FOR UPDATE SKIP LOCKED)
      RETURNING installation_id`);
    return rows.map((row) => toInstallationId(row.installation_id));
  }
}
