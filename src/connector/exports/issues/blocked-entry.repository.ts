import { Injectable } from '@nestjs/common';
import { sql } from '../../../foundation/database/sql.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import { causeKey, jobCause, type Cause } from '../../bookkeeping/item/causes.js';
import type { ExportJob } from '../domain/export-job.js';
import type { ItemFacts } from '../domain/plans/kept-item.js';
import type { ItemResult } from '../stores/export-item.repository.js';

interface NamedCause {
  readonly key: string;
  readonly cause: Cause;
  readonly accountingEntryId: string;
  readonly failureType: string;
  readonly failureReason: string;
}

/** Which entries fail for which cause; the inbox is made of it. */
@Injectable()
export class BlockedEntryRepository {
  /**
   * Takes over results that were recorded just now: what an entry no longer fails for is cleared by this job.
   * @param facts by accounting entry, as far as the items could be read
   */
  async note(
    tx: Tx,
    job: ExportJob,
    results: readonly ItemResult[],
    facts: ReadonlyMap<string, ItemFacts>,
    at: Date,
  ): Promise<void> {
    const named = results.flatMap(causesOf);
    await tx.execute(sql`
      UPDATE blocked_entry SET cleared_at = ${at}, cleared_by_job_id = ${job.id}
      WHERE installation_id = ${job.installationId} AND cleared_at IS NULL
        AND accounting_entry_id = ANY(${results.map((result) => result.accountingEntryId)}::uuid[])
        AND NOT EXISTS (SELECT FROM unnest(${named.map(({ key }) => key)}::text[],
          ${named.map((one) => one.accountingEntryId)}::uuid[]) AS still (key, id)
          WHERE still.key = cause_key AND still.id = accounting_entry_id)`);
    if (named.length > 0) {
      await this.noteCauses(tx, job, named, at);
      await this.block(tx, job, named, facts, at);
    }
  }

  private async noteCauses(tx: Tx, job: ExportJob, named: readonly NamedCause[], at: Date): Promise<void> {
    const causes = [...new Map(named.map((one) => [one.key, one])).values()];
    await tx.execute(sql`
      INSERT INTO root_cause (installation_id, cause_key, kind, thing, thing_group, name, failure_type, reason,
        first_seen_at, last_seen_at)
      SELECT ${job.installationId}, cause.*, ${at}::timestamptz, ${at}::timestamptz FROM unnest(
        ${causes.map(({ key }) => key)}::text[], ${causes.map(({ cause }) => cause.kind)}::text[],
        ${causes.map(({ cause }) => cause.thing)}::text[], ${causes.map(({ cause }) => cause.group ?? null)}::text[],
        ${causes.map(({ cause }) => cause.name ?? null)}::text[], ${causes.map((one) => one.failureType)}::text[],
        ${causes.map((one) => one.failureReason)}::text[]
      ) AS cause (key, kind, thing, thing_group, name, failure_type, reason)
      ORDER BY cause.key
      ON CONFLICT (installation_id, cause_key) DO UPDATE SET name = COALESCE(EXCLUDED.name, root_cause.name),
        failure_type = EXCLUDED.failure_type, reason = EXCLUDED.reason, last_seen_at = EXCLUDED.last_seen_at`);
  }

  private async block(
    tx: Tx,
    job: ExportJob,
    named: readonly NamedCause[],
    facts: ReadonlyMap<string, ItemFacts>,
    at: Date,
  ): Promise<void> {
    const factsOf = named.map(({ accountingEntryId }) => facts.get(accountingEntryId));
    await tx.execute(sql`
      INSERT INTO blocked_entry (installation_id, export_job_id, cause_key, accounting_entry_id, item_type, currency,
        amount_minor, first_seen_at, last_seen_at)
      SELECT ${job.installationId}, ${job.id}, entry.*, ${at}::timestamptz, ${at}::timestamptz FROM unnest(
        ${named.map(({ key }) => key)}::text[], ${named.map((one) => one.accountingEntryId)}::uuid[],
        ${factsOf.map((fact) => fact?.itemType ?? null)}::text[], ${factsOf.map((fact) => fact?.currency ?? null)}::text[],
        ${factsOf.map((fact) => fact?.amountMinor?.toString() ?? null)}::numeric[]
      ) AS entry (key, id, item_type, currency, amount_minor)
      ON CONFLICT (installation_id, cause_key, accounting_entry_id) DO UPDATE SET
        export_job_id = EXCLUDED.export_job_id, last_seen_at = EXCLUDED.last_seen_at,
        item_type = COALESCE(EXCLUDED.item_type, blocked_entry.item_type),
        currency = COALESCE(EXCLUDED.currency, blocked_entry.currency),
        amount_minor = COALESCE(EXCLUDED.amount_minor, blocked_entry.amount_minor),
        cleared_at = NULL, cleared_by_job_id = NULL`);
  }
}

function causesOf(result: ItemResult): readonly NamedCause[] {
  if (result.state === 'successful') {
    return [];
  }
  const { accountingEntryId, failureType, failureReason, causes = [jobCause(failureType)] } = result;
  const byKey = new Map(causes.map((cause) => [causeKey(cause), cause]));
  return [...byKey].map(([key, cause]) => ({ key, cause, accountingEntryId, failureType, failureReason }));
}
