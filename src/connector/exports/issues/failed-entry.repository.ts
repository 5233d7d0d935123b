import { Injectable } from '@nestjs/common';
import { prepared, sql } from '../../../foundation/database/sql.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import type { Message } from '../../../kernel/message.js';
import { issueKey, jobIssue, type Issue } from '../../bookkeeping/item/issues.js';
import type { ExportJob } from '../domain/export-job.js';
import type { ItemFacts } from '../domain/plans/stored-item.js';
import type { ItemResult } from '../stores/export-item.repository.js';

interface NamedIssue {
  readonly key: string;
  readonly issue: Issue;
  readonly accountingEntryId: string;
  readonly failureType: string;
  readonly failureReason: string;
  readonly messages: readonly Message[] | undefined;
}

/** Which entries fail because of which issue: the content of the inbox. */
@Injectable()
export class FailedEntryRepository {
  /**
   * Applies results that were just recorded: this job clears issues that an entry no longer fails because of.
   * @param facts by accounting entry, as far as the items could be read
   */
  recordResults(
    tx: Tx,
    job: ExportJob,
    results: readonly ItemResult[],
    facts: ReadonlyMap<string, ItemFacts>,
    at: Date,
  ): void {
    const named = results.flatMap(issuesOf);
    tx.defer(
      prepared(sql`
      UPDATE failed_entry SET cleared_at = ${at}, cleared_by_job_id = ${job.id}
      WHERE installation_id = ${job.installationId} AND cleared_at IS NULL
        AND accounting_entry_id = ANY(${results.map((result) => result.accountingEntryId)}::uuid[])
        AND NOT EXISTS (SELECT FROM unnest(${named.map(({ key }) => key)}::text[],
          ${named.map((one) => one.accountingEntryId)}::uuid[]) AS still (key, id)
          WHERE still.key = issue_key AND still.id = accounting_entry_id)`),
    );
    if (named.length > 0) {
      this.recordIssues(tx, job, named, at);
      this.recordFailedEntries(tx, job, named, facts, at);
    }
  }

  private recordIssues(tx: Tx, job: ExportJob, named: readonly NamedIssue[], at: Date): void {
    const issues = [...new Map(named.map((one) => [one.key, one])).values()];
    tx.defer(sql`
      INSERT INTO issue (installation_id, issue_key, kind, reference, reference_group, name, failure_type, reason,
        reason_messages, first_seen_at, last_seen_at)
      SELECT ${job.installationId}, found.*, ${at}::timestamptz, ${at}::timestamptz FROM unnest(
        ${issues.map(({ key }) => key)}::text[], ${issues.map(({ issue }) => issue.kind)}::text[],
        ${issues.map(({ issue }) => issue.reference)}::text[], ${issues.map(({ issue }) => issue.group ?? null)}::text[],
        ${issues.map(({ issue }) => issue.name ?? null)}::text[], ${issues.map((one) => one.failureType)}::text[],
        ${issues.map((one) => one.failureReason)}::text[],
        ${issues.map(({ messages }) => (messages === undefined ? null : JSON.stringify(messages)))}::jsonb[]
      ) AS found (key, kind, reference, reference_group, name, failure_type, reason, messages)
      ORDER BY found.key
      ON CONFLICT (installation_id, issue_key) DO UPDATE SET name = COALESCE(EXCLUDED.name, issue.name),
        failure_type = EXCLUDED.failure_type, reason = EXCLUDED.reason, reason_messages = EXCLUDED.reason_messages,
        last_seen_at = EXCLUDED.last_seen_at`);
  }

  private recordFailedEntries(
    tx: Tx,
    job: ExportJob,
    named: readonly NamedIssue[],
    facts: ReadonlyMap<string, ItemFacts>,
    at: Date,
  ): void {
    const factsOf = named.map(({ accountingEntryId }) => facts.get(accountingEntryId));
    tx.defer(sql`
      INSERT INTO failed_entry (installation_id, export_job_id, issue_key, accounting_entry_id, item_type, item_date,
        supplier, currency, amount_minor, first_seen_at, last_seen_at)
      SELECT ${job.installationId}, ${job.id}, entry.*, ${at}::timestamptz, ${at}::timestamptz FROM unnest(
        ${named.map(({ key }) => key)}::text[], ${named.map((one) => one.accountingEntryId)}::uuid[],
        ${factsOf.map((fact) => fact?.itemType ?? null)}::text[], ${factsOf.map((fact) => fact?.date ?? null)}::date[],
        ${factsOf.map((fact) => fact?.supplier ?? null)}::text[], ${factsOf.map((fact) => fact?.currency ?? null)}::text[],
        ${factsOf.map((fact) => fact?.amountMinor ?? null)}::numeric[]
      ) AS entry (key, id, item_type, item_date, supplier, currency, amount_minor)
      ON CONFLICT (installation_id, issue_key, accounting_entry_id) DO UPDATE SET
        export_job_id = EXCLUDED.export_job_id, last_seen_at = EXCLUDED.last_seen_at,
        item_type = COALESCE(EXCLUDED.item_type, failed_entry.item_type),
        item_date = COALESCE(EXCLUDED.item_date, failed_entry.item_date),
        supplier = COALESCE(EXCLUDED.supplier, failed_entry.supplier),
        currency = COALESCE(EXCLUDED.currency, failed_entry.currency),
        amount_minor = COALESCE(EXCLUDED.amount_minor, failed_entry.amount_minor),
        cleared_at = NULL, cleared_by_job_id = NULL`);
  }
}

function issuesOf(result: ItemResult): readonly NamedIssue[] {
  if (result.state === 'successful') {
    return [];
  }
  const { accountingEntryId, failureType, failureReason, messages, issues = [jobIssue(failureType)] } = result;
  const byKey = new Map(issues.map((issue) => [issueKey(issue), issue]));
  return [...byKey].map(([key, issue]) => ({
    ...{ key, issue, accountingEntryId, failureType, failureReason, messages },
  }));
}
