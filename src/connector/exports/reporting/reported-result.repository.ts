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
}
