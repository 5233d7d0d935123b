import { Injectable } from '@nestjs/common';
import { sql } from '../../foundation/database/sql.js';
import type { Tx } from '../../foundation/database/transaction.js';
import { toCompanyId, toInstallationId, type CompanyId, type InstallationId } from '../../kernel/ids.js';
import { SYNC_KINDS, type SyncKind } from './domain/sync-plan.js';
import type { SyncCounts, SyncLease, SyncReason, SyncRunView, SyncState } from './domain/sync-run.js';

/** Another worker has the run now; whatever this one still wanted to write must not be written. */
export class SyncLeaseLost extends Error {
  override readonly name = 'SyncLeaseLost';
}

export const SYNC_LEASE_SECONDS = 30;
/** Finished runs of one kind that are kept, each with its records. */
const RETAINED_RUNS = 30;

export interface NewSyncRun {
  readonly id: string;
  readonly companyId: CompanyId;
  readonly kind: SyncKind;
  readonly isPreview: boolean;
  readonly reason: SyncReason;
  readonly at: Date;
}

interface RunRow {
  readonly id: string;
  readonly position: bigint;
  readonly kind: SyncKind;
  readonly is_preview: boolean;
  readonly reason: SyncReason;
  readonly state: SyncState;
  readonly requested_at: Date;
  readonly started_at: Date | null;
  readonly finished_at: Date | null;
  readonly created: number;
  readonly updated: number;
  readonly archived: number;
  readonly unarchived: number;
  readonly activated: number;
  readonly created_in_erp: number;
  readonly problems: number;
  readonly failure: string | null;
}

/** Leases run on the database's clock: replicas' clocks may differ (invariant I31). */
@Injectable()
export class SyncRunRepository {
  /** @returns the id of the open run: the one that was there, which another one then follows, or the new one */
  async request(tx: Tx, installationId: InstallationId, request: NewSyncRun): Promise<string> {
    const { id, companyId, kind, isPreview, reason, at } = request;
    const row = await tx.one<{ id: string }>(sql`
      INSERT INTO sync_run (installation_id, id, company_id, kind, is_preview, reason, state, requested_at, next_attempt_at)
      VALUES (${installationId}, ${id}, ${companyId}, ${kind}, ${isPreview}, ${reason}, 'requested', ${at}, clock_timestamp())
      ON CONFLICT (installation_id, company_id, kind, is_preview) WHERE state IN ('requested', 'running')
      DO UPDATE SET again = CASE WHEN sync_run.state = 'running' THEN EXCLUDED.reason ELSE sync_run.again END,
        -- Whatever an unstarted one was asked for, it is the first of the connection now.
        reason = CASE WHEN sync_run.state = 'requested' AND EXCLUDED.reason = 'connected' THEN 'connected'
          ELSE sync_run.reason END
      RETURNING id`);
    return row.id;
  }

  /** The due run that others build upon, or undefined when there is none or others have them all. */
  async claimNext(tx: Tx, installationId: InstallationId): Promise<SyncLease | undefined> {
    const row = await tx.maybeOne<{
      readonly id: string;
      readonly company_id: string;
      readonly kind: SyncKind;
      readonly is_preview: boolean;
      readonly attempts: number;
      readonly fence: bigint;
    }>(sql`
      UPDATE sync_run SET state = 'running', started_at = coalesce(started_at, clock_timestamp()),
        attempts = attempts + 1, fence = fence + 1,
        lease_until = clock_timestamp() + make_interval(secs => ${SYNC_LEASE_SECONDS})
      WHERE installation_id = ${installationId} AND id = (
        SELECT id FROM sync_run
        WHERE installation_id = ${installationId} AND state IN ('requested', 'running')
          AND next_attempt_at <= clock_timestamp() AND lease_until < clock_timestamp()
        ORDER BY array_position(${[...SYNC_KINDS]}::text[], kind), is_preview, position
        LIMIT 1 FOR UPDATE SKIP LOCKED)
      RETURNING id, company_id, kind, is_preview, attempts, fence`);
    return (
      row && {
        installationId,
        companyId: toCompanyId(row.company_id),
        id: row.id,
        kind: row.kind,
        isPreview: row.is_preview,
        attempts: row.attempts,
        fence: row.fence,
      }
    );
  }

  /**
   * First statement of every transaction that writes for a run: while it is open nobody can take over.
   * @throws SyncLeaseLost
   */
  async assertHeld(tx: Tx, { installationId, id, fence }: SyncLease): Promise<void> {
    const held = await tx.rows(sql`
      SELECT 1 FROM sync_run WHERE installation_id = ${installationId} AND id = ${id} AND fence = ${fence}
        AND state = 'running' FOR UPDATE`);
    if (held.length === 0) {
      throw new SyncLeaseLost(`sync run ${id} was taken over`);
    }
  }

  /** @returns false when the run was taken over meanwhile */
  async renew(tx: Tx, { installationId, id, fence }: SyncLease): Promise<boolean> {
    const renewed = await tx.execute(sql`
      UPDATE sync_run SET lease_until = clock_timestamp() + make_interval(secs => ${SYNC_LEASE_SECONDS})
      WHERE installation_id = ${installationId} AND id = ${id} AND fence = ${fence} AND state = 'running'`);
    return renewed === 1;
  }

