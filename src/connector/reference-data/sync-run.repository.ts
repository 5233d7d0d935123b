import { Injectable } from '@nestjs/common';
import { sql } from '../../foundation/database/sql.js';
import type { Tx } from '../../foundation/database/transaction.js';
import type { CompanyId, InstallationId } from '../../kernel/ids.js';
import type { RunLease } from '../runs/domain/run-lease.js';
import { LeasedRunRepository } from '../runs/leased-run.repository.js';
import { SYNC_KINDS, type SyncKind } from './domain/sync-plan.js';
import type { SyncCounts, SyncLease, SyncReason, SyncRunView } from './domain/sync-run.js';

const LEASE_SECONDS = 30;
/** Finished runs of one kind that are kept, each with its records. */
const RETAINED_RUNS = 30;

export interface NewSyncRun {
  readonly id: string;
  readonly companyId: CompanyId;
  readonly kind: SyncKind;
  readonly isPreview: boolean;
  /** Until it may start. */
  readonly inSeconds: number;
  readonly reason: SyncReason;
  readonly at: Date;
  readonly confirmedArchives: number;
}

/** Why a run has not done what it was to do, and what a person can do about it. */
export interface SyncFailure {
  readonly state: 'failed' | 'needs_confirmation';
  /** A kept message. */
  readonly text: string;
}

/** What people see of runs: rows of `SyncRunView`, with their positions. */
export const SYNC_RUNS = sql`
  SELECT id, position, kind, is_preview AS "isPreview", reason, state, requested_at AS "requestedAt",
    started_at AS "startedAt", finished_at AS "finishedAt", jsonb_build_object('created', created, 'updated', updated,
      'archived', archived, 'unarchived', unarchived, 'activated', activated, 'createdInErp', created_in_erp,
      'problems', problems) AS counts, failure
  FROM sync_run`;

interface ClaimedRow {
  readonly kind: SyncKind;
  readonly is_preview: boolean;
  readonly confirmed_archives: number;
}

@Injectable()
export class SyncRunRepository extends LeasedRunRepository<SyncLease, ClaimedRow> {
  constructor() {
    super({
      table: sql`sync_run`,
      leaseSeconds: LEASE_SECONDS,
      // A run comes after those whose results it builds on.
      order: sql`array_position(${[...SYNC_KINDS]}::text[], kind), is_preview, position`,
      columns: sql`is_preview, confirmed_archives`,
    });
  }

  /** @returns the id of the open run: the existing one, which a second one then follows, or the new one */
  async request(tx: Tx, installationId: InstallationId, request: NewSyncRun): Promise<string> {
    const { id, companyId, kind, isPreview, inSeconds, reason, at, confirmedArchives } = request;
    const row = await tx.one<{ id: string }>(sql`
      INSERT INTO sync_run (installation_id, id, company_id, kind, is_preview, reason, state, requested_at, next_attempt_at,
        confirmed_archives)
      VALUES (${installationId}, ${id}, ${companyId}, ${kind}, ${isPreview}, ${reason}, 'requested', ${at},
        clock_timestamp() + make_interval(secs => ${inSeconds}), ${confirmedArchives})
      ON CONFLICT (installation_id, company_id, kind, is_preview) WHERE state IN ('requested', 'running')
      DO UPDATE SET confirmed_archives = greatest(sync_run.confirmed_archives, EXCLUDED.confirmed_archives),
        again = CASE WHEN sync_run.state = 'running' AND sync_run.again IS DISTINCT FROM 'connected' THEN EXCLUDED.reason
          ELSE sync_run.again END,
        -- Whatever else it is asked for, a run that has not started is the first of a connection that came meanwhile.
        reason = CASE WHEN sync_run.state = 'requested' AND EXCLUDED.reason = 'connected' THEN 'connected'
          ELSE sync_run.reason END,
        next_attempt_at = CASE WHEN sync_run.state = 'requested' THEN LEAST(sync_run.next_attempt_at, EXCLUDED.next_attempt_at)
          ELSE sync_run.next_attempt_at END
      RETURNING id`);
    return row.id;
  }

