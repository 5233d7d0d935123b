import { Injectable } from '@nestjs/common';
import { sql } from '../../../foundation/database/sql.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import type { CurrencyCode } from '../../../kernel/currency.js';
import type { InstallationId } from '../../../kernel/ids.js';
import type { AccountTotal, ReportedDiscrepancy } from '../domain/close-report.js';
import type { DiscrepancyClass } from '../domain/discrepancy-class.js';

interface Period {
  readonly from: Date;
  readonly until: Date;
}

/** In one currency, minor units. An entry counts once, with the greatest amount in any source or discrepancy. */
export interface DiscrepancyAmounts {
  readonly currency: CurrencyCode;
  /** Not in the connector's totals: the entry is only in the ERP, is reversed, or has another amount. */
  readonly outsideTotalsMinor: bigint;
  readonly unexplainedMinor: bigint;
}

@Injectable()
export class CloseReportRepository {
  /** Of the job's postings that are not reversed. */
  async totals(tx: Tx, installationId: InstallationId, jobId: string): Promise<readonly AccountTotal[]> {
    const rows = await tx.rows<{
      readonly currency: CurrencyCode;
      readonly account: string;
      readonly debit: string;
      readonly credit: string;
    }>(sql`
      WITH posted AS (
        -- Each row of plans is opened once, and the intent of each plan is found by its key.
        SELECT planned.plan FROM kept_plans kept CROSS JOIN LATERAL jsonb_each(plans) AS planned (entry_id, plan)
          CROSS JOIN LATERAL (
            SELECT FROM posting_intent
            WHERE installation_id = ${installationId} AND export_job_id = ${jobId}
              AND accounting_entry_id = planned.entry_id::uuid AND plan_in = kept.id AND state = 'posted' AND imported IS NULL
            OFFSET 0) AS intent
        WHERE kept.installation_id = ${installationId} AND kept.export_job_id = ${jobId}
        UNION ALL
        SELECT imported FROM posting_intent
        WHERE installation_id = ${installationId} AND export_job_id = ${jobId} AND state = 'posted' AND imported IS NOT NULL)
      SELECT entry ->> 'currency' AS currency, line -> 'account' ->> 'code' AS account,
        sum(GREATEST((line ->> 'amountMinor')::numeric, 0))::text AS debit,
        sum(GREATEST(-(line ->> 'amountMinor')::numeric, 0))::text AS credit
      FROM posted CROSS JOIN LATERAL jsonb_array_elements(plan) AS entry
        CROSS JOIN LATERAL jsonb_array_elements(entry -> 'lines') AS line
      GROUP BY 1, 2`);
    return rows.map(({ currency, account, debit, credit }) => ({
      currency,
      accountCode: account,
      debitMinor: BigInt(debit),
      creditMinor: BigInt(credit),
    }));
  }

  /** Open and accepted ones of the period, oldest first. */
  async listDiscrepancies(
    tx: Tx,
    installationId: InstallationId,
    { from, until }: Period,
    now: Date,
    limit: number,
  ): Promise<readonly ReportedDiscrepancy[]> {
    const rows = await tx.rows<{
      readonly id: string;
      readonly class: DiscrepancyClass;
      readonly subject: string;
      readonly state: 'open' | 'accepted';
      readonly age: number;
      readonly currency: CurrencyCode | null;
      readonly minor: string | null;
      readonly note: string | null;
    }>(sql`
      SELECT id, class, subject, state, currency, amount_minor::text AS minor, note,
        GREATEST(floor(extract(epoch FROM ${now}::timestamptz - first_seen_at) / 86400), 0)::int AS age
      FROM discrepancy
      WHERE installation_id = ${installationId} AND state IN ('open', 'accepted')
        AND occurred_at >= ${from} AND occurred_at < ${until}
      ORDER BY first_seen_at, id LIMIT ${limit}`);
    return rows.map(({ age, minor, currency, note, ...row }) => ({
      ...row,
      ageDays: age,
      currency: currency ?? undefined,
      amountMinor: minor === null ? undefined : BigInt(minor),
      note: note ?? undefined,
    }));
  }

  /** What the discrepancies of the period add to its totals, and how much of it is unexplained, by currency. */
  async amounts(
    tx: Tx,
    installationId: InstallationId,
    { from, until }: Period,
  ): Promise<readonly DiscrepancyAmounts[]> {
    const rows = await tx.rows<{
      readonly currency: CurrencyCode;
      readonly beyond: string;
      readonly unexplained: string;
    }>(sql`
      WITH of_subject AS (
        SELECT subject, currency, erp_company_id, max(amount_minor) AS minor,
          COALESCE(max(amount_minor) FILTER (WHERE state = 'open'), 0) AS open_minor,
          (array_agg(accounting_entry_id) FILTER (WHERE subject = accounting_entry_id::text))[1] AS entry_id
        FROM discrepancy
        WHERE installation_id = ${installationId} AND state IN ('open', 'accepted') AND currency IS NOT NULL
          AND occurred_at >= ${from} AND occurred_at < ${until}
        GROUP BY subject, currency, erp_company_id)
      SELECT currency, sum(GREATEST(of_subject.minor - recorded.minor, 0))::text AS beyond,
        sum(open_minor)::text AS unexplained
      FROM of_subject CROSS JOIN LATERAL (
        SELECT COALESCE(sum(GREATEST((line ->> 'amountMinor')::numeric, 0)), 0) AS minor
        FROM posting_intent JOIN export_job ON export_job.installation_id = posting_intent.installation_id
            AND export_job.id = export_job_id
          LEFT JOIN kept_plans kept ON kept.installation_id = posting_intent.installation_id
            AND kept.export_job_id = posting_intent.export_job_id AND kept.id = plan_in
          CROSS JOIN LATERAL jsonb_array_elements(COALESCE(imported, plans -> accounting_entry_id::text)) AS entry
          CROSS JOIN LATERAL jsonb_array_elements(entry -> 'lines') AS line
        WHERE posting_intent.installation_id = ${installationId}
          AND posting_intent.erp_company_id = of_subject.erp_company_id AND accounting_entry_id = entry_id
          AND posting_intent.state = 'posted' AND entry ->> 'currency' = currency
          AND created_on_platform_at >= ${from} AND created_on_platform_at < ${until}) AS recorded
      GROUP BY currency`);
    return rows.map(({ currency, beyond, unexplained }) => ({
      currency,
      outsideTotalsMinor: BigInt(beyond),
      unexplainedMinor: BigInt(unexplained),
    }));
  }

  /** Open discrepancies of the period with an unknown amount. */
  async countWithoutAmount(tx: Tx, installationId: InstallationId, { from, until }: Period): Promise<number> {
    const { count } = await tx.one<{ readonly count: number }>(sql`
      SELECT count(*)::int AS count FROM discrepancy
      WHERE installation_id = ${installationId} AND state = 'open' AND COALESCE(amount_minor, 0) = 0
        AND occurred_at >= ${from} AND occurred_at < ${until}`);
    return count;
  }

  /** When a run that covers the whole period has ended last. */
  async reconciledAt(tx: Tx, installationId: InstallationId, { from, until }: Period): Promise<Date | undefined> {
    const row = await tx.one<{ at: Date | null }>(sql`
      SELECT max(finished_at) AS at FROM reconciliation_run
      WHERE installation_id = ${installationId} AND kind = 'period' AND state = 'completed'
        AND period_from <= ${from} AND period_until >= ${until}`);
    return row.at ?? undefined;
  }
}
