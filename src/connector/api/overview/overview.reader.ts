import { Injectable } from '@nestjs/common';
import { sql, type SqlStatement } from '../../../foundation/database/sql.js';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import type { InstallationId } from '../../../kernel/ids.js';
import type { CertifiedSource } from '../../reconciliation/domain/certificate.js';

/** What is open of one sort. */
export interface OpenFigures {
  readonly count: number;
  readonly oldest: Date | null;
  /** By currency; what has no known amount is in none. */
  readonly amounts: readonly { readonly currency: string; readonly minor: string }[];
}

export interface CertificateFigures {
  readonly exportJobId: string;
  readonly sequence: bigint;
  readonly planned: CertifiedSource;
  readonly erp: CertifiedSource | null;
  readonly discrepancies: number;
}

export interface OverviewFigures {
  readonly issues: OpenFigures;
  /** Keys of those that hold back most. */
  readonly largestIssues: readonly string[];
  /** Entries that open issues block, each once. */
  readonly failedEntries: number;
  readonly inDoubtPostings: OpenFigures;
  readonly discrepancies: OpenFigures;
  readonly nextSyncAt: Date | null;
  readonly nextReconciliationAt: Date | null;
  readonly certificates: readonly CertificateFigures[];
}

interface Sums extends OpenFigures {
  readonly kind: string;
  readonly entries: number;
  readonly largest: readonly string[] | null;
}

/** That are named on the home page. */
const LARGEST_ISSUES = 5;

const NOTHING: OpenFigures = { count: 0, oldest: null, amounts: [] };

/** What a home page counts, in one transaction of three statements that read what is open and no history. */
@Injectable()
export class OverviewReader {
  constructor(private readonly tenantDatabase: TenantDatabase) {}

  /** @param certifiedJobs whose certificates are wanted */
  async readFigures(installationId: InstallationId, certifiedJobs: readonly string[]): Promise<OverviewFigures> {
    return this.tenantDatabase.inInstallation('read overview', installationId, async (tx) => {
      const open = await tx.rows<Sums>(openWork(installationId));
      const next = await tx.maybeOne<{ sync: Date | null; reconciliation: Date | null }>(sql`
        SELECT (SELECT next_run_at FROM sync_schedule WHERE installation_id = ${installationId}) AS sync,
          (SELECT next_run_at FROM reconciliation_schedule WHERE installation_id = ${installationId}) AS reconciliation`);
      const certificates = await tx.rows<CertificateFigures>(sql`
        SELECT export_job_id AS "exportJobId", sequence, planned, erp, discrepancies FROM certificate
        WHERE installation_id = ${installationId} AND export_job_id = ANY(${certifiedJobs}::uuid[])`);
      const of = (kind: string) => open.find((each) => each.kind === kind);
      return {
        issues: of('issues') ?? NOTHING,
        largestIssues: of('issues')?.largest ?? [],
        failedEntries: of('issues')?.entries ?? 0,
        inDoubtPostings: of('in-doubt-postings') ?? NOTHING,
        discrepancies: of('discrepancies') ?? NOTHING,
        nextSyncAt: next?.sync ?? null,
        nextReconciliationAt: next?.reconciliation ?? null,
        certificates,
      };
    });
  }
}

/** One row for each sort of open work. An entry that several issues block has one amount. */
function openWork(installationId: InstallationId): SqlStatement {
  return sql`
    WITH failed AS MATERIALIZED (
      SELECT entry.issue_key, accounting_entry_id, currency, amount_minor, first_seen_at FROM failed_entry entry
      LEFT JOIN issue_handling handling
        ON handling.installation_id = ${installationId} AND handling.issue_key = entry.issue_key
      WHERE entry.installation_id = ${installationId} AND cleared_at IS NULL
        AND (left_at >= last_seen_at OR snoozed_until > (now() AT TIME ZONE 'UTC')::date) IS NOT TRUE
    ), by_issue AS MATERIALIZED (
      SELECT issue_key, min(first_seen_at) AS oldest, sum(abs(amount_minor)) AS size FROM failed GROUP BY issue_key
    ), blocked AS MATERIALIZED (
      SELECT min(currency) AS currency, min(amount_minor) AS amount_minor FROM failed GROUP BY accounting_entry_id
    ), doubted AS (
      SELECT created_at, accounting_entry_id, plan_in
      FROM uncertain_posting JOIN posting_intent USING (installation_id, erp_company_id, accounting_entry_id, revision)
      WHERE installation_id = ${installationId}
    ), doubted_plan AS (
      SELECT planned.value AS plan FROM kept_plans kept CROSS JOIN LATERAL json_each(plans::json) AS planned
      JOIN doubted ON plan_in = kept.id AND accounting_entry_id::text = planned.key
      WHERE kept.installation_id = ${installationId}
    ), differing AS (
      SELECT currency, amount_minor, first_seen_at FROM discrepancy
      WHERE installation_id = ${installationId} AND state = 'open'
    )
    SELECT 'issues' AS kind, (SELECT count(*)::int FROM by_issue) AS count, (SELECT count(*)::int FROM blocked) AS entries,
      (SELECT min(oldest) FROM by_issue) AS oldest,
      (SELECT coalesce(jsonb_agg(sums ORDER BY currency), '[]') FROM (SELECT currency, sum(amount_minor)::text AS minor
        FROM blocked WHERE amount_minor IS NOT NULL GROUP BY currency) sums) AS amounts,
      (SELECT array_agg(issue_key) FROM (
        SELECT issue_key FROM by_issue ORDER BY coalesce(size, 0) DESC, issue_key LIMIT ${LARGEST_ISSUES}) AS first) AS largest
    UNION ALL
    SELECT 'in-doubt-postings', count(*)::int, count(*)::int, min(created_at),
      (SELECT coalesce(jsonb_agg(sums ORDER BY currency), '[]') FROM (
        SELECT entry ->> 'currency' AS currency, sum((line ->> 'amountMinor')::numeric)::text AS minor
        FROM doubted_plan, json_array_elements(plan) entry, json_array_elements(entry -> 'lines') line
        WHERE (line ->> 'amountMinor')::numeric > 0 GROUP BY entry ->> 'currency') sums), NULL
    FROM doubted
    UNION ALL
    SELECT 'discrepancies', count(*)::int, count(*)::int, min(first_seen_at),
      (SELECT coalesce(jsonb_agg(sums ORDER BY currency), '[]') FROM (SELECT currency, sum(amount_minor)::text AS minor
        FROM differing WHERE amount_minor IS NOT NULL GROUP BY currency) sums), NULL
    FROM differing`;
}
