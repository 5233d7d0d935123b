import { Injectable } from '@nestjs/common';
import { sql } from '../../../foundation/database/sql.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import { toAccountingEntryId, type AccountingEntryId } from '../../../kernel/ids.js';
import type { Issue } from '../../bookkeeping/item/issues.js';
import type { ExportItem } from '../../bookkeeping/item/export-item.js';
import type { PlatformJobItem } from '../../platform/platform.schema.js';
import type { ExportJob } from '../domain/export-job.js';
import { OPEN_ITEM_STATES } from '../domain/state-transitions.js';
import type { ItemTotals } from '../domain/verdict.js';

/** How an item ended, as the platform and the bookkeeper read it. */
export type ItemResult =
  | {
      readonly accountingEntryId: AccountingEntryId;
      readonly state: 'successful';
      readonly externalId: string;
      readonly externalUrl: string;
      readonly warnings: readonly string[];
    }
  | {
      readonly accountingEntryId: AccountingEntryId;
      readonly state: 'failed';
      readonly failureType: string;
      readonly failureReason: string;
      /** What has to be resolved; absent: the failure type is the issue. */
      readonly issues?: readonly Issue[] | undefined;
    };

/** A result that was recorded just now and has to be reported. */
export interface RecordedItem {
  readonly position: number;
  readonly accountingEntryId: string;
  readonly state: 'successful' | 'failed';
  readonly failureType: string | null;
  readonly failureReason: string | null;
  readonly externalId: string | null;
  readonly externalUrl: string | null;
  readonly exportedAt: Date | null;
}

@Injectable()
export class ExportItemRepository {
  /**
   * Records the items of a job; known ones stay as they are. A result that the platform already has (from a run whose
   * record was lost) is taken as the item's result and counts for the verdict.
   */
  async addListed(tx: Tx, job: ExportJob, items: readonly PlatformJobItem[], firstPosition: number): Promise<void> {
    const finished = (status: string) => items.map((item) => (item.status === status ? item : undefined));
    const [successful, failed] = [finished('successful'), finished('failed')];
    await tx.execute(sql`
      INSERT INTO export_item (installation_id, export_job_id, accounting_entry_id, position, state, external_id, external_url,
        failure_type, failure_reason, reported_at)
      SELECT ${job.installationId}, ${job.id}, item.id, ${firstPosition}::int + item.ordinal - 1,
        CASE WHEN item.external_id IS NOT NULL THEN 'successful' WHEN item.failure_type IS NOT NULL THEN 'failed' ELSE 'pending' END,
        item.external_id, item.external_url, item.failure_type, item.failure_reason,
        CASE WHEN item.external_id IS NOT NULL OR item.failure_type IS NOT NULL THEN clock_timestamp() END
      FROM unnest(
        ${items.map((item) => item.accountingEntryId)}::uuid[],
        ${successful.map((item) => item && (item.externalId ?? ''))}::text[], ${successful.map((item) => item?.externalUrl)}::text[],
        ${failed.map((item) => item && (item.failureReasonType ?? 'unexpected_failure'))}::text[],
        ${failed.map((item) => item && (item.failureReason ?? ''))}::text[]
      ) WITH ORDINALITY AS item (id, external_id, external_url, failure_type, failure_reason, ordinal)
      ON CONFLICT DO NOTHING`);
  }

  /** @returns how many of the given items are known, and those of them that have no result yet */
  async findListed(
    tx: Tx,
    job: ExportJob,
    ids: readonly string[],
  ): Promise<{ readonly count: number; readonly pending: ReadonlySet<string> }> {
    const rows = await tx.rows<{ id: string; pending: boolean }>(sql`
      SELECT accounting_entry_id AS id, state = 'pending' AS pending FROM export_item
      WHERE installation_id = ${job.installationId} AND export_job_id = ${job.id}
        AND accounting_entry_id = ANY(${ids}::uuid[])`);
    return {
      count: rows.length,
      pending: new Set(rows.filter(({ pending }) => pending).map(({ id }) => id)),
    };
  }

  async count(tx: Tx, job: ExportJob): Promise<number> {
    const row = await tx.one<{ count: number }>(sql`
      SELECT count(*)::int AS count FROM export_item
      WHERE installation_id = ${job.installationId} AND export_job_id = ${job.id}`);
    return row.count;
  }

  async hasPending(tx: Tx, job: ExportJob): Promise<boolean> {
    return (await this.nextPending(tx, job, 1)).length > 0;
  }

