import { Injectable } from '@nestjs/common';
import { prepared, sql } from '../../../foundation/database/sql.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import type { SortColumns } from '../paging/keyset.js';
import type { PagedList } from '../paging/read-page.js';
import { companyFilter } from '../companies/company-filter.js';
import type { ExportJob } from './export-job.js';

export interface JobEventRecord {
  readonly exportJobId: string;
  readonly event: string;
  readonly failureReason: string | null;
  readonly failureReasonType: string | null;
  readonly acceptedAt: Date;
}

/** What jobs can be sorted by. */
export const EXPORT_JOB_COLUMNS: SortColumns = {
  id: { kind: 'uuid', expression: sql`id` },
  createdAt: { kind: 'instant', expression: sql`created_at` },
  lastUpdatedAt: { kind: 'instant', expression: sql`last_updated_at` },
};

/** So that no statement of a long job comes near the longest that one may take. */
const ITEMS_PER_STATEMENT = 10_000;

@Injectable()
export class ExportJobRepository {
  /** @param contraCurrencies distinct wallet currencies of its items that show a contra account */
  async add(tx: Tx, job: ExportJob, entryIds: readonly string[], contraCurrencies: readonly string[]): Promise<void> {
    await tx.execute(sql`
      INSERT INTO export_job (id, company_id, status, is_interactive, vendor_based_bookkeeping, number_of_items,
                              created_at, created_by, last_updated_at, expires_in, contra_currencies)
      VALUES (${job.id}, ${job.companyId}, ${job.status}, ${job.isInteractive}, ${job.vendorBasedBookkeeping},
              ${job.numberOfItems}, ${job.createdAt}, ${job.createdBy}, ${job.lastUpdatedAt}, ${job.expiresIn},
              ${contraCurrencies}::text[])`);
    for (let from = 0; from < entryIds.length; from += ITEMS_PER_STATEMENT) {
      await tx.execute(sql`
        INSERT INTO export_job_item (export_job_id, accounting_entry_id, position, status)
        SELECT ${job.id}, entry.id, ${from}::integer + entry.position, 'pending'
        FROM unnest(${entryIds.slice(from, from + ITEMS_PER_STATEMENT)}::uuid[])
          WITH ORDINALITY AS entry (id, position)`);
    }
  }

  /** The list of the companies' jobs, all or those in some states. */
  listOf(companyIds: readonly string[], statuses: readonly string[]): PagedList<ExportJob> {
    const list = sql`
      FROM export_job
      WHERE ${companyFilter(companyIds)}
        AND (cardinality(${statuses}::text[]) = 0 OR status = ANY(${statuses}::text[]))`;
    return { list, columns: EXPORT_JOB_COLUMNS, rows: (tx, ids) => this.findByIds(tx, ids) };
  }

  async findByIds(tx: Tx, ids: readonly string[]): Promise<readonly ExportJob[]> {
    return tx.rows<ExportJob>(
      prepared(sql`
      SELECT id, company_id AS "companyId", status, is_interactive AS "isInteractive",
             vendor_based_bookkeeping AS "vendorBasedBookkeeping", number_of_items AS "numberOfItems",
             created_at AS "createdAt", created_by AS "createdBy", started_at AS "startedAt",
             completed_at AS "completedAt", expired_at AS "expiredAt", last_updated_at AS "lastUpdatedAt",
             expires_in AS "expiresIn", failure_reason AS "failureReason",
             failure_reason_type AS "failureReasonType"
      FROM export_job WHERE id = ANY(${ids}::uuid[])`),
    );
  }

  /** Newest first. */
  async findNewest(tx: Tx, companyId: string, limit: number): Promise<readonly ExportJob[]> {
    const rows = await tx.rows<{ id: string }>(sql`
      SELECT id FROM export_job WHERE company_id = ${companyId} ORDER BY position DESC LIMIT ${limit}`);
    const order = rows.map(({ id }) => id);
    return (await this.findByIds(tx, order)).toSorted((a, b) => order.indexOf(a.id) - order.indexOf(b.id));
  }

  /** Locks the job's row until the transaction ends, so that two updates follow each other. */
  async lock(tx: Tx, id: string): Promise<void> {
    await tx.execute(prepared(sql`SELECT FROM export_job WHERE id = ${id} FOR UPDATE`));
  }

  async contraCurrencies(tx: Tx, id: string): Promise<readonly string[]> {
    const row = await tx.one<{ currencies: readonly string[] }>(
      sql`SELECT contra_currencies AS currencies FROM export_job WHERE id = ${id}`,
    );
    return row.currencies;
  }

  async runningIds(tx: Tx, companyIds: readonly string[]): Promise<readonly string[]> {
    const rows = await tx.rows<{ id: string }>(sql`
      SELECT id FROM export_job
      WHERE company_id = ANY(${companyIds}::uuid[]) AND status IN ('pending', 'in_progress')
      ORDER BY position`);
    return rows.map(({ id }) => id);
  }

  async change(tx: Tx, job: ExportJob): Promise<void> {
    await tx.execute(sql`
      UPDATE export_job
      SET status = ${job.status}, started_at = ${job.startedAt}, completed_at = ${job.completedAt},
          expired_at = ${job.expiredAt}, last_updated_at = ${job.lastUpdatedAt},
          failure_reason = ${job.failureReason}, failure_reason_type = ${job.failureReasonType}
      WHERE id = ${job.id}`);
  }

  /**
   * Fails every running job without an update for its lifetime, and abandons its open items.
   * @returns ids of the jobs that expired now
   */
  async expireDue(tx: Tx, now: Date): Promise<readonly string[]> {
    const rows = await tx.rows<{ id: string }>(
      prepared(sql`
      WITH expired AS (
        UPDATE export_job
        SET status = 'failed', expired_at = ${now}, failure_reason_type = 'job_expired',
            failure_reason = 'The job was not updated in time.'
        WHERE status IN ('pending', 'in_progress')
          AND last_updated_at + make_interval(secs => expires_in) < ${now}
        RETURNING id),
      abandoned AS (
        UPDATE export_job_item i SET status = 'abandoned' FROM expired
        WHERE i.export_job_id = expired.id AND i.status IN ('pending', 'in_progress')),
      recorded AS (
        INSERT INTO export_job_event (export_job_id, event, failure_reason_type, accepted_at)
        SELECT id, 'expired', 'job_expired', ${now} FROM expired)
      SELECT id FROM expired`),
    );
    return rows.map(({ id }) => id);
  }

  async addEvent(tx: Tx, event: JobEventRecord): Promise<void> {
    await tx.execute(sql`
      INSERT INTO export_job_event (export_job_id, event, failure_reason, failure_reason_type, accepted_at)
      VALUES (${event.exportJobId}, ${event.event}, ${event.failureReason}, ${event.failureReasonType},
              ${event.acceptedAt})`);
  }

  /** In the order of acceptance. */
  async readEvents(tx: Tx, jobId: string | undefined, limit: number): Promise<readonly JobEventRecord[]> {
    return tx.rows<JobEventRecord>(sql`
      SELECT export_job_id AS "exportJobId", event, failure_reason AS "failureReason",
             failure_reason_type AS "failureReasonType", accepted_at AS "acceptedAt"
      FROM (SELECT * FROM export_job_event
            WHERE ${jobId}::uuid IS NULL OR export_job_id = ${jobId}
            ORDER BY id DESC LIMIT ${limit}) AS newest
      ORDER BY id`);
  }
}
