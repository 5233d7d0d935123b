import { Injectable } from '@nestjs/common';
import { sql } from '../../foundation/database/sql.js';
import type { Tx } from '../../foundation/database/transaction.js';
import { toInstallationId, type InstallationId } from '../../kernel/ids.js';

export interface ReconciliationSchedule {
  readonly timeZone: string;
  readonly nextRunAt: Date;
  readonly alertAfterDays: number;
}

@Injectable()
export class ReconciliationScheduleRepository {
  /** Over all tenants: active installations whose next run is due or not planned yet. */
  async findDue(tx: Tx, now: Date, limit: number): Promise<readonly InstallationId[]> {
    const rows = await tx.rows<{ id: string }>(sql`
      SELECT id FROM installation LEFT JOIN reconciliation_schedule ON installation_id = id
      WHERE state = 'active' AND (next_run_at IS NULL OR next_run_at <= ${now})
      ORDER BY next_run_at NULLS FIRST LIMIT ${limit}`);
    return rows.map(({ id }) => toInstallationId(id));
  }

  async find(tx: Tx, installationId: InstallationId): Promise<ReconciliationSchedule | undefined> {
    return tx.maybeOne<ReconciliationSchedule>(sql`
      SELECT time_zone AS "timeZone", next_run_at AS "nextRunAt", alert_after_days AS "alertAfterDays"
      FROM reconciliation_schedule WHERE installation_id = ${installationId}`);
  }

  /**
   * Plans the next run; one that is not due yet stays. Replicas whose clocks differ plan the same one.
   * @returns whether a run was due
   */
  async claimDue(
    tx: Tx,
    installationId: InstallationId,
    now: Date,
    { timeZone, nextRunAt }: Pick<ReconciliationSchedule, 'timeZone' | 'nextRunAt'>,
  ): Promise<boolean> {
    const taken = await tx.execute(sql`
      UPDATE reconciliation_schedule SET next_run_at = ${nextRunAt}
      WHERE installation_id = ${installationId} AND next_run_at <= ${now}`);
    if (taken === 0) {
      await tx.execute(sql`
        INSERT INTO reconciliation_schedule (installation_id, time_zone, next_run_at)
        VALUES (${installationId}, ${timeZone}, ${nextRunAt}) ON CONFLICT DO NOTHING`);
    }
    return taken === 1;
  }

  /**
   * One that the database does not know, or knows as an abbreviation of another one, leaves it as it was: days are computed by it in
   * statements, which would fail.
   */
  async setTimeZone(tx: Tx, installationId: InstallationId, timeZone: string): Promise<void> {
    await tx.execute(sql`
      UPDATE reconciliation_schedule SET time_zone = ${timeZone}
      -- The list of names takes the database longer than all else here.
      WHERE installation_id = ${installationId} AND CASE WHEN time_zone <> ${timeZone}
        THEN EXISTS (SELECT FROM pg_timezone_names WHERE lower(name) = lower(${timeZone})) END`);
  }

  /** @param days after which an open discrepancy raises an alert */
  async setAlertAfterDays(tx: Tx, installationId: InstallationId, days: number, firstRunAt: Date): Promise<void> {
    await tx.execute(sql`
      INSERT INTO reconciliation_schedule (installation_id, time_zone, next_run_at, alert_after_days)
      VALUES (${installationId}, 'UTC', ${firstRunAt}, ${days})
      ON CONFLICT (installation_id) DO UPDATE SET alert_after_days = EXCLUDED.alert_after_days`);
  }
}
