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
import { byEntry } from './by-entry.js';
import { keepItems } from './kept-items.js';

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

  /** At most `limit` items without a result, in the job's order. */
  async nextPending(tx: Tx, job: ExportJob, limit: number): Promise<readonly AccountingEntryId[]> {
    const rows = await tx.rows<{ accounting_entry_id: string }>(sql`
      SELECT accounting_entry_id FROM export_item
      WHERE installation_id = ${job.installationId} AND export_job_id = ${job.id} AND state = 'pending'
      ORDER BY position LIMIT ${limit}`);
    return rows.map((row) => toAccountingEntryId(row.accounting_entry_id));
  }

  /**
   * Sets results; an item that has one keeps it.
   * @param items what the results are of, as it is kept
   * @returns those that were set, in the job's order
   */
  async record(
    tx: Tx,
    job: ExportJob,
    results: readonly ItemResult[],
    items: ReadonlyMap<string, ExportItem>,
    at: Date,
  ): Promise<readonly RecordedItem[]> {
    const keptIn = await keepItems(tx, job, items);
    const columnsOf = (result: ItemResult) => ({
      ...result,
      amount: items.get(result.accountingEntryId)?.amount.inWalletCurrency,
    });
    const rows = await tx.rows<RecordedItem>(sql`
      UPDATE export_item SET state = results.of -> accounting_entry_id::text ->> 'state',
        failure_type = results.of -> accounting_entry_id::text ->> 'failureType',
        failure_reason = results.of -> accounting_entry_id::text ->> 'failureReason',
        external_id = results.of -> accounting_entry_id::text ->> 'externalId',
        external_url = results.of -> accounting_entry_id::text ->> 'externalUrl',
        warnings = COALESCE(results.of -> accounting_entry_id::text -> 'warnings', '[]'),
        amount = results.of -> accounting_entry_id::text -> 'amount',
        kept_in = CASE WHEN results.of -> accounting_entry_id::text ? 'amount' THEN ${keptIn}::uuid END,
        exported_at = CASE results.of -> accounting_entry_id::text ->> 'state' WHEN 'successful' THEN ${at}::timestamptz END
      FROM (SELECT ${byEntry(results, columnsOf)}::jsonb AS of) AS results
      WHERE installation_id = ${job.installationId} AND export_job_id = ${job.id}
        AND accounting_entry_id = ANY(${results.map(({ accountingEntryId }) => accountingEntryId)}::uuid[])
        AND export_item.state = ANY(${OPEN_ITEM_STATES})
      RETURNING position, accounting_entry_id AS "accountingEntryId", export_item.state,
        export_item.failure_type AS "failureType", export_item.failure_reason AS "failureReason",
        export_item.external_id AS "externalId", export_item.external_url AS "externalUrl",
        exported_at AS "exportedAt"`);
    return rows.toSorted((one, other) => one.position - other.position);
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
      UPDATE export_item SET reported_at = ${at},
        report_problem = ${JSON.stringify(Object.fromEntries(problems))}::jsonb ->> accounting_entry_id::text
      WHERE installation_id = ${job.installationId} AND export_job_id = ${job.id} AND accounting_entry_id = ANY(${ids}::uuid[])`);
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
