import { Injectable } from '@nestjs/common';
import { sql } from '../../../foundation/database/sql.js';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import type { ExportJobId, InstallationId } from '../../../kernel/ids.js';
import type { ExportJobState, ExportItemState } from '../domain/state-transitions.js';

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
  readonly notice: string | null;
}

export interface ItemView {
  readonly position: number;
  readonly accountingEntryId: string;
  readonly state: ExportItemState;
  readonly externalId: string | null;
  readonly externalUrl: string | null;
  readonly exportedAt: Date | null;
  readonly failureType: string | null;
  readonly failureReason: string | null;
  readonly warnings: readonly string[];
  readonly reportedAt: Date | null;
  readonly reportProblem: string | null;
}

/** Position of the last job of a page, newest first. */
export interface JobPosition {
  readonly detectedAt: Date;
  readonly id: string;
}

const JOBS = sql`
  SELECT job.id, company_id AS "companyId", job.state, number_of_items AS "numberOfItems",
    COALESCE(item.successful, 0)::int AS successful, COALESCE(item.failed, 0)::int AS failed,
    mapping_version AS "mappingVersion", detected_at AS "detectedAt", started_at AS "startedAt",
    finished_at AS "finishedAt", expires_at AS "expiresAt", job.failure_type AS "failureType",
    job.failure_reason AS "failureReason", notice
  FROM export_job job
  LEFT JOIN LATERAL (
    SELECT count(*) FILTER (WHERE state = 'successful') AS successful, count(*) FILTER (WHERE state = 'failed') AS failed
    FROM export_item WHERE installation_id = job.installation_id AND export_job_id = job.id
  ) item ON true`;

/** Jobs and items as people read them. */
@Injectable()
export class ExportJobReader {
  constructor(private readonly tenantDatabase: TenantDatabase) {}

  /** Newest first. */
  async jobs(
    installationId: InstallationId,
    after: JobPosition | undefined,
    limit: number,
  ): Promise<readonly JobView[]> {
    return this.tenantDatabase.inInstallation('list jobs', installationId, (tx) =>
      tx.rows<JobView>(sql`
        ${JOBS}
        WHERE job.installation_id = ${installationId}
          AND (${after === undefined} OR (detected_at, job.id) < (${after?.detectedAt ?? null}::timestamptz, ${after?.id ?? null}::uuid))
        ORDER BY detected_at DESC, job.id DESC LIMIT ${limit}`),
    );
  }

  async job(installationId: InstallationId, id: ExportJobId): Promise<JobView | undefined> {
    return this.tenantDatabase.inInstallation('read job', installationId, (tx) =>
      tx.maybeOne<JobView>(sql`
        ${JOBS} WHERE job.installation_id = ${installationId} AND job.id = ${id}`),
    );
  }

  /** In the job's order, from the position after `afterPosition`; 0 for the first page. */
  async items(
    installationId: InstallationId,
    jobId: ExportJobId,
    filter: {
      readonly state: ItemView['state'] | undefined;
      readonly afterPosition: number;
      readonly limit: number;
    },
  ): Promise<readonly ItemView[]> {
    return this.tenantDatabase.inInstallation('list items', installationId, (tx) =>
      tx.rows<ItemView>(sql`
        SELECT position, accounting_entry_id AS "accountingEntryId", state, external_id AS "externalId",
          external_url AS "externalUrl", exported_at AS "exportedAt", failure_type AS "failureType",
          failure_reason AS "failureReason", warnings, reported_at AS "reportedAt", report_problem AS "reportProblem"
        FROM export_item
        WHERE installation_id = ${installationId} AND export_job_id = ${jobId} AND position > ${filter.afterPosition}
          AND (${filter.state ?? null}::text IS NULL OR state = ${filter.state ?? null})
        ORDER BY position LIMIT ${filter.limit}`),
    );
  }
}
