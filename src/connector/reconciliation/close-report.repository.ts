import { Injectable } from '@nestjs/common';
import { sql } from '../../foundation/database/sql.js';
import type { Tx } from '../../foundation/database/transaction.js';
import type { CurrencyCode } from '../../kernel/currency.js';
import type { InstallationId } from '../../kernel/ids.js';
import type { AccountTotal, ReportedDifference } from './domain/close-report.js';
import type { DifferenceClass } from './domain/difference-class.js';

interface Period {
  readonly from: Date;
  readonly until: Date;
}

interface SumRow {
  readonly currency: CurrencyCode;
  readonly minor: string;
}

@Injectable()
export class CloseReportRepository {
  /** Of what the job has posted and stands. */
  async totals(tx: Tx, installationId: InstallationId, jobId: string): Promise<readonly AccountTotal[]> {
    const rows = await tx.rows<{
      readonly currency: CurrencyCode;
      readonly account: string;
      readonly debit: string;
      readonly credit: string;
    }>(sql`
      SELECT entry ->> 'currency' AS currency, line -> 'account' ->> 'code' AS account,
        sum(GREATEST((line ->> 'amountMinor')::numeric, 0))::text AS debit,
        sum(GREATEST(-(line ->> 'amountMinor')::numeric, 0))::text AS credit
      FROM posting_intent CROSS JOIN LATERAL jsonb_array_elements(plan) AS entry
        CROSS JOIN LATERAL jsonb_array_elements(entry -> 'lines') AS line
      WHERE installation_id = ${installationId} AND export_job_id = ${jobId} AND posting_intent.state = 'posted'
      GROUP BY 1, 2`);
    return rows.map(({ currency, account, debit, credit }) => ({
      currency,
      accountCode: account,
      debitMinor: BigInt(debit),
      creditMinor: BigInt(credit),
    }));
  }

  /** Open and accepted ones of the period, oldest first. */
  async differences(
    tx: Tx,
    installationId: InstallationId,
    { from, until }: Period,
    now: Date,
    limit: number,
  ): Promise<readonly ReportedDifference[]> {
    const rows = await tx.rows<{
      readonly id: string;
      readonly class: DifferenceClass;
      readonly subject: string;
      readonly state: 'open' | 'accepted';
      readonly age: number;
      readonly currency: CurrencyCode | null;
      readonly minor: string | null;
      readonly note: string | null;
    }>(sql`
      SELECT id, class, subject, state, currency, amount_minor::text AS minor, note,
        GREATEST(floor(extract(epoch FROM ${now}::timestamptz - first_seen_at) / 86400), 0)::int AS age
      FROM difference
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

  /** Open amounts by currency; an entry with several differences counts once. */
  async unexplained(
    tx: Tx,
    installationId: InstallationId,
    { from, until }: Period,
  ): Promise<ReadonlyMap<CurrencyCode, bigint>> {
    const rows = await tx.rows<SumRow>(sql`
      SELECT currency, sum(minor)::text AS minor FROM (
        SELECT currency, subject, max(amount_minor) AS minor FROM difference
        WHERE installation_id = ${installationId} AND state = 'open' AND currency IS NOT NULL
          AND occurred_at >= ${from} AND occurred_at < ${until}
        GROUP BY currency, subject) AS of_subject
      GROUP BY currency`);
    return sums(rows);
  }

  /** What stands in the ERP without being in our record, explained or not. */
  async beyondRecord(
    tx: Tx,
    installationId: InstallationId,
    { from, until }: Period,
  ): Promise<ReadonlyMap<CurrencyCode, bigint>> {
    const rows = await tx.rows<SumRow>(sql`
      SELECT currency, sum(amount_minor)::text AS minor FROM difference
      WHERE installation_id = ${installationId} AND state IN ('open', 'accepted') AND currency IS NOT NULL
        AND export_job_id IS NULL AND occurred_at >= ${from} AND occurred_at < ${until}
      GROUP BY currency`);
    return sums(rows);
  }

  /** When a run that covers the whole period has ended last. */
  async reconciledAt(
    tx: Tx,
    installationId: InstallationId,
    { from, until }: Period,
  ): Promise<Date | undefined> {
    const row = await tx.one<{ at: Date | null }>(sql`
      SELECT max(finished_at) AS at FROM reconciliation_run
      WHERE installation_id = ${installationId} AND kind = 'period' AND state = 'completed'
        AND period_from <= ${from} AND period_until >= ${until}`);
    return row.at ?? undefined;
  }
}

function sums(rows: readonly SumRow[]): ReadonlyMap<CurrencyCode, bigint> {
  return new Map(rows.map(({ currency, minor }) => [currency, BigInt(minor)]));
}
