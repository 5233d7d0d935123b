import { Injectable } from '@nestjs/common';
import { sql } from '../../../foundation/database/sql.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import type { CurrencyCode } from '../../../kernel/currency.js';
import type { LocalDate } from '../../../kernel/local-date.js';
import type { DiscrepancyClass } from '../domain/discrepancy-class.js';
import type { ReportedDiscrepancy } from '../domain/month-end.js';
import type { MonthScope } from './missing-entry.repository.js';

interface Row {
  readonly id: string;
  readonly class: DiscrepancyClass;
  readonly subject: string;
  readonly accountingEntryId: string | null;
  readonly state: 'open' | 'accepted';
  readonly date: LocalDate;
  readonly age: number;
  readonly currency: CurrencyCode | null;
  readonly minor: string | null;
  readonly note: string | null;
  readonly evidence: unknown;
}

/** Discrepancies by posting month; of those without a posting, by the day they are about. */
@Injectable()
export class MonthDiscrepancyRepository {
  /** Open ones, then accepted ones, each the oldest first. @param month `YYYY-MM` */
  async list(
    tx: Tx,
    { installationId, erpCompanyId, isLinked, timeZone }: MonthScope,
    month: string,
    now: Date,
    limit: number,
  ): Promise<readonly ReportedDiscrepancy[]> {
    const rows = await tx.rows<Row>(sql`
      WITH dated AS (
        SELECT id, class, subject, accounting_entry_id, state, currency, amount_minor, note, evidence, first_seen_at, CASE
          -- What stands without a record occurred on its posting date, which is kept as midnight of UTC.
          WHEN export_job_id IS NULL THEN (occurred_at AT TIME ZONE 'UTC')::date::text
          ELSE coalesce((
            SELECT coalesce(imported -> 0 ->> 'postingDate', plans::json -> intent.accounting_entry_id::text -> 0 ->> 'postingDate')
            FROM posting_intent intent LEFT JOIN plan_chunk chunk ON chunk.installation_id = ${installationId}
              AND chunk.export_job_id = intent.export_job_id AND chunk.id = plan_chunk_id
            WHERE intent.installation_id = ${installationId} AND intent.erp_company_id = discrepancy.erp_company_id
              AND intent.accounting_entry_id = discrepancy.accounting_entry_id ORDER BY revision DESC LIMIT 1),
          (occurred_at AT TIME ZONE ${timeZone})::date::text) END AS date
        FROM discrepancy
        WHERE installation_id = ${installationId} AND state IN ('open', 'accepted')
          AND (erp_company_id = ${erpCompanyId} OR ${isLinked} AND erp_company_id IS NULL))
      SELECT id, class, subject, accounting_entry_id AS "accountingEntryId", state, date, currency, amount_minor::text AS minor, note, evidence,
        GREATEST(floor(extract(epoch FROM ${now}::timestamptz - first_seen_at) / 86400), 0)::int AS age
      FROM dated WHERE left(date, 7) = ${month} ORDER BY state = 'open' DESC, first_seen_at, id LIMIT ${limit}`);
    return rows.map(({ age, minor, currency, note, ...row }) => ({
      ...row,
      ageDays: age,
      currency: currency ?? undefined,
      amountMinor: minor === null ? undefined : BigInt(minor),
      note: note ?? undefined,
    }));
  }

  /** When a run that covers the month has ended last: all its days, or of a month that is not over those up to the run. */
  async reconciledAt(
    tx: Tx,
    { installationId, timeZone }: MonthScope,
    { from, to }: { readonly from: string; readonly to: string },
    now: Date,
  ): Promise<Date | undefined> {
    const begin = sql`(${from}::date::timestamp AT TIME ZONE ${timeZone})`;
    const end = sql`((${to}::date + 1)::timestamp AT TIME ZONE ${timeZone})`;
    const row = await tx.one<{ at: Date | null }>(sql`
      SELECT max(finished_at) AS at FROM reconciliation_run
      WHERE installation_id = ${installationId} AND kind = 'period' AND state = 'completed'
        AND period_from <= ${begin}
        AND period_until >= CASE WHEN ${now}::timestamptz < ${end} THEN ${begin} ELSE ${end} END`);
    return row.at ?? undefined;
  }
}
