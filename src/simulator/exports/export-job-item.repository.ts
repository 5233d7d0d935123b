import { Injectable } from '@nestjs/common';
import { sql } from '../../foundation/database/sql.js';
import type { Tx } from '../../foundation/database/transaction.js';
import type { PageWindow } from '../paging/page.js';
import type { ListKey } from '../paging/sorting.js';
import type { ExportJobItem, JobItemStatus } from './export-job.js';

export interface PlacedJobItem extends ExportJobItem {
  readonly id: string;
  /** 1 for the first item of the job, without gaps. */
  readonly position: number;
}

@Injectable()
export class ExportJobItemRepository {
  async keys(tx: Tx, jobId: string, status: string | undefined): Promise<readonly ListKey[]> {
    return tx.rows<ListKey>(sql`
      SELECT accounting_entry_id AS id, position::bigint AS position FROM export_job_item
      WHERE export_job_id = ${jobId} AND (${status}::text IS NULL OR status = ${status})
      ORDER BY position`);
  }

  /**
   * Ids of a job's items in rising or falling order, from a place on.
   * @param from id the place stands at; null: the end of the list where the order begins
   * @param inclusive whether an item with that id counts
   */
  async idsFrom(
    tx: Tx,
    jobId: string,
    place: { readonly from: string | null; readonly rising: boolean; readonly inclusive: boolean },
    range: { readonly offset: number; readonly limit: number },
  ): Promise<readonly string[]> {
    const { from, rising, inclusive } = place;
    const rows = await tx.rows<{ id: string }>(
      rising
        ? sql`
          SELECT accounting_entry_id AS id FROM export_job_item
          WHERE export_job_id = ${jobId} AND (${from}::uuid IS NULL OR accounting_entry_id >= ${from})
            AND (${inclusive} OR accounting_entry_id IS DISTINCT FROM ${from}::uuid)
          ORDER BY accounting_entry_id OFFSET ${range.offset} LIMIT ${range.limit}`
        : sql`
          SELECT accounting_entry_id AS id FROM export_job_item
          WHERE export_job_id = ${jobId} AND (${from}::uuid IS NULL OR accounting_entry_id <= ${from})
            AND (${inclusive} OR accounting_entry_id IS DISTINCT FROM ${from}::uuid)
          ORDER BY accounting_entry_id DESC OFFSET ${range.offset} LIMIT ${range.limit}`,
    );
    return rows.map(({ id }) => id);
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

  /** Items of a part of the job, in order; `from` and `to` as in `PageWindow`. */
  async findWindow(tx: Tx, jobId: string, { from, to }: PageWindow): Promise<readonly PlacedJobItem[]> {
    return tx.rows<PlacedJobItem>(sql`
      SELECT accounting_entry_id AS id, position, accounting_entry_id AS "accountingEntryId",
             export_job_id AS "exportJobId", status, exported_at AS "exportedAt", external_id AS "externalId",
             external_url AS "externalUrl", failure_reason AS "failureReason",
             failure_reason_type AS "failureReasonType"
      FROM export_job_item
      WHERE export_job_id = ${jobId} AND position > ${from} AND position <= ${to}
      ORDER BY position`);
  }

  /** The first items of a job, those that need somebody before those that are done. */
  async findWorstFirst(tx: Tx, jobId: string, limit: number): Promise<readonly PlacedJobItem[]> {
    return tx.rows<PlacedJobItem>(sql`
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

  /** Gives up what nobody reported. */
  async abandonOpen(tx: Tx, jobId: string): Promise<void> {
    await tx.execute(sql`
      UPDATE export_job_item SET status = 'abandoned'
      WHERE export_job_id = ${jobId} AND status IN ('pending', 'in_progress')`);
  }
}