  /**
   * Gives the run back, to be taken up again so many seconds from now.
   * @param hasFailed only failures in a row are counted as attempts
   */
  async release(
    tx: Tx,
    { installationId, id, fence }: SyncLease,
    seconds: number,
    hasFailed: boolean,
  ): Promise<void> {
    await tx.execute(sql`
      UPDATE sync_run SET lease_until = '-infinity', attempts = CASE WHEN ${hasFailed} THEN attempts ELSE 0 END,
        next_attempt_at = clock_timestamp() + make_interval(secs => ${seconds})
      WHERE installation_id = ${installationId} AND id = ${id} AND fence = ${fence} AND state = 'running'`);
  }

  async addCounts(tx: Tx, { installationId, id }: SyncLease, counts: SyncCounts): Promise<void> {
    await tx.execute(sql`
      UPDATE sync_run SET created = created + ${counts.created}, updated = updated + ${counts.updated},
        archived = archived + ${counts.archived}, unarchived = unarchived + ${counts.unarchived},
        activated = activated + ${counts.activated}, created_in_erp = created_in_erp + ${counts.createdInErp},
        problems = problems + ${counts.problems}
      WHERE installation_id = ${installationId} AND id = ${id}`);
  }

  /**
   * Ends the run under the lease, and forgets the oldest of its kind.
   * @param failure what a person can do about it; undefined for a run that came to its end
   * @returns why another one has to follow, if it has to; and the seconds since this one was begun first
   */
  async finish(
    tx: Tx,
    lease: SyncLease,
    failure: string | undefined,
  ): Promise<{ readonly again: SyncReason | undefined; readonly seconds: number }> {
    const { installationId, id, companyId, kind, fence } = lease;
    const row = await tx.maybeOne<{ again: SyncReason | null; seconds: number }>(sql`
      UPDATE sync_run SET finished_at = clock_timestamp(), failure = ${failure ?? null}, lease_until = '-infinity',
        state = CASE WHEN ${failure !== undefined} THEN 'failed'
          WHEN problems > 0 THEN 'completed_with_problems' ELSE 'completed' END
      WHERE installation_id = ${installationId} AND id = ${id} AND fence = ${fence} AND state = 'running'
      RETURNING again, extract(epoch FROM finished_at - started_at)::float8 AS seconds`);
    await tx.execute(sql`
      DELETE FROM sync_run WHERE installation_id = ${installationId} AND id IN (
        SELECT id FROM sync_run
        WHERE installation_id = ${installationId} AND company_id = ${companyId} AND kind = ${kind}
          AND state NOT IN ('requested', 'running')
        ORDER BY position DESC OFFSET ${RETAINED_RUNS})`);
    return { again: row?.again ?? undefined, seconds: row?.seconds ?? 0 };
  }

  /** Over all tenants: who has a due run that nobody works on. */
  async findIdle(tx: Tx, limit: number): Promise<readonly InstallationId[]> {
    const rows = await tx.rows<{ installation_id: string }>(sql`
      SELECT DISTINCT installation_id FROM sync_run
      WHERE state IN ('requested', 'running') AND next_attempt_at <= clock_timestamp()
        AND lease_until < clock_timestamp()
      LIMIT ${limit}`);
    return rows.map((row) => toInstallationId(row.installation_id));
  }

  /** Newest first. @param before position of the last run of the page before */
  async list(
    tx: Tx,
    installationId: InstallationId,
    filter: {
      readonly kind: SyncKind | undefined;
      readonly before: bigint | undefined;
      readonly limit: number;
    },
  ): Promise<readonly (SyncRunView & { readonly position: bigint })[]> {
    const rows = await tx.rows<RunRow>(sql`
      SELECT id, position, kind, is_preview, reason, state, requested_at, started_at, finished_at, created, updated,
        archived, unarchived, activated, created_in_erp, problems, failure
      FROM sync_run
      WHERE installation_id = ${installationId} AND (${filter.kind ?? null}::text IS NULL OR kind = ${filter.kind ?? null})
        AND (${filter.before ?? null}::bigint IS NULL OR position < ${filter.before ?? null})
      ORDER BY position DESC LIMIT ${filter.limit}`);
    return rows.map((row) => ({ ...viewOf(row), position: row.position }));
  }

  /**
   * Of each kind the run that came farthest since connecting asked for one: one that came to its end, else the newest.
   * @returns nothing for a kind that has not been asked for; why its last run has failed, in words for a person
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
    const row = await tx.maybeOne<RunRow>(sql`
      SELECT id, position, kind, is_preview, reason, state, requested_at, started_at, finished_at, created, updated,
        archived, unarchived, activated, created_in_erp, problems, failure
      FROM sync_run WHERE installation_id = ${installationId} AND id = ${id}`);
    return row && viewOf(row);
  }
}

function viewOf(row: RunRow): SyncRunView {
  const { id, kind, reason, state, failure, created, updated, archived, unarchived, activated, problems } =
    row;
  return {
    id,
    kind,
    isPreview: row.is_preview,
    reason,
    state,
    requestedAt: row.requested_at,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
    counts: {
      created,
      updated,
      archived,
      unarchived,
      activated,
      createdInErp: row.created_in_erp,
      problems,
    },
    failure,
  };
}
