import { Injectable } from '@nestjs/common';
import { prepared, sql, type SqlStatement } from '../../../foundation/database/sql.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import { Bug } from '../../../kernel/faults.js';
import {
  toCompanyId,
  toErpCompanyId,
  toExportJobId,
  toInstallationId,
  type CompanyId,
  type ErpCompanyId,
  type ExportJobId,
  type InstallationId,
} from '../../../kernel/ids.js';
import type { ExportJob, WaitingFor } from '../domain/export-job.js';
import type { DueJobs } from '../domain/lanes.js';
import { jobStatesBefore, type ExportJobState, type FinalState } from '../domain/state-transitions.js';
import type { FailedVerdict, Verdict } from '../domain/verdict.js';

export interface DetectedJob {
  readonly id: ExportJobId;
  readonly companyId: CompanyId;
  readonly numberOfItems: number;
  readonly vendorBasedBookkeeping: boolean;
  readonly createdOnPlatformAt: Date;
  /** By the platform's clock. */
  readonly expiresAt: Date;
}

interface JobRow {
  readonly id: string;
  readonly installation_id: string;
  readonly company_id: string;
  readonly state: ExportJobState;
  readonly number_of_items: number;
  readonly mapping_version: number | null;
  readonly erp_company_id: string | null;
  readonly expires_at: Date;
  readonly attempts: number;
}

/** Longest remaining pause of a job for which a company's other jobs wait. */
const MAX_WAIT_FOR_PAUSED_JOB_SECONDS = 10;

@Injectable()
export class ExportJobRepository {
  /** Records jobs that are open on the platform; a known one only gets its newer expiry. */
  saveDetected(tx: Tx, installationId: InstallationId, jobs: readonly DetectedJob[], at: Date): void {
    for (const job of jobs) {
      tx.defer(sql`
        INSERT INTO export_job (installation_id, id, company_id, state, number_of_items, vendor_based_bookkeeping,
          created_on_platform_at, expires_at, detected_at, next_run_at)
        VALUES (${installationId}, ${job.id}, ${job.companyId}, 'detected', ${job.numberOfItems},
          ${job.vendorBasedBookkeeping}, ${job.createdOnPlatformAt}, ${job.expiresAt}, ${at}, clock_timestamp())
        ON CONFLICT (installation_id, id) DO UPDATE SET expires_at = EXCLUDED.expires_at, version = export_job.version + 1
          WHERE export_job.state IN ('detected', 'running', 'verdict_decided') AND export_job.expires_at <> EXCLUDED.expires_at`);
    }
  }

  async find(tx: Tx, installationId: InstallationId, id: ExportJobId): Promise<ExportJob | undefined> {
    const row = await tx.maybeOne<JobRow>(
      prepared(sql`
      SELECT id, installation_id, company_id, state, number_of_items, mapping_version, erp_company_id, expires_at, attempts
      FROM export_job WHERE installation_id = ${installationId} AND id = ${id}`),
    );
    return row && toJob(row);
  }

  /** At most `limit` jobs of a company that have not ended, oldest first, whether they are due or not. */
  async findOpen(
    tx: Tx,
    installationId: InstallationId,
    companyId: CompanyId,
    limit: number,
  ): Promise<readonly ExportJob[]> {
    const rows = await tx.rows<JobRow>(sql`
      SELECT id, installation_id, company_id, state, number_of_items, mapping_version, erp_company_id, expires_at, attempts
      FROM export_job WHERE installation_id = ${installationId} AND company_id = ${companyId}
        AND state IN ('detected', 'running', 'verdict_decided')
      ORDER BY created_on_platform_at, id LIMIT ${limit}`);
    return rows.map(toJob);
  }

  /** @returns undefined when no job of the company is due */
  async findDue(tx: Tx, installationId: InstallationId, companyId: CompanyId): Promise<DueJobs | undefined> {
    const row = await tx.maybeOne<{ nearest_end: Date; max_items: number }>(
      prepared(sql`
      SELECT min(expires_at) AS nearest_end, max(number_of_items) AS max_items FROM export_job
      WHERE installation_id = ${installationId} AND company_id = ${companyId}
        AND state IN ('detected', 'running', 'verdict_decided') AND next_run_at <= clock_timestamp()
      HAVING count(*) > 0`),
    );
    return row && { nearestEnd: row.nearest_end, maxItems: row.max_items };
  }

