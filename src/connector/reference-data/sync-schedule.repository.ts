import { Injectable } from '@nestjs/common';
import { sql } from '../../foundation/database/sql.js';
import type { Tx } from '../../foundation/database/transaction.js';
import { toInstallationId, type InstallationId } from '../../kernel/ids.js';

@Injectable()
export class SyncScheduleRepository {
  /**
   * Over all tenants: at most `limit` active installations with an ERP company that are due, or were connected or linked
   * since their last run.
   */
  async findDue(tx: Tx, limit: number): Promise<readonly InstallationId[]> {
    const rows = await tx.rows<{ id: string }>(sql`
      SELECT id FROM installation LEFT JOIN sync_schedule ON installation_id = id
      WHERE state = 'active' AND erp_company_id IS NOT NULL AND (next_run_at IS NULL OR next_run_at <= clock_timestamp()
        OR connected_at IS DISTINCT FROM activated_at)
      ORDER BY next_run_at NULLS FIRST LIMIT ${limit}`);
    return rows.map((row) => toInstallationId(row.id));
  }

  /**
   * The ERP company is another one: the next runs are the first, and due at once. What was confirmed for its lists, and the
   * numbers that vendors were to get there, are of the company before.
   */
  async forgetConnection(tx: Tx, installationId: InstallationId): Promise<void> {
    await tx.execute(
      sql`UPDATE sync_schedule SET connected_at = NULL, next_run_at = clock_timestamp() WHERE installation_id = ${installationId}`,
    );
    await tx.execute(sql`
      UPDATE sync_run SET confirmed_archives = 0
      WHERE installation_id = ${installationId} AND state IN ('requested', 'running')`);
    await tx.execute(sql`
      DELETE FROM vendor_match WHERE installation_id = ${installationId} AND decision IN ('link', 'create')`);
  }

  /**
   * Sets the next run, so that one of several workers that found the installation due gets it.
   * @returns whether this is the first run since the installation was connected; undefined when it was not due
   */
  async claimDue(tx: Tx, installationId: InstallationId, next: Date): Promise<'first' | 'later' | undefined> {
    const row = await tx.maybeOne<{ first: boolean }>(sql`
      WITH before AS (SELECT connected_at FROM sync_schedule WHERE installation_id = ${installationId})
      INSERT INTO sync_schedule AS turn (installation_id, next_run_at, connected_at)
        SELECT id, ${next}, activated_at FROM installation WHERE id = ${installationId}
      ON CONFLICT (installation_id)
        DO UPDATE SET next_run_at = EXCLUDED.next_run_at, connected_at = EXCLUDED.connected_at
        WHERE turn.next_run_at <= clock_timestamp() OR turn.connected_at IS DISTINCT FROM EXCLUDED.connected_at
      RETURNING xmax = 0 OR connected_at IS DISTINCT FROM (SELECT connected_at FROM before) AS first`);
    return row && (row.first ? 'first' : 'later');
  }
}
