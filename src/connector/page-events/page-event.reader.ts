import { Injectable } from '@nestjs/common';
import { sql } from '../../foundation/database/sql.js';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import { toExportJobId, toInstallationId, type ExportJobId, type InstallationId } from '../../kernel/ids.js';

/** How long events are kept, in seconds. */
export const RETENTION_SECONDS = 7_200;
/** Away for longer, a page reads everything again; less than events are kept by what a clean-up may be late. */
const MAX_AWAY_SECONDS = 3_600;
/** More changed rows are not sent one by one. */
const MAX_EVENTS = 1_000;

/** The position of a page: every transaction before it, and when it was read (seconds since 1970, by the database). */
export interface EventCursor {
  /** Decimal text of an xid8. */
  readonly horizon: string;
  readonly seconds: number;
}

/** Something has changed; of several changes of one subject it is the last. */
export interface PageEvent {
  readonly kind: string;
  /** Id or key of what changed; empty where there may be many. */
  readonly subject: string;
  /** Present state: of jobs, issues (open, closed), re-exports and runs. */
  readonly state: string | null;
  readonly at: string;
}

export interface EventsSince {
  readonly cursor: EventCursor;
  /** 'missed': the events since then are not known; the page has to read everything again. */
  readonly events: readonly PageEvent[] | 'missed';
}

/** The new events for the streams of a process. */
export interface News {
  readonly horizon: string;
  readonly changed: readonly InstallationId[];
  readonly running: readonly { readonly installationId: InstallationId; readonly exportJobId: ExportJobId }[];
}

interface Row extends EventCursor {
  readonly missed: boolean;
  readonly events: readonly PageEvent[];
}

/**
 * Reads events up to the oldest transaction that is still open: what commits later has a higher number than everything that
 * was read, so that no event is passed over, whichever process wrote it.
 */
@Injectable()
export class PageEventReader {
  constructor(private readonly tenantDatabase: TenantDatabase) {}

  /** @param after undefined: from now on */
  async readSince(installationId: InstallationId, after: EventCursor | undefined): Promise<EventsSince> {
    const { horizon = null, seconds = 0 } = after ?? {};
    const row = await this.tenantDatabase.readOnce('read page events', installationId, (tx) =>
      tx.one<Row>(sql`
        WITH present AS (
          SELECT pg_snapshot_xmin(pg_current_snapshot()) AS horizon, floor(extract(epoch FROM clock_timestamp()))::float8 AS seconds
        ), since AS (
          SELECT kind, subject, max(occurred_at) AS at, min(id) AS first FROM page_event, present
          WHERE installation_id = ${installationId} AND xid >= ${horizon}::text::xid8 AND xid < present.horizon
          GROUP BY kind, subject ORDER BY first LIMIT ${MAX_EVENTS + 1}
        ), sent AS (
          SELECT kind, subject, at, first, CASE kind
            WHEN 'job' THEN (SELECT state FROM export_job t WHERE t.installation_id = ${installationId} AND t.id = nullif(subject, '')::uuid)
            WHEN 'reexport' THEN (SELECT state FROM reexport t WHERE t.installation_id = ${installationId} AND t.id = nullif(subject, '')::uuid)
            WHEN 'sync' THEN (SELECT state FROM sync_run t WHERE t.installation_id = ${installationId} AND t.id = nullif(subject, '')::uuid)
            WHEN 'reconciliation' THEN (SELECT state FROM reconciliation_run t
              WHERE t.installation_id = ${installationId} AND t.id = nullif(subject, '')::uuid)
            WHEN 'issue' THEN CASE WHEN EXISTS (SELECT FROM failed_entry t WHERE t.installation_id = ${installationId}
              AND t.issue_key = subject AND cleared_at IS NULL) THEN 'open' ELSE 'closed' END
            END AS state
          FROM since
        )
        SELECT horizon::text, seconds,
          coalesce(${horizon}::text::xid8 > pg_snapshot_xmax(pg_current_snapshot()), false)
            OR ${horizon !== null} AND seconds - ${seconds} > ${MAX_AWAY_SECONDS}
            OR (SELECT count(*) FROM since) > ${MAX_EVENTS} AS missed,
          (SELECT coalesce(jsonb_agg(jsonb_build_object('kind', kind, 'subject', subject, 'state', state,
            'at', to_char(at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) ORDER BY first), '[]') FROM sent) AS events
        FROM present`),
    );
    const cursor = { horizon: row.horizon, seconds: row.seconds };
    return { cursor, events: row.missed ? 'missed' : row.events };
  }

  /**
   * Which of these installations have events from a horizon on, and which exports of theirs are running.
   * @param from undefined at the first look
   */
  async findNews(installationIds: readonly InstallationId[], from: string | undefined): Promise<News> {
    return this.tenantDatabase.acrossInstallations('look for page events', async (tx) => {
      const { horizon, changed } = await tx.one<{ horizon: string; changed: readonly string[] }>(sql`
        SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS horizon, ARRAY(
          SELECT DISTINCT installation_id::text FROM page_event
          WHERE xid >= ${from ?? null}::text::xid8 AND xid < pg_snapshot_xmin(pg_current_snapshot())
            AND installation_id = ANY(${installationIds}::uuid[])) AS changed`);
      const running = await tx.rows<{ installationId: string; id: string }>(sql`
        SELECT installation_id AS "installationId", id FROM export_job
        WHERE installation_id = ANY(${installationIds}::uuid[]) AND state IN ('running', 'verdict_decided')`);
      return {
        horizon,
        changed: changed.map(toInstallationId),
        running: running.map(({ installationId, id }) => ({
          installationId: toInstallationId(installationId),
          exportJobId: toExportJobId(id),
        })),
      };
    });
  }
}
