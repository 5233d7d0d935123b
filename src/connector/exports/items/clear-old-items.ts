import { Injectable } from '@nestjs/common';
import { sql } from '../../../foundation/database/sql.js';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import { toInstallationId, type InstallationId } from '../../../kernel/ids.js';
import { CLEARED_REASON } from '../domain/item-failure.js';

/** How long items of ended jobs are stored: `CONNECTOR_ITEM_DAYS`. */
export class ItemRetention {
  constructor(readonly days: number) {}
}

/** Jobs found at a time. */
const BATCH = 100;
const CLEARED = CLEARED_REASON.failureReason;

interface OldJob {
  readonly id: string;
  readonly installationId: string;
}

/**
 * Clears data of ended jobs that may name persons and suppliers: the items, and the reasons and warnings that quote them, also in the
 * messages to the platform. What was posted, under which key and number, stays as long as the installation (I13, S62).
 */
@Injectable()
export class ClearOldItems {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly itemRetention: ItemRetention,
  ) {}

  /** Repeatable. @param stopping ends the call after the job that it is at */
  async clearOld(stopping: AbortSignal): Promise<void> {
    // They contain items too, and are valid for a day: nothing else forgets the last ones of an installation.
    await this.tenantDatabase.acrossInstallations('delete old previews', (tx) =>
      tx.execute(sql`DELETE FROM preview WHERE expires_at < clock_timestamp()`),
    );
    let jobs: readonly OldJob[];
    do {
      jobs = await this.findOld();
      for (const { id, installationId } of jobs) {
        if (stopping.aborted) {
          return;
        }
        await this.clear(toInstallationId(installationId), id);
      }
    } while (jobs.length === BATCH);
  }

  private async findOld(): Promise<readonly OldJob[]> {
    return this.tenantDatabase.acrossInstallations('find old export jobs', (tx) =>
      tx.rows<OldJob>(sql`
        SELECT id, installation_id AS "installationId" FROM export_job
        WHERE state NOT IN ('detected', 'running', 'verdict_decided') AND items_cleared_at IS NULL
          AND finished_at < clock_timestamp() - make_interval(days => ${this.itemRetention.days})
        ORDER BY finished_at LIMIT ${BATCH}`),
    );
  }

  private async clear(installationId: InstallationId, jobId: string): Promise<void> {
    await this.tenantDatabase.inInstallation('clear old items', installationId, async (tx) => {
      await tx.execute(sql`
        UPDATE export_item SET item_chunk_id = NULL, warnings = '[]', failure_messages = NULL,
          failure_reason = CASE WHEN failure_reason IS NOT NULL THEN ${CLEARED} END
        WHERE installation_id = ${installationId} AND export_job_id = ${jobId}`);
      await this.clearMessages(tx, installationId, jobId);
      await tx.execute(sql`
        UPDATE failed_entry SET supplier = NULL
        WHERE installation_id = ${installationId} AND export_job_id = ${jobId} AND supplier IS NOT NULL`);
      // Names the file; one that a later export could not attach either was recorded anew.
      await tx.execute(sql`
        DELETE FROM receipt WHERE installation_id = ${installationId} AND problem IS NOT NULL
          AND stored_at < clock_timestamp() - make_interval(days => ${this.itemRetention.days})
          AND accounting_entry_id IN (SELECT accounting_entry_id FROM export_item
            WHERE installation_id = ${installationId} AND export_job_id = ${jobId})`);
      await tx.execute(sql`
        DELETE FROM item_chunk WHERE installation_id = ${installationId} AND export_job_id = ${jobId}`);
      await tx.execute(sql`
        UPDATE export_job SET items_cleared_at = clock_timestamp(), version = version + 1, notice = NULL,
          failure_messages = NULL,
          failure_reason = CASE WHEN failure_reason IS NOT NULL THEN ${CLEARED} END
        WHERE installation_id = ${installationId} AND id = ${jobId} AND items_cleared_at IS NULL`);
    });
  }

  /** Messages to the platform stay, but for the reasons. */
  private async clearMessages(tx: Tx, installationId: InstallationId, jobId: string): Promise<void> {
    const cleared = JSON.stringify({ failureReason: CLEARED });
    await tx.execute(sql`
      UPDATE outbox SET body = CASE WHEN kind = 'verdict' THEN body || ${cleared}::jsonb ELSE (
        SELECT jsonb_agg(result || CASE WHEN jsonb_exists(result, 'failureReason') THEN ${cleared}::jsonb ELSE '{}' END
          ORDER BY place)
        FROM jsonb_array_elements(body) WITH ORDINALITY AS sent (result, place)) END
      WHERE installation_id = ${installationId} AND export_job_id = ${jobId}
        AND jsonb_path_exists(body, '$.failureReason')`);
  }
}
