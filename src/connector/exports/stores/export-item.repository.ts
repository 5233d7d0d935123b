import { Injectable } from '@nestjs/common';
import { prepared, sql, type SqlStatement } from '../../../foundation/database/sql.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import { toAccountingEntryId, type AccountingEntryId } from '../../../kernel/ids.js';
import type { Message } from '../../../kernel/message.js';
import type { Issue } from '../../bookkeeping/item/issues.js';
import type { ExportItem } from '../../bookkeeping/item/export-item.js';
import type { PlatformJobItem } from '../../platform/platform.schema.js';
import type { ExportJob } from '../domain/export-job.js';
import { OPEN_ITEM_STATES } from '../domain/state-transitions.js';
import type { EndedItem } from '../domain/search/search-lines.js';
import type { ItemTotals } from '../domain/verdict.js';
import { storeItems } from './stored-contents.js';

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
      readonly messages?: readonly Message[] | undefined;
      /** What has to be resolved; absent: the failure type is the issue. */
      readonly issues?: readonly Issue[] | undefined;
      /** Its issues stay as a person left them. */
      readonly isBookedByHand?: boolean | undefined;
    };

/** A result that was just recorded and has to be reported. */
export type RecordedResult = ItemResult & {
  readonly at: Date;
  /** Number of the outbox message that reports it. */
  readonly reportedIn: number;
};

