import { Injectable } from '@nestjs/common';
import { sql, type SqlStatement } from '../../foundation/database/sql.js';
import type { Tx } from '../../foundation/database/transaction.js';
import type { InstallationId } from '../../kernel/ids.js';
import { companyDay } from '../erp/company-day.js';
import { MAX_DETAIL, type AlertFact } from './domain/alert.js';

export interface AlertFactQuery {
  /** Other kinds are not searched for, so that they delay none of these. */
  readonly kinds: readonly string[];
  /** Facts that ended earlier raise no alert. */
  readonly since: Date;
  /** Open jobs that end before it are near their end. */
  readonly nearEnd: Date;
  /** Postings sent before it have been uncertain for long enough. */
  readonly inDoubtBefore: Date;
  /** Facts of the digests of now: the day, and the first day of the week. */
  readonly digests: { readonly day: string; readonly week: string };
}

/** Why an export has failed, as a kept message where it is known as messages and has room in an alert; else in English. */
const FAILURE = sql`
  coalesce((SELECT text FROM (SELECT jsonb_build_object('code', 'alert.export-failed.reason', 'parameters', jsonb_build_object('detail',
      jsonb_build_object('list', failure_messages, 'separator', ' ')))::text AS text) AS kept
    WHERE failure_messages IS NOT NULL AND length(text) <= ${MAX_DETAIL}), failure_reason, '')`;

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
    { kinds, since, nearEnd, inDoubtBefore, digests }: AlertFactQuery,
  ): Promise<readonly AlertFact[]> {
    return tx.rows<AlertFact>(sql`
      WITH fact (kind, fact, detail, count, at) AS (
        (SELECT 'export-failed', id::text, ${FAILURE}, 1, finished_at FROM export_job
          WHERE installation_id = ${installationId} AND state IN ('failed', 'expired') AND finished_at >= ${since})
        UNION ALL
        (SELECT 'export-with-errors', id::text, '', failed_items, finished_at FROM export_job
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
        (SELECT 'in-doubt-posting', intent.export_job_id::text, '', count(*), min(created_at)
          FROM uncertain_posting
          JOIN posting_intent intent USING (installation_id, erp_company_id, accounting_entry_id, revision)
          WHERE installation_id = ${installationId} AND created_at < ${inDoubtBefore} GROUP BY intent.export_job_id)
        UNION ALL
        ${openWork(installationId, digests)}
        UNION ALL
        (SELECT 'sync-failed', id::text, failure, 1, finished_at FROM sync_run
          WHERE installation_id = ${installationId} AND NOT is_preview AND state IN ('needs_confirmation', 'failed')
            AND finished_at >= ${since})
      )
      SELECT kind, fact, detail, count::int AS count FROM fact
      WHERE kind = ANY(${kinds}::text[]) AND NOT EXISTS (SELECT FROM alert WHERE alert.installation_id = ${installationId}
        AND alert.kind = fact.kind AND alert.fact = fact.fact)
      ORDER BY at LIMIT ${LIMIT}`);
  }
}

/** One row for each digest where something is open: an issue that is put off or left is not, as on the home page. */
function openWork(installationId: InstallationId, { day, week }: AlertFactQuery['digests']): SqlStatement {
  return sql`
    (SELECT digest.kind, digest.fact, '', open.count, 'epoch'::timestamptz
      FROM (VALUES ('digest-daily', ${day}::text), ('digest-weekly', ${week}::text)) AS digest (kind, fact),
        (SELECT (SELECT count(*) FROM (SELECT FROM failed_entry LEFT JOIN issue_handling USING (installation_id, issue_key)
            WHERE installation_id = ${installationId} AND cleared_at IS NULL
            GROUP BY issue_key, left_at, snoozed_until
            HAVING (left_at >= max(last_seen_at) OR snoozed_until > ${companyDay(installationId)}) IS NOT TRUE) AS open_issue)
          + (SELECT count(*) FROM posting_intent WHERE installation_id = ${installationId} AND state = 'uncertain')
          + (SELECT count(*) FROM discrepancy WHERE installation_id = ${installationId} AND state = 'open')
          + (SELECT count(*) FROM installation WHERE id = ${installationId} AND state = 'needs_reauthorization')
          AS count) AS open
      WHERE open.count > 0)`;
}
