import { Injectable } from '@nestjs/common';
import { sql, type SqlStatement } from '../../../foundation/database/sql.js';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import type { InstallationId } from '../../../kernel/ids.js';
import type { CertifiedSource } from '../../reconciliation/domain/certificate.js';
import { OpenIssuesReader, type OpenFigures } from './open-issues.reader.js';

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
}

const NOTHING: OpenFigures = { count: 0, oldest: null, amounts: [] };

/** What a home page counts, in one transaction of a few statements that read what is open and no history. */
@Injectable()
export class OverviewReader {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly openIssuesReader: OpenIssuesReader,
  ) {}

  /** @param certifiedJobs whose certificates are wanted */
  async readFigures(installationId: InstallationId, certifiedJobs: readonly string[]): Promise<OverviewFigures> {
    return this.tenantDatabase.inInstallation('read overview', installationId, async (tx) => {
      const { largest, entries, ...issues } = await this.openIssuesReader.read(tx, installationId);
      const open = await tx.rows<Sums>(otherOpenWork(installationId));
      const next = await tx.maybeOne<{ sync: Date | null; reconciliation: Date | null }>(sql`
        SELECT (SELECT next_run_at FROM sync_schedule WHERE installation_id = ${installationId}) AS sync,
          (SELECT next_run_at FROM reconciliation_schedule WHERE installation_id = ${installationId}) AS reconciliation`);
      const certificates = await tx.rows<CertificateFigures>(sql`
        SELECT export_job_id AS "exportJobId", sequence, planned, erp, discrepancies FROM certificate
        WHERE installation_id = ${installationId} AND export_job_id = ANY(${certifiedJobs}::uuid[])`);
      const of = (kind: string) => open.find((each) => each.kind === kind);
      return {
        issues,
        largestIssues: largest,
        failedEntries: entries,
        inDoubtPostings: of('in-doubt-postings') ?? NOTHING,
        discrepancies: of('discrepancies') ?? NOTHING,
        nextSyncAt: next?.sync ?? null,
        nextReconciliationAt: next?.reconciliation ?? null,
        certificates,
      };
    });
  }
}

/** One row for each sort of open work besides issues. */
function otherOpenWork(installationId: InstallationId): SqlStatement {
  return sql`
    WITH doubted AS (
      SELECT created_at, accounting_entry_id, plan_chunk_id
      FROM uncertain_posting JOIN posting_intent USING (installation_id, erp_company_id, accounting_entry_id, revision)
      WHERE installation_id = ${installationId}
    ), doubted_plan AS (
      SELECT planned.value AS plan FROM plan_chunk chunk CROSS JOIN LATERAL json_each(plans::json) AS planned
      JOIN doubted ON plan_chunk_id = chunk.id AND accounting_entry_id::text = planned.key
      WHERE chunk.installation_id = ${installationId}
    ), differing AS (
      SELECT currency, amount_minor, first_seen_at FROM discrepancy
      WHERE installation_id = ${installationId} AND state = 'open'
    )
    SELECT 'in-doubt-postings' AS kind, count(*)::int AS count, min(created_at) AS oldest,
      (SELECT coalesce(jsonb_agg(sums ORDER BY currency), '[]') FROM (
        SELECT entry ->> 'currency' AS currency, sum((line ->> 'amountMinor')::numeric)::text AS minor
        FROM doubted_plan, json_array_elements(plan) entry, json_array_elements(entry -> 'lines') line
        WHERE (line ->> 'amountMinor')::numeric > 0 GROUP BY entry ->> 'currency') sums) AS amounts
    FROM doubted
    UNION ALL
    SELECT 'discrepancies', count(*)::int, min(first_seen_at),
      (SELECT coalesce(jsonb_agg(sums ORDER BY currency), '[]') FROM (SELECT currency, sum(amount_minor)::text AS minor
        FROM differing WHERE amount_minor IS NOT NULL GROUP BY currency) sums)
    FROM differing`;
}
