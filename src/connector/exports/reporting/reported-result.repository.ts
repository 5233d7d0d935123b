import { Injectable } from '@nestjs/common';
import { sql } from '../../../foundation/database/sql.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import type { InstallationId } from '../../../kernel/ids.js';
import type { ReportedItem, JobEvent } from '../../platform/platform-api.js';
import { failedResult, successfulResult } from './wire-result.js';

interface ResultRow {
  readonly id: string;
  readonly state: 'successful' | 'failed';
  readonly exported_at: Date | null;
  readonly external_id: string | null;
  readonly external_url: string | null;
  readonly failure_type: string | null;
  readonly failure_reason: string | null;
}

/** Reads results and verdicts in the form in which they are reported. */
@Injectable()
export class ReportedResultRepository {
  /** In the job's order; entries without a result are left out. */
  async results(
    tx: Tx,
    installationId: InstallationId,
    jobId: string,
    ids: readonly string[],
  ): Promise<readonly ReportedItem[]> {
    const rows = await tx.rows<ResultRow>(sql`
      SELECT accounting_entry_id AS id, state, exported_at, external_id, external_url, failure_type, failure_reason
      FROM export_item WHERE installation_id = ${installationId} AND export_job_id = ${jobId}
        AND accounting_entry_id = ANY(${ids}::uuid[]) AND state <> 'pending' ORDER BY position`);
    return rows.map(({ id, state, ...row }) =>
      state === 'failed'
        ? failedResult(id, row.failure_type ?? 'unexpected_failure', row.failure_reason ?? '')
        : successfulResult(id, row.external_id ?? '', row.external_url ?? '', row.exported_at),
    );
  }

  async verdict(tx: Tx, installationId: InstallationId, jobId: string): Promise<JobEvent | undefined> {
    const row = await tx.maybeOne<{ body: JobEvent }>(sql`
      SELECT body FROM outbox
      WHERE installation_id = ${installationId} AND export_job_id = ${jobId} AND kind = 'verdict'`);
    return row?.body;
  }

  /**
   * @param jobIds of the platform
   * @returns the verdicts of those of the jobs that had ended here by `endedBefore`, each with the job's id
   */
  async verdictsOf(
    tx: Tx,
    installationId: InstallationId,
    jobIds: readonly string[],
    endedBefore: Date,
  ): Promise<readonly { readonly jobId: string; readonly event: JobEvent }[]> {
    return tx.rows(sql`
      SELECT job.id AS "jobId", outbox.body AS event
      FROM export_job job
      JOIN outbox ON outbox.installation_id = job.installation_id AND outbox.export_job_id = job.id AND outbox.kind = 'verdict'
      WHERE job.installation_id = ${installationId} AND job.id = ANY(${jobIds}::uuid[])
        AND job.state IN ('completed', 'completed_with_errors', 'failed') AND job.finished_at < ${endedBefore}`);
  }
}
