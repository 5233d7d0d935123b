import { Injectable } from '@nestjs/common';
import { sql, type SqlStatement } from '../../../foundation/database/sql.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import { Clock } from '../../../kernel/clock.js';
import type { InstallationId } from '../../../kernel/ids.js';
import { companyDay } from '../../erp/company-day.js';

/** What is open of one sort. */
export interface OpenFigures {
  readonly count: number;
  readonly oldest: Date | null;
  /** By currency; what has no known amount is in none. */
  readonly amounts: readonly { readonly currency: string; readonly minor: string }[];
}

export interface OpenIssues extends OpenFigures {
  /** Entries that they block, each once. */
  readonly entries: number;
  /** Keys of those that hold back most. */
  readonly largest: readonly string[];
}

/** Figures, and the state that they were counted in. */
interface Remembered {
  readonly figures: OpenIssues;
  /** What commits later than the figures were read has no lower number (decimal text of an xid8). */
  readonly horizon: string;
  /** Of the company: a snooze ends with its day. */
  readonly day: string;
  readonly until: number;
}

/** That are named on the home page. */
const LARGEST_ISSUES = 5;
/** Events of changes are kept for twice as long. */
const REMEMBERED_MS = 3_600_000;
const MAX_REMEMBERED = 1_000;

/**
 * Counts what is open, once for as long as nothing changes about it: a home page is read again with each event, and an export sends
 * many. Every change of an issue, by whichever process, is an event for pages in the transaction that makes it.
 */
@Injectable()
export class OpenIssuesReader {
  private readonly remembered = new Map<InstallationId, Remembered>();

  constructor(private readonly clock: Clock) {}

  async read(tx: Tx, installationId: InstallationId): Promise<OpenIssues> {
    const known = this.remembered.get(installationId);
    const { horizon, day, changed } = await tx.one<{ horizon: string; day: string; changed: boolean }>(sql`
      SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS horizon,
        coalesce(${known?.horizon ?? null}::text::xid8 > pg_snapshot_xmax(pg_current_snapshot()), true) OR EXISTS (
          SELECT FROM page_event WHERE installation_id = ${installationId} AND kind = 'issue'
            AND xid >= ${known?.horizon ?? null}::text::xid8) AS changed,
        ${companyDay(installationId)}::text AS day`);
    const now = this.clock.monotonicMs();
    if (known !== undefined && !changed && known.day === day && now < known.until) {
      return known.figures;
    }
    const figures = await tx.one<OpenIssues>(openIssues(installationId));
    this.remembered.delete(installationId);
    if (this.remembered.size >= MAX_REMEMBERED) {
      this.remembered.clear();
    }
    this.remembered.set(installationId, { figures, horizon, day, until: now + REMEMBERED_MS });
    return figures;
  }
}

/**
 * As the list of issues: one that was left is open again, with all its entries, once one of them has failed since. An entry that several
 * issues block has one amount.
 */
function openIssues(installationId: InstallationId): SqlStatement {
  return sql`
    WITH failed AS MATERIALIZED (
      SELECT issue_key, accounting_entry_id, currency, amount_minor, first_seen_at, last_seen_at FROM failed_entry
      WHERE installation_id = ${installationId} AND cleared_at IS NULL
    ), by_issue AS MATERIALIZED (
      SELECT failed.issue_key, min(first_seen_at) AS oldest, sum(abs(amount_minor)) AS size FROM failed
      LEFT JOIN issue_handling handling
        ON handling.installation_id = ${installationId} AND handling.issue_key = failed.issue_key
      GROUP BY failed.issue_key, left_at, snoozed_until
      HAVING (left_at >= max(last_seen_at) OR snoozed_until > ${companyDay(installationId)}) IS NOT TRUE
    ), blocked AS MATERIALIZED (
      SELECT min(currency) AS currency, min(amount_minor) AS amount_minor FROM failed JOIN by_issue USING (issue_key)
      GROUP BY accounting_entry_id
    )
    SELECT (SELECT count(*)::int FROM by_issue) AS count, (SELECT count(*)::int FROM blocked) AS entries,
      (SELECT min(oldest) FROM by_issue) AS oldest,
      (SELECT coalesce(jsonb_agg(sums ORDER BY currency), '[]') FROM (SELECT currency, sum(amount_minor)::text AS minor
        FROM blocked WHERE amount_minor IS NOT NULL GROUP BY currency) sums) AS amounts,
      ARRAY(SELECT issue_key FROM by_issue ORDER BY coalesce(size, 0) DESC, issue_key LIMIT ${LARGEST_ISSUES}) AS largest`;
}
