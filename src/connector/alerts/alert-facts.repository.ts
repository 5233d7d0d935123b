import { Injectable } from '@nestjs/common';
import { sql } from '../../foundation/database/sql.js';
import type { Tx } from '../../foundation/database/transaction.js';
import type { InstallationId } from '../../kernel/ids.js';
import type { AlertFact } from './domain/alert.js';

export interface AlertFactQuery {
  /** Other kinds are not searched for, so that they delay none of these. */
  readonly kinds: readonly string[];
  /** Facts that ended earlier raise no alert. */
  readonly since: Date;
  /** Open jobs that end before it are near their end. */
  readonly nearEnd: Date;
  /** Postings sent before it have been uncertain for long enough. */
  readonly inDoubtBefore: Date;
}

/** Facts per query; the next one finds the rest, because a fact with an alert is not found again. */
const LIMIT = 200;

/**
 * What a person should know of, read from the tables that hold the facts themselves: an alert can neither be lost with
 * the process that would have raised it, nor be raised twice.
 */
@Injectable()
export class AlertFactsRepository {
  async find(
    tx: Tx,
    installationId: InstallationId,
    { kinds, since, nearEnd, inDoubtBefore }: AlertFactQuery,
  ): Promise<readonly AlertFact[]> {
    return tx.rows<AlertFact>(sql`
      WITH fact (kind, fact, detail, count, at) AS (
        (SELECT 'export-failed', id::text, coalesce(failure_reason, ''), 1, finished_at FROM export_job
          WHERE installation_id = ${installationId} AND state IN ('failed', 'expired') AND finished_at >= ${since})
        UNION ALL
        (SELECT 'export-with-errors', job.id::text, '', (
            SELECT count(*) FROM export_item item
            WHERE item.installation_id = job.installation_id AND item.export_job_id = job.id AND item.state = 'failed'),
          finished_at
          FROM export_job job
          WHERE installation_id = ${installationId} AND state = 'completed_with_errors' AND finished_at >= ${since})
        UNION ALL
        (SELECT 'deadline-near', id::text, to_char(expires_at, 'HH24:MI "UTC"'), 1, expires_at FROM export_job
          WHERE installation_id = ${installationId} AND state IN ('detected', 'running', 'verdict_decided')
            AND expires_at < ${nearEnd})
        UNION ALL
        (SELECT 'authorization-needed', generation::text || '/' || coalesce(credential.version, 0)::text,
            coalesce(to_char(refresh_unanswered_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI "UTC"'), ''), 1, 'epoch'
          FROM installation LEFT JOIN credential ON credential.installation_id = installation.id
          WHERE installation.id = ${installationId} AND state = 'needs_reauthorization')
        UNION ALL
        (SELECT 'erp-authorization-needed', generation::text || '/' || version::text, '', 1, connected_at FROM erp_connection
          WHERE installation_id = ${installationId} AND ended_at IS NULL AND state = 'needs-reauthorization')
        UNION ALL
        (SELECT 'erp-company-wanted', day::text, '', claims, first_at FROM erp_company_claim
          WHERE installation_id = ${installationId} AND first_at >= ${since})
        UNION ALL
        (SELECT 'subscription-disabled', confirmed_at::date::text, confirmed_status, 1, confirmed_at FROM subscription
          WHERE installation_id = ${installationId} AND wanted_status = 'ACTIVE' AND confirmed_status <> 'ACTIVE')
        UNION ALL
        (SELECT 'in-doubt-posting', export_job_id::text, '', count(*), min(created_at) FROM posting_intent
          WHERE installation_id = ${installationId} AND state = 'uncertain' AND created_at < ${inDoubtBefore}
          GROUP BY export_job_id)
        UNION ALL
        (SELECT 'sync-failed', id::text, failure, 1, finished_at FROM sync_run
          WHERE installation_id = ${installationId} AND state IN ('needs_confirmation', 'failed') AND finished_at >= ${since})
      )
      SELECT kind, fact, detail, count::int AS count FROM fact
      WHERE kind = ANY(${kinds}::text[]) AND NOT EXISTS (SELECT FROM alert WHERE alert.installation_id = ${installationId}
        AND alert.kind = fact.kind AND alert.fact = fact.fact)
      ORDER BY at LIMIT ${LIMIT}`);
  }
}
