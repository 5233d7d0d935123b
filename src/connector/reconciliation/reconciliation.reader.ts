import { Injectable } from '@nestjs/common';
import { sql } from '../../foundation/database/sql.js';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import type { InstallationId } from '../../kernel/ids.js';
import { CountDiscrepancies } from './compare/count-discrepancies.js';
import { DISCREPANCY_VIEW } from './compare/discrepancy.repository.js';
import type {
  DiscrepancyPosition,
  DiscrepancyState,
  DiscrepancyView,
  OpenDiscrepancyClass,
} from './domain/discrepancy-view.js';
import type { RunView } from './domain/reconciliation-run.js';

/** A company at a glance. */
export interface ReconciliationStatus {
  readonly timeZone: string | null;
  /** Null: not planned yet. */
  readonly nextRunAt: Date | null;
  readonly alertAfterDays: number;
  readonly openDiscrepancies: number;
  /** Open for longer than `alertAfterDays`. */
  readonly overdueDiscrepancies: number;
}

@Injectable()
export class ReconciliationReader {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly countDiscrepancies: CountDiscrepancies,
  ) {}

  async readStatus(installationId: InstallationId): Promise<ReconciliationStatus> {
    const { schedule, open, overdue, alertAfterDays } = await this.countDiscrepancies.countOpen(installationId);
    return {
      timeZone: schedule?.timeZone ?? null,
      nextRunAt: schedule?.nextRunAt ?? null,
      alertAfterDays,
      openDiscrepancies: open,
      overdueDiscrepancies: overdue,
    };
  }

  /** Newest first. @param before position of the last run of the page before */
  async listRuns(
    installationId: InstallationId,
    before: bigint | undefined,
    limit: number,
  ): Promise<readonly RunView[]> {
    return this.tenantDatabase.readOnce('list reconciliations', installationId, (tx) =>
      tx.rows<RunView>(sql`
        SELECT id, position, kind, reason, state, export_job_id AS "exportJobId", period_from AS "from",
          period_until AS until, requested_at AS "requestedAt", started_at AS "startedAt", finished_at AS "finishedAt",
          jobs, items, discrepancies, repaired, failure
        FROM reconciliation_run
        WHERE installation_id = ${installationId}
          AND (${before ?? null}::bigint IS NULL OR position < ${before ?? null})
        ORDER BY position DESC LIMIT ${limit}`),
    );
  }

  /** Open ones with the oldest first, settled ones with the newest first. @param after the last discrepancy of the page before */
  async listDiscrepancies(
    installationId: InstallationId,
    filter: { readonly state: DiscrepancyState; readonly class: string | undefined },
    after: DiscrepancyPosition | undefined,
    limit: number,
  ): Promise<readonly DiscrepancyView[]> {
    const [beyond, order] = filter.state === 'open' ? [sql`>`, sql`ASC`] : [sql`<`, sql`DESC`];
    return this.tenantDatabase.readOnce('list discrepancies', installationId, (tx) =>
      tx.rows<DiscrepancyView>(sql`
        SELECT ${DISCREPANCY_VIEW} FROM discrepancy
        WHERE installation_id = ${installationId} AND state = ${filter.state}
          AND (${filter.class ?? null}::text IS NULL OR class = ${filter.class ?? null})
          AND (${after === undefined} OR (first_seen_at, id) ${beyond} (${after?.firstSeenAt ?? null}::timestamptz, ${after?.id ?? null}::uuid))
        ORDER BY first_seen_at ${order}, id ${order} LIMIT ${limit}`),
    );
  }

  /** Open discrepancies of each class, the most frequent class first. */
  async countByClass(installationId: InstallationId): Promise<readonly OpenDiscrepancyClass[]> {
    return this.tenantDatabase.readOnce('count discrepancies by class', installationId, (tx) =>
      tx.rows<OpenDiscrepancyClass>(sql`
        SELECT class, count(*)::int AS count, min(first_seen_at) AS "oldestSeenAt" FROM discrepancy
        WHERE installation_id = ${installationId} AND state = 'open' GROUP BY class ORDER BY count(*) DESC, class`),
    );
  }
}
