import { Injectable } from '@nestjs/common';
import { prepared, sql, type SqlStatement } from '../../../foundation/database/sql.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import {
  toCompanyId,
  toInstallationId,
  type CompanyId,
  type ExportJobId,
  type InstallationId,
} from '../../../kernel/ids.js';
import type { Message } from '../../../kernel/message.js';
import type { ExportJob } from '../domain/export-job.js';
import type { ExportJobState } from '../domain/state-transitions.js';

/** The previewed plan that a job is restricted to, with its mapping version. */
export interface PinnedPlan {
  readonly mappingVersion: number;
  /** Digest of the planned entries, by accounting entry. */
  readonly expected: Readonly<Record<string, string>>;
}

export interface ReexportRequest {
  readonly entryIds: readonly string[];
  readonly requestedBy: string;
  /** An earlier job of these entries, whose vendor-based bookkeeping the new one adopts. */
  readonly likeJobId?: string | undefined;
  /** The issue that it resolves. */
  readonly issueKey?: string;
  /** The preview that it commits. */
  readonly preview?: PinnedPlan & { readonly id: string };
  /** A job that exists on the platform and has not started. */
  readonly exportJobId?: ExportJobId | undefined;
}

export interface DueReexport {
  readonly id: string;
  readonly companyId: CompanyId;
  readonly entryIds: readonly string[];
  readonly vendorBasedBookkeeping: boolean;
  /** Of the first request whose response was lost, and which may have created a job; by the platform's clock. */
  readonly requestedAt: Date | undefined;
}

/** The state of a re-export and the result of its job. */
export interface ReexportView {
  readonly id: string;
  readonly state: 'waiting' | 'requested' | 'refused' | ExportJobState;
  readonly entries: number;
  readonly exportJobId: string | null;
  readonly successful: number;
  readonly failed: number;
  /** Why it waits or was refused, else why its job failed; as text, or as a stored message. */
  readonly problem: string | null;
  /** Of a failed job, the same as messages. */
  readonly problemMessages: readonly Message[] | null;
  readonly requestedBy: string;
  readonly createdAt: Date;
}

/** A job created this long before the request, by the platform's clock, is not its result. */
const CLOCK_MARGIN_SECONDS = 60;
/** One after the other they are compared with a job. */
const MAX_UNCONFIRMED = 10;

@Injectable()
export class ReexportRepository {
  async add(
    tx: Tx,
    installationId: InstallationId,
    id: string,
    request: ReexportRequest,
    at: Date,
  ): Promise<ReexportView> {
    const { exportJobId, preview } = request;
    await tx.execute(sql`
      INSERT INTO reexport (installation_id, id, company_id, issue_key, preview_id, mapping_version, expected, entry_ids,
        vendor_based_bookkeeping, state, export_job_id, requested_by, created_at, next_try_at)
      SELECT id, ${id}::uuid, platform_company_id, ${request.issueKey ?? null}, ${preview?.id ?? null}::uuid,
        ${preview?.mappingVersion ?? null}::int,
        ${preview === undefined ? null : JSON.stringify(preview.expected)}::jsonb, ${request.entryIds}::uuid[],
        COALESCE((SELECT vendor_based_bookkeeping FROM export_job
          WHERE installation_id = ${installationId} AND id = ${request.likeJobId ?? null}), false),
        ${exportJobId === undefined ? 'waiting' : 'created'}, ${exportJobId ?? null}::uuid,
        ${request.requestedBy}, ${at}::timestamptz, clock_timestamp()
      FROM installation WHERE id = ${installationId}`);
    return tx.one(reexportView(installationId, { id }));
  }

  /** The newest one of an issue, whose row is locked until the transaction ends. */
  async lockNewest(tx: Tx, installationId: InstallationId, issueKey: string): Promise<ReexportView | undefined> {
    await tx.execute(sql`
      SELECT FROM issue WHERE installation_id = ${installationId} AND issue_key = ${issueKey} FOR NO KEY UPDATE`);
    return tx.maybeOne(reexportView(installationId, { issueKey }));
  }

  /** Over all tenants: those that are due, at most `limit`. */
  async findDue(
    tx: Tx,
    limit: number,
  ): Promise<readonly { readonly installationId: InstallationId; readonly id: string }[]> {
    const rows = await tx.rows<{ installation_id: string; id: string }>(sql`
      SELECT installation_id, id FROM reexport WHERE state IN ('waiting', 'requested') AND next_try_at <= clock_timestamp()
        AND NOT EXISTS (SELECT 1 FROM installation WHERE installation.id = installation_id AND paused_at IS NOT NULL)
      ORDER BY next_try_at LIMIT ${limit}`);
    return rows.map((row) => ({ installationId: toInstallationId(row.installation_id), id: row.id }));
  }

