import { Injectable } from '@nestjs/common';
import { sql } from '../../foundation/database/sql.js';
import type { Tx } from '../../foundation/database/transaction.js';
import { toInstallationId, type InstallationId } from '../../kernel/ids.js';

@Injectable()
export class SyncTurnRepository {
  /** Over all tenants: at most `limit` active installations whose turn has come, or that never had one. */
  async findDue(tx: Tx, limit: number): Promise<readonly InstallationId[]> {
    const rows = await tx.rows<{ id: string }>(sql`
      SELECT id FROM installation LEFT JOIN sync_turn ON installation_id = id
      WHERE state = 'active' AND (next_run_at IS NULL OR next_run_at <= clock_timestamp())
      ORDER BY next_run_at NULLS FIRST LIMIT ${limit}`);
    return rows.map((row) => toInstallationId(row.id));
  }

  /**
   * Takes the turn, so that of two who found it due one has it.
   * @returns whether this is the installation's first; undefined when it was not due
   */
  async take(tx: Tx, installationId: InstallationId, next: Date): Promise<'first' | 'later' | undefined> {
    const row = await tx.maybeOne<{ first: boolean }>(sql`
      INSERT INTO sync_turn AS turn (installation_id, next_run_at) VALUES (${installationId}, ${next})
      ON CONFLICT (installation_id) DO UPDATE SET next_run_at = EXCLUDED.next_run_at
        WHERE turn.next_run_at <= clock_timestamp()
      RETURNING xmax = 0 AS first`);
    return row && (row.first ? 'first' : 'later');
  }
}
