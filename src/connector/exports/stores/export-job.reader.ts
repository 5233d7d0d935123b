import { Injectable } from '@nestjs/common';
import type { Message } from '../../../kernel/message.js';
import { sql } from '../../../foundation/database/sql.js';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import type { ExportJobId, InstallationId } from '../../../kernel/ids.js';
import type { WaitingFor } from '../domain/export-job.js';
import type { ExportJobState } from '../domain/state-transitions.js';
import { currencySums, type CurrencySum, type WireSum } from './currency-sums.js';

/** A job as an administrator reads it. */
export interface JobView {
  readonly id: string;
  readonly companyId: string;
  readonly state: ExportJobState;
  readonly numberOfItems: number;
  readonly successful: number;
  readonly failed: number;
  readonly mappingVersion: number | null;
  readonly detectedAt: Date;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
  readonly expiresAt: Date;
  readonly failureType: string | null;
  readonly failureReason: string | null;
  /** The reason as messages; null: it was recorded in English only. */
  readonly failureMessages: readonly Message[] | null;
  readonly notice: string | null;
  /** Whose failure it waits out; null: it does not wait. */
  readonly waitingFor: WaitingFor | null;
  /** When it goes on by itself; null: it does not wait. */
  readonly nextAttemptAt: Date | null;
  /** The member who requested it here; null: it was started on the platform, which does not name the person. */
  readonly requestedBy: string | null;
  /** Of the items that have a result and a known amount, by currency. */
  readonly amounts: readonly CurrencySum[];
}

type JobRow = Omit<JobView, 'amounts'> & {
  readonly sums: readonly WireSum[] | null;
};

/** Absent properties do not narrow the list. */
export interface JobFilter {
  readonly state?: ExportJobState | undefined;
  /** When they were detected: from (included) to (excluded). */
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
  /** As in `JobView`. */
  readonly requestedBy?: string | null | undefined;
}

/** Position of the last job of a page, newest first. */
export interface JobPosition {
  readonly detectedAt: Date;
  readonly id: string;
}

const JOBS = sql`
  SELECT job.id, company_id AS "companyId", job.state, number_of_items AS "numberOfItems",
    successful_items AS successful, failed_items AS failed,
    (SELECT jsonb_agg(jsonb_build_object('currency', key, 'hundredths', value) ORDER BY key) FROM jsonb_each_text(amounts)) AS sums,
    mapping_version AS "mappingVersion", detected_at AS "detectedAt", started_at AS "startedAt",
    finished_at AS "finishedAt", expires_at AS "expiresAt", job.failure_type AS "failureType",
    job.failure_reason AS "failureReason", job.failure_messages AS "failureMessages", notice, request.requested_by AS "requestedBy",
    waiting.waiting_for AS "waitingFor", waiting.next_run_at AS "nextAttemptAt"
  FROM export_job job
  LEFT JOIN LATERAL (
    SELECT job.waiting_for, job.next_run_at WHERE job.waiting_for IS NOT NULL AND job.next_run_at > now()
      AND job.state IN ('detected', 'running', 'verdict_decided')
  ) waiting ON true
  LEFT JOIN LATERAL (
    SELECT requested_by FROM reexport
    WHERE reexport.installation_id = job.installation_id AND export_job_id = job.id ORDER BY created_at LIMIT 1
  ) request ON true`;

function toView({ sums, ...row }: JobRow): JobView {
  return { ...row, amounts: currencySums(sums) };
}

/** Jobs as people read them. */
@Injectable()
export class ExportJobReader {
  constructor(private readonly tenantDatabase: TenantDatabase) {}

  /** Newest first. */
  async jobs(
    installationId: InstallationId,
    after: JobPosition | undefined,
    limit: number,
    { state, from, to, requestedBy }: JobFilter = {},
  ): Promise<readonly JobView[]> {
    const rows = await this.tenantDatabase.readOnce('list jobs', installationId, (tx) =>
      tx.rows<JobRow>(sql`
        ${JOBS}
        WHERE job.installation_id = ${installationId}
          AND (${state ?? null}::text IS NULL OR job.state = ${state ?? null})
          AND detected_at >= ${from ?? '-infinity'}::timestamptz AND detected_at < ${to ?? 'infinity'}::timestamptz
          AND (${requestedBy === undefined} OR request.requested_by IS NOT DISTINCT FROM ${requestedBy ?? null}::text)
          AND (${after === undefined} OR (detected_at, job.id) < (${after?.detectedAt ?? null}::timestamptz, ${after?.id ?? null}::uuid))
        ORDER BY detected_at DESC, job.id DESC LIMIT ${limit}`),
    );
    return rows.map(toView);
  }

  async job(installationId: InstallationId, id: ExportJobId): Promise<JobView | undefined> {
    const row = await this.tenantDatabase.readOnce('read job', installationId, (tx) =>
      tx.maybeOne<JobRow>(sql`
        ${JOBS} WHERE job.installation_id = ${installationId} AND job.id = ${id}`),
    );
    return row && toView(row);
  }
}