  /** A re-export that still needs a job. */
  async findOpen(tx: Tx, installationId: InstallationId, id: string): Promise<DueReexport | undefined> {
    const row = await tx.maybeOne<{
      id: string;
      company_id: string;
      entry_ids: readonly string[];
      vendor_based: boolean;
      requested_at: Date | null;
    }>(sql`
      SELECT id, company_id, entry_ids::text[] AS entry_ids, vendor_based_bookkeeping AS vendor_based, requested_at FROM reexport
      WHERE installation_id = ${installationId} AND id = ${id} AND state IN ('waiting', 'requested')`);
    return (
      row && {
        id: row.id,
        companyId: toCompanyId(row.company_id),
        entryIds: row.entry_ids,
        vendorBasedBookkeeping: row.vendor_based,
        requestedAt: row.requested_at ?? undefined,
      }
    );
  }

  /** @param requestedAt of a request that may have created a job, by the platform's clock; undefined: the platform has certainly made none */
  async postpone(
    tx: Tx,
    installationId: InstallationId,
    id: string,
    next: { readonly requestedAt: Date | undefined; readonly seconds: number; readonly problem?: string },
  ): Promise<void> {
    const { requestedAt, seconds, problem } = next;
    await tx.execute(sql`
      UPDATE reexport SET state = ${requestedAt === undefined ? 'waiting' : 'requested'}, requested_at = ${requestedAt ?? null},
        problem = ${problem ?? null}, next_try_at = clock_timestamp() + make_interval(secs => ${seconds})
      WHERE installation_id = ${installationId} AND id = ${id} AND state IN ('waiting', 'requested')`);
  }

  async markRefused(tx: Tx, installationId: InstallationId, id: string, problem: string): Promise<void> {
    await tx.execute(sql`
      UPDATE reexport SET state = 'refused', problem = ${problem}
      WHERE installation_id = ${installationId} AND id = ${id} AND state IN ('waiting', 'requested')`);
  }

  /** The platform has made this job for it. */
  async linkJob(tx: Tx, installationId: InstallationId, id: string, jobId: ExportJobId): Promise<void> {
    await tx.execute(sql`
      UPDATE reexport SET state = 'created', export_job_id = ${jobId}, problem = NULL
      WHERE installation_id = ${installationId} AND id = ${id} AND state IN ('waiting', 'requested')`);
  }

  async findPinnedPlan(tx: Tx, job: ExportJob): Promise<PinnedPlan | undefined> {
    const row = await tx.maybeOne<{ mapping_version: number; expected: PinnedPlan['expected'] }>(
      prepared(sql`
      SELECT mapping_version, expected FROM reexport
      WHERE installation_id = ${job.installationId} AND export_job_id = ${job.id} AND mapping_version IS NOT NULL
      ORDER BY created_at DESC LIMIT 1`),
    );
    return row && { mappingVersion: row.mapping_version, expected: row.expected };
  }

  /** Re-exports whose request had no response, each of which may have created this job; at most ten, newest first. */
  async findUnconfirmed(
    tx: Tx,
    job: ExportJob,
  ): Promise<readonly { readonly id: string; readonly entryIds: readonly string[] }[]> {
    return tx.rows(
      prepared(sql`
      SELECT reexport.id, entry_ids::text[] AS "entryIds" FROM reexport JOIN export_job job USING (installation_id, company_id)
      WHERE installation_id = ${job.installationId} AND job.id = ${job.id} AND reexport.state = 'requested'
        AND cardinality(entry_ids) = job.number_of_items
        AND job.created_on_platform_at >= requested_at - make_interval(secs => ${CLOCK_MARGIN_SECONDS})
      ORDER BY requested_at DESC LIMIT ${MAX_UNCONFIRMED}`),
    );
  }
}

/** Rows of `ReexportView`: of an id, or the newest one of an issue. */
export function reexportView(
  installationId: InstallationId,
  which: { readonly id?: string; readonly issueKey?: string },
): SqlStatement {
  return sql`
    SELECT reexport.id, COALESCE(job.state, reexport.state) AS state, cardinality(entry_ids) AS entries,
      export_job_id AS "exportJobId", COALESCE(item.successful, 0)::int AS successful,
      COALESCE(item.failed, 0)::int AS failed, COALESCE(reexport.problem, job.failure_reason) AS problem,
      CASE WHEN reexport.problem IS NULL THEN job.failure_messages END AS "problemMessages",
      requested_by AS "requestedBy", reexport.created_at AS "createdAt"
    FROM reexport
    LEFT JOIN export_job job ON job.installation_id = reexport.installation_id AND job.id = reexport.export_job_id
    LEFT JOIN LATERAL (
      SELECT count(*) FILTER (WHERE state = 'successful') AS successful, count(*) FILTER (WHERE state = 'failed') AS failed
      FROM export_item WHERE installation_id = job.installation_id AND export_job_id = job.id
    ) item ON true
    WHERE reexport.installation_id = ${installationId}
      AND (${which.id ?? null}::uuid IS NULL OR reexport.id = ${which.id ?? null})
      AND (${which.issueKey ?? null}::text IS NULL OR reexport.issue_key = ${which.issueKey ?? null})
    ORDER BY reexport.created_at DESC, reexport.id LIMIT 1`;
}
