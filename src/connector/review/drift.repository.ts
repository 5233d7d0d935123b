import { Injectable } from '@nestjs/common';
import { sql } from '../../foundation/database/sql.js';
import type { Tx } from '../../foundation/database/transaction.js';
import { toInstallationId, type InstallationId } from '../../kernel/ids.js';
import type { SeenChanges, SeenTarget } from './domain/drift.js';

const HOURS_BETWEEN_CHECKS = 24;
/** A check that fails is tried again by its task; this is for one whose task was lost. */
const HOURS_AFTER_A_FAILURE = 1;

@Injectable()
export class DriftRepository {
  /** Over all tenants: connected installations whose check is due, at most `limit`. */
  async findDue(tx: Tx, limit: number): Promise<readonly InstallationId[]> {
    const rows = await tx.rows<{ id: string }>(sql`
      SELECT installation.id FROM installation
      LEFT JOIN drift_check ON drift_check.installation_id = installation.id
      WHERE installation.state = 'active' AND COALESCE(next_check_at, '-infinity') <= clock_timestamp()
      ORDER BY next_check_at NULLS FIRST, installation.id LIMIT ${limit}`);
    return rows.map(({ id }) => toInstallationId(id));
  }

  /** Says that a check begins: should it fail, the next one is due in an hour. */
  async begin(tx: Tx, installationId: InstallationId): Promise<void> {
    await tx.execute(sql`
      INSERT INTO drift_check (installation_id, next_check_at)
      VALUES (${installationId}, clock_timestamp() + make_interval(hours => ${HOURS_AFTER_A_FAILURE}))
      ON CONFLICT (installation_id) DO UPDATE SET next_check_at = EXCLUDED.next_check_at`);
  }

  async lastCheck(tx: Tx, installationId: InstallationId): Promise<Date | undefined> {
    const row = await tx.maybeOne<{ checked_at: Date | null }>(sql`
      SELECT checked_at FROM drift_check WHERE installation_id = ${installationId}`);
    return row?.checked_at ?? undefined;
  }

  /** First statement of a transaction that records a check: of several at the same time each goes by what the one before has seen. */
  async lock(tx: Tx, installationId: InstallationId): Promise<void> {
    await tx.execute(sql`SELECT 1 FROM drift_check WHERE installation_id = ${installationId} FOR UPDATE`);
  }

  async seen(tx: Tx, installationId: InstallationId): Promise<readonly SeenTarget[]> {
    return tx.rows<SeenTarget>(sql`
      SELECT kind, target_group AS "group", target, used_by AS "usedBy", state, since, name, name_before AS "nameBefore",
        renamed_at AS "renamedAt"
      FROM drift_target WHERE installation_id = ${installationId} ORDER BY kind, target_group, target`);
  }

  /** Ids of vendors on entries that were sent since then to the linked company of the ERP: another one has its own. */
  async vendorsSince(tx: Tx, installationId: InstallationId, since: Date, limit: number): Promise<readonly string[]> {
    const rows = await tx.rows<{ id: string }>(sql`
      SELECT DISTINCT unnest(vendor_ids) AS id FROM plan_chunk chunk
      WHERE chunk.installation_id = ${installationId} AND (export_job_id, chunk.id) IN (
        SELECT export_job_id, plan_chunk_id FROM (
          SELECT export_job_id, plan_chunk_id FROM posting_intent
          WHERE installation_id = ${installationId} AND created_at >= ${since}
            AND erp_company_id = (SELECT erp_company_id FROM installation WHERE id = ${installationId})
          ORDER BY created_at DESC LIMIT ${limit}) recent)`);
    return rows.map(({ id }) => id);
  }

  /** Takes over what a check has found to be different; what the mapping no longer points at is forgotten. */
  async recordCheck(tx: Tx, installationId: InstallationId, { changed, unused }: SeenChanges, at: Date): Promise<void> {
    const outdated = [...changed, ...unused];
    if (outdated.length > 0) {
      const key = (read: (one: SeenTarget) => string) => outdated.map(read);
      await tx.execute(sql`
        DELETE FROM drift_target WHERE installation_id = ${installationId} AND (kind, target_group, target) IN (
          SELECT * FROM unnest(${key(({ kind }) => kind)}::text[], ${key(({ group }) => group)}::text[],
            ${key(({ target }) => target)}::text[]))`);
    }
    if (changed.length > 0) {
      await this.insertSeen(tx, installationId, changed);
    }
    await tx.execute(sql`
      INSERT INTO drift_check (installation_id, checked_at, next_check_at)
      VALUES (${installationId}, ${at}, clock_timestamp() + make_interval(hours => ${HOURS_BETWEEN_CHECKS}))
      ON CONFLICT (installation_id) DO UPDATE SET checked_at = EXCLUDED.checked_at, next_check_at = EXCLUDED.next_check_at`);
  }

  private async insertSeen(tx: Tx, installationId: InstallationId, seen: readonly SeenTarget[]): Promise<void> {
    const column = <T>(read: (one: SeenTarget) => T): T[] => seen.map(read);
    await tx.execute(sql`
      INSERT INTO drift_target (installation_id, kind, target_group, target, used_by, state, since, name, name_before, renamed_at)
      SELECT ${installationId}, one.kind, one.grp, one.target, one.used_by::jsonb, one.state, one.since, one.name,
        one.name_before, one.renamed_at
      FROM unnest(${column(({ kind }) => kind)}::text[], ${column(({ group }) => group)}::text[],
        ${column(({ target }) => target)}::text[], ${column(({ usedBy }) => JSON.stringify(usedBy))}::text[],
        ${column(({ state }) => state)}::text[], ${column(({ since }) => since)}::timestamptz[],
        ${column(({ name }) => name)}::text[], ${column(({ nameBefore }) => nameBefore)}::text[],
        ${column(({ renamedAt }) => renamedAt)}::timestamptz[]
      ) AS one (kind, grp, target, used_by, state, since, name, name_before, renamed_at)`);
  }
}