  /** At most `limit` items without a result, in the job's order. None of them is reported, which is what is indexed. */
  async nextPending(tx: Tx, job: ExportJob, limit: number): Promise<readonly AccountingEntryId[]> {
    const rows = await tx.rows<{ accounting_entry_id: string }>(sql`
      SELECT accounting_entry_id FROM export_item
      WHERE installation_id = ${job.installationId} AND export_job_id = ${job.id} AND state = 'pending'
        AND reported_at IS NULL
      ORDER BY position LIMIT ${limit}`);
    return rows.map((row) => toAccountingEntryId(row.accounting_entry_id));
  }

  /**
   * Sets results; an item that has one keeps it.
   * @returns those that were set, in the job's order
   */
  async record(tx: Tx, job: ExportJob, results: readonly ItemResult[], at: Date): Promise<readonly RecordedItem[]> {
    const column = <T>(read: (result: ItemResult) => T): T[] => results.map(read);
    const ofSuccess = (read: (result: ItemResult & { state: 'successful' }) => string) =>
      column((result) => (result.state === 'successful' ? read(result) : null));
    const ofFailure = (read: (result: ItemResult & { state: 'failed' }) => string) =>
      column((result) => (result.state === 'failed' ? read(result) : null));
    const rows = await tx.rows<RecordedItem>(sql`
      UPDATE export_item SET state = result.state, failure_type = result.failure_type, failure_reason = result.failure_reason,
        external_id = result.external_id, external_url = result.external_url,
        warnings = COALESCE(result.warnings::jsonb, '[]'), exported_at = CASE result.state WHEN 'successful' THEN ${at}::timestamptz END
      FROM unnest(
        ${column((result) => result.accountingEntryId)}::uuid[], ${column((result) => result.state)}::text[],
        ${ofFailure((result) => result.failureType)}::text[], ${ofFailure((result) => result.failureReason)}::text[],
        ${ofSuccess((result) => result.externalId)}::text[], ${ofSuccess((result) => result.externalUrl)}::text[],
        ${ofSuccess((result) => JSON.stringify(result.warnings))}::text[]
      ) AS result (id, state, failure_type, failure_reason, external_id, external_url, warnings)
      WHERE installation_id = ${job.installationId} AND export_job_id = ${job.id}
        AND accounting_entry_id = result.id AND export_item.state = ANY(${OPEN_ITEM_STATES})
      RETURNING position, accounting_entry_id AS "accountingEntryId", export_item.state,
        export_item.failure_type AS "failureType", export_item.failure_reason AS "failureReason",
        export_item.external_id AS "externalId", export_item.external_url AS "externalUrl",
        exported_at AS "exportedAt"`);
    return rows.toSorted((one, other) => one.position - other.position);
  }

  /** Stores the items of a job as they were planned. */
  async storeItems(tx: Tx, job: ExportJob, items: readonly ExportItem[]): Promise<void> {
    await tx.execute(sql`
      UPDATE export_item SET item = planned.item::jsonb
      FROM unnest(${items.map((item) => item.accountingEntryId)}::uuid[], ${items.map((item) => JSON.stringify(item))}::text[])
        AS planned (id, item)
      WHERE installation_id = ${job.installationId} AND export_job_id = ${job.id} AND accounting_entry_id = planned.id`);
  }

  /** @param problems why the platform did not accept items, by accounting entry */
  async markReported(
    tx: Tx,
    job: ExportJob,
    ids: readonly string[],
    problems: ReadonlyMap<string, string>,
    at: Date,
  ): Promise<void> {
    await tx.execute(sql`
      UPDATE export_item SET reported_at = ${at}, report_problem = report.problem
      FROM unnest(${ids}::uuid[], ${ids.map((id) => problems.get(id) ?? null)}::text[]) AS report (id, problem)
      WHERE installation_id = ${job.installationId} AND export_job_id = ${job.id} AND accounting_entry_id = report.id`);
  }

  async totals(tx: Tx, job: ExportJob): Promise<ItemTotals> {
    const row = await tx.one<{
      successful: bigint;
      failed: bigint;
      main_type: string | null;
      main_reason: string | null;
    }>(sql`
      WITH item AS (
        SELECT state, failure_type, failure_reason FROM export_item
        WHERE installation_id = ${job.installationId} AND export_job_id = ${job.id}
      ), main AS (
        SELECT failure_type, min(failure_reason) AS failure_reason FROM item WHERE state = 'failed'
        GROUP BY failure_type ORDER BY count(*) DESC, failure_type LIMIT 1
      )
      SELECT count(*) FILTER (WHERE state = 'successful') AS successful, count(*) FILTER (WHERE state = 'failed') AS failed,
        (SELECT failure_type FROM main) AS main_type, (SELECT failure_reason FROM main) AS main_reason
      FROM item`);
    return {
      successful: Number(row.successful),
      failed: Number(row.failed),
      mainFailure: row.main_type === null ? undefined : { type: row.main_type, reason: row.main_reason ?? '' },
    };
  }
}
