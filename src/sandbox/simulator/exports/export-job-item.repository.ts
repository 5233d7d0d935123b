import { Injectable } from '@nestjs/common';
import { sql, type SqlStatement } from '../../../foundation/database/sql.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import type { ExportJobItem, JobItemStatus } from './export-job.js';

export interface PositionedJobItem extends ExportJobItem {
  readonly id: string;
  /** 1 for the first item of the job, without gaps. */
  readonly position: number;
}

@Injectable()
export class ExportJobItemRepository {
  /** The list of a job's items, all or those in a state. */
  listOf(jobId: string, status: JobItemStatus | undefined): SqlStatement {
    const ofStatus = status === undefined ? sql`true` : sql`status = ${status}`;
    return sql`
      FROM (SELECT accounting_entry_id AS id, position FROM export_job_item
            WHERE export_job_id = ${jobId} AND ${ofStatus}) AS item
      WHERE true`;
  }

  /** The list of the items of all running jobs of these companies, job by job. */
  listOfRunning(companyIds: readonly string[]): SqlStatement {
    return sql`
      FROM (SELECT item.accounting_entry_id AS id, (job.position << 32) + item.position AS position
            FROM export_job job JOIN export_job_item item ON item.export_job_id = job.id
            WHERE job.company_id = ANY(${companyIds}::uuid[]) AND job.status IN ('pending', 'in_progress')) AS item
      WHERE true`;
  }

  async find(
    tx: Tx,
    jobId: string,
    entryIds: readonly string[],
  ): Promise<readonly (ExportJobItem & { readonly id: string })[]> {
    return tx.rows(sql`
      SELECT accounting_entry_id AS id, accounting_entry_id AS "accountingEntryId",
             export_job_id AS "exportJobId", status, exported_at AS "exportedAt", external_id AS "externalId",
             external_url AS "externalUrl", failure_reason AS "failureReason",
             failure_reason_type AS "failureReasonType"
      FROM export_job_item
      WHERE export_job_id = ${jobId} AND accounting_entry_id = ANY(${entryIds}::uuid[])`);
  }

  /** All items of a job, in order. */
  async findAll(tx: Tx, jobId: string): Promise<readonly ExportJobItem[]> {
    return tx.rows<ExportJobItem>(sql`
      SELECT accounting_entry_id AS "accountingEntryId", export_job_id AS "exportJobId", status,
             exported_at AS "exportedAt", external_id AS "externalId", external_url AS "externalUrl",
             failure_reason AS "failureReason", failure_reason_type AS "failureReasonType"
      FROM export_job_item WHERE export_job_id = ${jobId} ORDER BY position`);
  }

  /** The first items of a job, those that need attention before those that are done. */
  async findWorstFirst(tx: Tx, jobId: string, limit: number): Promise<readonly PositionedJobItem[]> {
    return tx.rows<PositionedJobItem>(sql`
      SELECT accounting_entry_id AS id, position, accounting_entry_id AS "accountingEntryId",
             export_job_id AS "exportJobId", status, exported_at AS "exportedAt", external_id AS "externalId",
             external_url AS "externalUrl", failure_reason AS "failureReason",
             failure_reason_type AS "failureReasonType"
      FROM export_job_item
      WHERE export_job_id = ${jobId}
      ORDER BY array_position(ARRAY['failed', 'abandoned', 'in_progress', 'pending'], status), position
      LIMIT ${limit}`);
  }

  /** How many items of a job are in each status; statuses without any are left out. */
  async countByStatus(tx: Tx, jobId: string): Promise<ReadonlyMap<JobItemStatus, number>> {
    const rows = await tx.rows<{ status: JobItemStatus; count: number }>(sql`
      SELECT status, count(*)::integer AS count FROM export_job_item
      WHERE export_job_id = ${jobId} GROUP BY status`);
    return new Map(rows.map(({ status, count }) => [status, count]));
  }

  /** Overwrites results, and keeps on the items whether their latest result was success. */
  async write(tx: Tx, jobId: string, results: readonly ExportJobItem[]): Promise<void> {
    const column = <Key extends keyof ExportJobItem>(key: Key) => results.map((result) => result[key]);
    await tx.execute(sql`
      UPDATE export_job_item i
      SET status = r.status, exported_at = r.exported_at, external_id = r.external_id,
          external_url = r.external_url, failure_reason = r.failure_reason,
          failure_reason_type = r.failure_reason_type
      FROM unnest(${column('accountingEntryId')}::uuid[], ${column('status')}::text[],
                  ${column('exportedAt')}::timestamptz[], ${column('externalId')}::text[],
                  ${column('externalUrl')}::text[], ${column('failureReason')}::text[],
                  ${column('failureReasonType')}::text[])
        AS r (entry_id, status, exported_at, external_id, external_url, failure_reason, failure_reason_type)
      WHERE i.export_job_id = ${jobId} AND i.accounting_entry_id = r.entry_id`);
    await tx.execute(sql`
      UPDATE export_item e SET exported = (r.status = 'successful')
      FROM unnest(${column('accountingEntryId')}::uuid[], ${column('status')}::text[]) AS r (entry_id, status)
      WHERE e.accounting_entry_id = r.entry_id`);
  }

  /** Abandons the items without a result. */
  async abandonOpen(tx: Tx, jobId: string): Promise<void> {
    await tx.execute(sql`
      UPDATE export_job_item SET status = 'abandoned'
      WHERE export_job_id = ${jobId} AND status IN ('pending', 'in_progress')`);
  }
}