  protected override toLease(lease: RunLease, row: ClaimedRow): SyncLease {
    return { ...lease, kind: row.kind, isPreview: row.is_preview, confirmedArchives: row.confirmed_archives };
  }

  async addCounts(tx: Tx, { installationId, id }: SyncLease, counts: SyncCounts): Promise<void> {
    await tx.execute(sql`
      UPDATE sync_run SET created = created + ${counts.created}, updated = updated + ${counts.updated},
        archived = archived + ${counts.archived}, unarchived = unarchived + ${counts.unarchived},
        activated = activated + ${counts.activated}, created_in_erp = created_in_erp + ${counts.createdInErp},
        problems = problems + ${counts.problems}
      WHERE installation_id = ${installationId} AND id = ${id}`);
  }

  /** Of a preview, which counts what it plans: it is counted anew. */
  async clearCounts(tx: Tx, { installationId, id }: SyncLease): Promise<void> {
    await tx.execute(sql`
      UPDATE sync_run SET created = 0, updated = 0, archived = 0, unarchived = 0, activated = 0, created_in_erp = 0, problems = 0
      WHERE installation_id = ${installationId} AND id = ${id}`);
  }

  /**
   * Ends the run under the lease, and deletes the oldest of its kind.
   * @param failure undefined for a run that came to its end
   * @returns the reason for which another run has to follow, if any; and the seconds since this one was first started
   */
  async finish(
    tx: Tx,
    lease: SyncLease,
    failure: SyncFailure | undefined,
  ): Promise<{ readonly again: SyncReason | undefined; readonly confirmedArchives: number; readonly seconds: number }> {
    const { installationId, id, companyId, kind, fence } = lease;
    const row = await tx.maybeOne<{ again: SyncReason | null; confirmed: number; seconds: number }>(sql`
      UPDATE sync_run SET finished_at = clock_timestamp(), failure = ${failure?.text ?? null}, lease_until = '-infinity',
        state = CASE WHEN ${failure !== undefined} THEN ${failure?.state ?? null}
          WHEN problems > 0 THEN 'completed_with_problems' ELSE 'completed' END
      WHERE installation_id = ${installationId} AND id = ${id} AND fence = ${fence} AND state = 'running'
      RETURNING again, confirmed_archives AS confirmed, extract(epoch FROM finished_at - started_at)::float8 AS seconds`);
    await tx.execute(sql`
      DELETE FROM sync_run WHERE installation_id = ${installationId} AND id IN (
        SELECT id FROM sync_run
        WHERE installation_id = ${installationId} AND company_id = ${companyId} AND kind = ${kind}
          AND state NOT IN ('requested', 'running')
        ORDER BY position DESC OFFSET ${RETAINED_RUNS})`);
    return { again: row?.again ?? undefined, confirmedArchives: row?.confirmed ?? 0, seconds: row?.seconds ?? 0 };
  }

  /**
   * Of each kind the best run since the newest connection: a completed one, else the newest.
   * @returns no row for a kind that was not requested; `failure` is for a person
   */
  async bestSinceConnected(
    tx: Tx,
    installationId: InstallationId,
    kinds: readonly SyncKind[],
  ): Promise<readonly { readonly isDone: boolean; readonly failure: string | null }[]> {
    return tx.rows<{ isDone: boolean; failure: string | null }>(sql`
      WITH run AS (
        SELECT kind, position, failure, state IN ('completed', 'completed_with_problems') AS is_done,
          coalesce(max(position) FILTER (WHERE reason = 'connected') OVER (PARTITION BY kind), 0) AS connected
        FROM sync_run
        WHERE installation_id = ${installationId} AND NOT is_preview AND kind = ANY (${[...kinds]}::text[]))
      SELECT DISTINCT ON (kind) is_done AS "isDone", failure FROM run WHERE position >= connected
      ORDER BY kind, is_done DESC, position DESC`);
  }

  async find(tx: Tx, installationId: InstallationId, id: string): Promise<SyncRunView | undefined> {
    return tx.maybeOne<SyncRunView>(sql`${SYNC_RUNS} WHERE installation_id = ${installationId} AND id = ${id}`);
  }
}