@Injectable()
export class ExportItemRepository {
  /**
   * Adds items of a job; known ones stay as they are. A result that the platform already has, from a run whose record was lost,
   * becomes the item's result and counts for the verdict.
   */
  async addListed(tx: Tx, job: ExportJob, items: readonly PlatformJobItem[]): Promise<void> {
    const finished = (status: string) => items.map((item) => (item.status === status ? item : undefined));
    const [successful, failed] = [finished('successful'), finished('failed')];
    await tx.execute(sql`
      INSERT INTO export_item (installation_id, export_job_id, accounting_entry_id, position, state, external_id, external_url,
        failure_type, failure_reason, known_at)
      SELECT ${job.installationId}, ${job.id}, item.id, ${lastPosition(job)} + item.ordinal,
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

  /** Adds items without a result; known ones stay as they are. */
  async addPending(tx: Tx, job: ExportJob, ids: readonly string[]): Promise<void> {
    await tx.execute(sql`
      INSERT INTO export_item (installation_id, export_job_id, accounting_entry_id, position, state)
      SELECT ${job.installationId}, ${job.id}, item.id, ${lastPosition(job)} + item.ordinal, 'pending'
      FROM unnest(${ids}::uuid[]) WITH ORDINALITY AS item (id, ordinal) ON CONFLICT DO NOTHING`);
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

  /** @returns how many items of a job are known, and how many of them have no result */
  async count(tx: Tx, job: ExportJob): Promise<{ readonly known: number; readonly pending: number }> {
    return tx.one(
      prepared(sql`
      SELECT count(*)::int AS known, count(*) FILTER (WHERE state = 'pending')::int AS pending FROM export_item
      WHERE installation_id = ${job.installationId} AND export_job_id = ${job.id}`),
    );
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
   * Sets results; an item that has one keeps it, and an unknown item is added with its result.
   * @param items the items as they are stored
   * @param messageOf which of the next outbox messages reports a result, from 0, by its index in `results`
   * @returns the results that were set
   */
  async record(
    tx: Tx,
    job: ExportJob,
    results: readonly ItemResult[],
    items: ReadonlyMap<string, ExportItem>,
    messageOf: (index: number) => number,
    at: Date,
  ): Promise<readonly RecordedResult[]> {
    const ended = results.flatMap((result) => {
      const item = items.get(result.accountingEntryId);
      const externalId = result.state === 'successful' ? result.externalId : undefined;
      return item === undefined ? [] : [[result.accountingEntryId, { item, state: result.state, externalId }] as const];
    });
    const storedIn = storeItems(tx, job, new Map<string, EndedItem>(ended));
    const rows = results.map((result, index) => ({
      ...result,
      ordinal: index + 1,
      reportedIn: messageOf(index),
      amount: items.get(result.accountingEntryId)?.amount.inWalletCurrency,
      storedIn: storedIn.get(result.accountingEntryId),
    }));
    const written = await tx.rows<{ id: string; seq: number }>(
      prepared(sql`
      INSERT INTO export_item (installation_id, export_job_id, accounting_entry_id, position, state, failure_type, failure_reason,
        failure_messages, external_id, external_url, warnings, amount, reported_in, item_chunk_id, exported_at)
      SELECT ${job.installationId}, ${job.id}, result."accountingEntryId", ${lastPosition(job)} + result.ordinal, result.state,
        result."failureType", result."failureReason", result.messages, result."externalId", result."externalUrl",
        COALESCE(result.warnings, '[]'), result.amount, next.seq + result."reportedIn", result."storedIn",
        CASE result.state WHEN 'successful' THEN ${at}::timestamptz END
      FROM json_to_recordset(${JSON.stringify(rows)}::json) AS result ("accountingEntryId" uuid, ordinal integer, state text,
        "failureType" text, "failureReason" text, messages jsonb, "externalId" text, "externalUrl" text, warnings jsonb, amount jsonb,
        "reportedIn" integer, "storedIn" uuid),
        (SELECT COALESCE(max(seq), 0) + 1 AS seq FROM outbox
          WHERE installation_id = ${job.installationId} AND export_job_id = ${job.id}) AS next
      ON CONFLICT (installation_id, accounting_entry_id, export_job_id) DO UPDATE SET state = EXCLUDED.state,
        failure_type = EXCLUDED.failure_type, failure_reason = EXCLUDED.failure_reason,
        failure_messages = EXCLUDED.failure_messages, external_id = EXCLUDED.external_id,
        external_url = EXCLUDED.external_url, warnings = EXCLUDED.warnings, amount = EXCLUDED.amount,
        reported_in = EXCLUDED.reported_in, item_chunk_id = EXCLUDED.item_chunk_id, exported_at = EXCLUDED.exported_at
        WHERE export_item.state = ANY(${OPEN_ITEM_STATES})
      RETURNING accounting_entry_id AS id, reported_in AS seq`),
    );
    const messages = new Map(written.map(({ id, seq }) => [id, seq]));
    return results.flatMap((result) => {
      const reportedIn = messages.get(result.accountingEntryId);
      return reportedIn === undefined ? [] : [{ ...result, at, reportedIn }];
    });
  }

  /** @param problems why the platform will never accept a result, by accounting entry */
  async markRefused(tx: Tx, job: ExportJob, problems: ReadonlyMap<string, string>): Promise<void> {
    await tx.execute(sql`
      UPDATE export_item SET report_problem = ${JSON.stringify(Object.fromEntries(problems))}::jsonb ->> accounting_entry_id::text
      WHERE installation_id = ${job.installationId} AND export_job_id = ${job.id}
        AND accounting_entry_id = ANY(${[...problems.keys()]}::uuid[])`);
  }

  /** How many items have which result, and the most frequent type of failure with one of its reasons. */
  async totals(tx: Tx, job: ExportJob): Promise<ItemTotals> {
    const row = await tx.one<{
      successful: bigint;
      failed: bigint;
      main_type: string | null;
      main_reason: string | null;
      main_messages: readonly Message[] | null;
    }>(sql`
      WITH item AS (
        SELECT state, failure_type, failure_reason FROM export_item
        WHERE installation_id = ${job.installationId} AND export_job_id = ${job.id}
      ), main AS (
        SELECT failure_type, min(failure_reason) AS failure_reason FROM item WHERE state = 'failed'
        GROUP BY failure_type ORDER BY count(*) DESC, failure_type LIMIT 1
      )
      SELECT count(*) FILTER (WHERE state = 'successful') AS successful, count(*) FILTER (WHERE state = 'failed') AS failed,
        (SELECT failure_type FROM main) AS main_type, (SELECT failure_reason FROM main) AS main_reason,
        (SELECT failure_messages FROM export_item JOIN main USING (failure_type, failure_reason)
          WHERE installation_id = ${job.installationId} AND export_job_id = ${job.id} LIMIT 1) AS main_messages
      FROM item`);
    return {
      successful: Number(row.successful),
      failed: Number(row.failed),
      mainFailure:
        row.main_type === null
          ? undefined
          : { type: row.main_type, reason: row.main_reason ?? '', messages: row.main_messages },
    };
  }
}

/** No other worker adds items meanwhile: the caller holds the lease. */
function lastPosition({ installationId, id }: ExportJob): SqlStatement {
  return sql`(SELECT COALESCE(max(position), 0) FROM export_item WHERE installation_id = ${installationId} AND export_job_id = ${id})`;
}