  /**
   * The next job of a company, if it is due: those near their end first, nearest first; then the started one, then the
   * oldest (P9.3 step 1). A short pause of a job does not change the order; a job that pauses for longer is passed over, so that
   * it does not delay the others.
   * @param nearEnd jobs that end before it are near their end, by the platform's clock
   * @param reportEnd of a paused customer only jobs that end before it run: their verdict is due
   */
  async findNext(
    tx: Tx,
    installationId: InstallationId,
    companyId: CompanyId,
    nearEnd: Date,
    reportEnd: Date,
  ): Promise<ExportJob | undefined> {
    const row = await tx.maybeOne<JobRow>(
      prepared(sql`
      SELECT id, installation_id, company_id, state, number_of_items, mapping_version, erp_company_id, expires_at, attempts
      FROM export_job WHERE installation_id = ${installationId} AND next_run_at <= clock_timestamp() AND id = (
        SELECT id FROM export_job WHERE installation_id = ${installationId} AND company_id = ${companyId}
          AND state IN ('detected', 'running', 'verdict_decided')
          AND next_run_at <= clock_timestamp() + make_interval(secs => ${MAX_WAIT_FOR_PAUSED_JOB_SECONDS})
          AND (expires_at <= ${reportEnd} OR NOT EXISTS (
            SELECT 1 FROM installation WHERE id = ${installationId} AND paused_at IS NOT NULL))
        ORDER BY CASE WHEN expires_at < ${nearEnd} THEN expires_at END NULLS LAST, state = 'detected',
          created_on_platform_at, id
        LIMIT 1)`),
    );
    return row && toJob(row);
  }

  /**
   * Counted when a run begins, not when it fails, so that a job that kills its worker counts too.
   * @returns the job with this attempt
   */
  async countAttempt(tx: Tx, job: ExportJob): Promise<ExportJob> {
    const { attempts } = await tx.one<{ attempts: number }>(
      prepared(sql`
      UPDATE export_job SET attempts = attempts + 1, version = version + 1
      WHERE installation_id = ${job.installationId} AND id = ${job.id} RETURNING attempts`),
    );
    return { ...job, attempts };
  }

  /** Whether another job of the company is due, ends before `nearEnd`, and ends before this one. */
  async hasMoreUrgent(tx: Tx, job: ExportJob, nearEnd: Date): Promise<boolean> {
    const found = await tx.rows(sql`
      SELECT 1 FROM export_job mine
      JOIN export_job other ON other.installation_id = mine.installation_id AND other.company_id = mine.company_id
        AND other.id <> mine.id AND other.expires_at < mine.expires_at
      WHERE mine.installation_id = ${job.installationId} AND mine.id = ${job.id}
        AND other.state IN ('detected', 'running', 'verdict_decided')
        AND other.next_run_at <= clock_timestamp() AND other.expires_at < ${nearEnd} LIMIT 1`);
    return found.length > 0;
  }

  /** @param expiresAt as stated by the platform */
  async confirmExpiry(tx: Tx, job: ExportJob, expiresAt: Date): Promise<void> {
    await tx.execute(sql`
      UPDATE export_job SET expires_at = ${expiresAt}, version = version + 1
      WHERE installation_id = ${job.installationId} AND id = ${job.id}
        AND state IN ('detected', 'running', 'verdict_decided')`);
  }

  /** @returns false when it has one */
  async addNotice(tx: Tx, job: ExportJob, notice: string): Promise<boolean> {
    const added = await tx.execute(sql`
      UPDATE export_job SET notice = ${notice}, version = version + 1
      WHERE installation_id = ${job.installationId} AND id = ${job.id} AND notice IS NULL`);
    return added === 1;
  }

  /** When the platform last accepted something about the job, by our clock; each such action moves its end there. */
  async lastActionAt(tx: Tx, job: ExportJob): Promise<Date | undefined> {
    const row = await tx.maybeOne<{ last: Date | null }>(sql`
      SELECT max(delivered_at) AS last FROM outbox
      WHERE installation_id = ${job.installationId} AND export_job_id = ${job.id}`);
    return row?.last ?? undefined;
  }

  /** `detected` → `running`, with the pinned configuration. */
  start(
    tx: Tx,
    job: ExportJob,
    pinned: {
      readonly mappingVersion: number | undefined;
      readonly erpCompanyId: ErpCompanyId | undefined;
      readonly at: Date;
    },
  ): void {
    change(
      tx,
      job,
      'running',
      sql`
      UPDATE export_job SET state = 'running', version = version + 1, mapping_version = ${pinned.mappingVersion ?? null},
        erp_company_id = ${pinned.erpCompanyId ?? null}, started_at = ${pinned.at}
      WHERE installation_id = ${job.installationId} AND id = ${job.id}
        AND state = ANY(${jobStatesBefore('running')})`,
    );
  }

  /** Whether an item succeeded, something that was sent is or may be in the ERP, or an entry of an open item was to be replaced. */
  async mayHavePosted(tx: Tx, job: ExportJob): Promise<boolean> {
    const rows = await tx.rows(sql`
      SELECT 1 FROM export_item WHERE installation_id = ${job.installationId} AND export_job_id = ${job.id}
        AND state = 'successful'
      UNION ALL
      SELECT 1 FROM posting_intent WHERE installation_id = ${job.installationId} AND export_job_id = ${job.id}
        AND state IN ('sent', 'uncertain', 'posted')
      UNION ALL
      SELECT 1 FROM posting_intent intent JOIN export_item item USING (installation_id, accounting_entry_id)
      WHERE installation_id = ${job.installationId} AND item.export_job_id = ${job.id} AND item.state = 'pending'
        AND intent.reversal_sent_at IS NOT NULL
      LIMIT 1`);
    return rows.length > 0;
  }

  markVerdictDecided(tx: Tx, job: ExportJob, verdict: Verdict): void {
    const failed = verdict.event === 'failed' ? verdict : undefined;
    const messages = failed?.messages && JSON.stringify(failed.messages);
    change(
      tx,
      job,
      'verdict_decided',
      sql`
      UPDATE export_job SET state = 'verdict_decided', version = version + 1, failure_type = ${failed?.failureReasonType ?? null},
        failure_reason = ${failed?.failureReason ?? null}, failure_messages = ${messages ?? null}::jsonb
      WHERE installation_id = ${job.installationId} AND id = ${job.id}
        AND state = ANY(${jobStatesBefore('verdict_decided')})`,
    );
  }

  /**
   * The last statement of its transaction.
   * @param failure why it ended so, where there is no verdict
   * @returns seconds since the job was detected
   */
  async finishLast(tx: Tx, job: ExportJob, state: FinalState, at: Date, failure?: FailedVerdict): Promise<number> {
    const messages = failure?.messages && JSON.stringify(failure.messages);
    const [ended] = await tx.last<{ seconds: number }>(sql`
      UPDATE export_job SET state = ${state}, version = version + 1, finished_at = ${at},
        failure_type = coalesce(failure_type, ${failure?.failureReasonType ?? null}),
        failure_reason = coalesce(failure_reason, ${failure?.failureReason ?? null}),
        failure_messages = CASE WHEN failure_reason IS NULL THEN ${messages ?? null}::jsonb ELSE failure_messages END
      WHERE installation_id = ${job.installationId} AND id = ${job.id}
        AND state = ANY(${jobStatesBefore(state)})
      RETURNING extract(epoch FROM finished_at - detected_at)::float8 AS seconds`);
    if (ended === undefined) {
      throw new Bug(`export job ${job.id} cannot become ${state}: it is not in the state this worker read`);
    }
    return ended.seconds;
  }

  /**
   * Counts a pause of a job that cannot continue.
   * @param cause any text that identifies what fails
   * @param waitingFor whose failure it is, for people
   * @returns the pauses in a row for this cause, at least 1; progress or another cause resets the count
   */
  async countPause(
    tx: Tx,
    { installationId, id }: Pick<ExportJob, 'installationId' | 'id'>,
    cause: string,
    waitingFor: WaitingFor,
  ): Promise<number> {
    const { pauses } = await tx.one<{ pauses: number }>(sql`
      WITH now AS (
        SELECT count(*) + count(delivered_at) AS progress FROM outbox
        WHERE installation_id = ${installationId} AND export_job_id = ${id}
      )
      UPDATE export_job SET pause_cause = ${cause}, pause_progress = now.progress, waiting_for = ${waitingFor},
        version = version + 1,
        pauses = CASE WHEN pause_cause = ${cause} AND pause_progress = now.progress THEN pauses ELSE 0 END + 1
      FROM now WHERE installation_id = ${installationId} AND id = ${id} RETURNING pauses`);
    return pauses;
  }

  /** @param seconds until the next attempt */
  async postpone(tx: Tx, job: Pick<ExportJob, 'installationId' | 'id'>, seconds: number): Promise<void> {
    await tx.execute(sql`
      UPDATE export_job SET next_run_at = clock_timestamp() + make_interval(secs => ${seconds}), version = version + 1
      WHERE installation_id = ${job.installationId} AND id = ${job.id}
        AND state IN ('detected', 'running', 'verdict_decided')`);
  }
}

/** Fails the transaction when the job's state does not allow the change. */
function change(tx: Tx, job: ExportJob, state: ExportJobState, update: SqlStatement): void {
  tx.defer(sql`
    WITH changed AS (${update} RETURNING 1) SELECT require_job_change(count(*), ${job.id}, ${state}) FROM changed`);
}

function toJob(row: JobRow): ExportJob {
  return {
    id: toExportJobId(row.id),
    installationId: toInstallationId(row.installation_id),
    companyId: toCompanyId(row.company_id),
    state: row.state,
    numberOfItems: row.number_of_items,
    mappingVersion: row.mapping_version ?? undefined,
    erpCompanyId: row.erp_company_id === null ? undefined : toErpCompanyId(row.erp_company_id),
    expiresAt: row.expires_at,
    attempts: row.attempts,
  };
}
