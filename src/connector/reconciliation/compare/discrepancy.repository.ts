import { Injectable } from '@nestjs/common';
import { sha256Hex } from '../../../foundation/crypto/sha256.js';
import { sql, type SqlStatement } from '../../../foundation/database/sql.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import type { CompanyId, InstallationId } from '../../../kernel/ids.js';
import type { DiscrepancyState, DiscrepancyView } from '../domain/discrepancy-view.js';
import type { DiscrepancyClass } from '../domain/discrepancy-class.js';
import type { Discrepancy } from '../domain/evidence.js';
import { beginOfDay, searchedDays, type ReconciliationLease } from '../domain/reconciliation-run.js';

/** A discrepancy to be recorded, with the id for a new row. */
export interface SeenDiscrepancy extends Discrepancy {
  readonly id: string;
  readonly erpCompanyId: string | undefined;
  readonly occurredAt: Date;
  /** Set: how it was repaired. */
  readonly repairedAs: string | undefined;
}

export interface OpenDiscrepancies {
  readonly open: number;
  readonly overdue: number;
}

/** The columns of `DiscrepancyView`. */
export const DISCREPANCY_VIEW = sql`
  id, company_id AS "companyId", class, subject, accounting_entry_id AS "accountingEntryId", export_job_id AS "exportJobId",
  erp_company_id AS "erpCompanyId", evidence, currency, amount_minor::text AS "amountMinor",
  occurred_at AS "occurredAt", state, first_seen_at AS "firstSeenAt", last_seen_at AS "lastSeenAt",
  settled_at AS "settledAt", settled_by AS "settledBy", settled_as AS "settledAs", note, reexport_id AS "reexportId"`;

@Injectable()
export class DiscrepancyRepository {
  /**
   * Records what a run has found. A discrepancy that was accepted with the same evidence stays accepted; one that had
   * disappeared and is found again opens again; new evidence of the same one keeps its age and its re-export. Dated by the database's
   * clock, as certificates are: what is lost before a certificate and after it must not depend on two workers' clocks.
   * @returns how many of them are open now
   */
  async recordSeen(tx: Tx, run: ReconciliationLease, seen: readonly SeenDiscrepancy[]): Promise<number> {
    const { installationId, companyId } = run;
    const column = <T>(read: (discrepancy: SeenDiscrepancy) => T): T[] => seen.map(read);
    const rows = await tx.rows<{ state: DiscrepancyState }>(sql`
      INSERT INTO discrepancy (installation_id, id, company_id, class, subject, fingerprint, accounting_entry_id,
        export_job_id, erp_company_id, evidence, currency, amount_minor, occurred_at, state, first_seen_at, last_seen_at,
        last_seen_run, settled_at, settled_by, settled_as, reexport_id, note)
      SELECT ${installationId}, seen.id, ${companyId}, seen.class, seen.subject, seen.fingerprint, seen.entry_id, seen.job_id,
        seen.erp_company_id, seen.evidence::jsonb, seen.currency, seen.amount, seen.occurred_at,
        CASE WHEN seen.repair IS NULL THEN 'open' ELSE 'repaired' END,
        COALESCE(known.first_seen_at, sight.at),
        sight.at, ${run.id}, CASE WHEN seen.repair IS NOT NULL THEN sight.at END,
        CASE WHEN seen.repair IS NOT NULL THEN 'connector' END, seen.repair, known.reexport_id, known.note
      FROM unnest(${column(({ id }) => id)}::uuid[], ${column((each) => each.class)}::text[],
        ${column(({ subject }) => subject)}::text[], ${column(fingerprintOf)}::text[],
        ${column(({ accountingEntryId }) => accountingEntryId ?? null)}::uuid[],
        ${column(({ exportJobId }) => exportJobId ?? null)}::uuid[],
        ${column(({ erpCompanyId }) => erpCompanyId ?? null)}::text[],
        ${column(({ evidence }) => JSON.stringify(evidence))}::text[],
        ${column(({ amount }) => amount?.currency ?? null)}::text[],
        ${column(({ amount }) => amount?.minor.toString() ?? null)}::numeric[],
        ${column(({ occurredAt }) => occurredAt)}::timestamptz[], ${column(({ repairedAs }) => repairedAs ?? null)}::text[]
      ) AS seen (id, class, subject, fingerprint, entry_id, job_id, erp_company_id, evidence, currency, amount, occurred_at,
        repair)
      CROSS JOIN clock_timestamp() AS sight (at)
      LEFT JOIN LATERAL (SELECT (min(first_seen_at) OVER ()) AS first_seen_at, reexport_id, note FROM discrepancy
        WHERE installation_id = ${installationId} AND company_id = ${companyId} AND class = seen.class
          AND subject = seen.subject AND state = 'open' ORDER BY reexport_id NULLS LAST LIMIT 1) AS known ON true
      ON CONFLICT (installation_id, company_id, class, subject, fingerprint) DO UPDATE SET
        last_seen_at = EXCLUDED.last_seen_at, last_seen_run = EXCLUDED.last_seen_run,
        currency = EXCLUDED.currency, amount_minor = EXCLUDED.amount_minor,
        first_seen_at = CASE WHEN discrepancy.state = 'repaired' THEN EXCLUDED.first_seen_at ELSE discrepancy.first_seen_at END,
        state = CASE discrepancy.state WHEN 'accepted' THEN 'accepted' ELSE EXCLUDED.state END,
        settled_at = CASE discrepancy.state WHEN 'accepted' THEN discrepancy.settled_at ELSE EXCLUDED.settled_at END,
        settled_by = CASE discrepancy.state WHEN 'accepted' THEN discrepancy.settled_by ELSE EXCLUDED.settled_by END,
        settled_as = CASE discrepancy.state WHEN 'accepted' THEN discrepancy.settled_as ELSE EXCLUDED.settled_as END
      RETURNING state`);
    return rows.filter(({ state }) => state === 'open').length;
  }

  /**
   * Notes that the run could not see whether these discrepancies of entries are still there: they stay open, as they are.
   * @param jobId of the job that the entries are compared in
   */
  async keepOpen(
    tx: Tx,
    run: ReconciliationLease,
    jobId: string,
    entries: readonly string[],
    classes: readonly DiscrepancyClass[],
  ): Promise<void> {
    await tx.execute(sql`
      UPDATE discrepancy SET last_seen_run = ${run.id}
      WHERE installation_id = ${run.installationId} AND export_job_id = ${jobId} AND state = 'open'
        AND accounting_entry_id = ANY(${entries}::uuid[]) AND class = ANY(${classes}::text[])`);
  }

  /**
   * Closes what the run has covered and not found again; what stands without a record (orphans and copies, which have no job) in
   * the ERP companies that were searched, on days that were.
   */
  async closeUnseen(tx: Tx, run: ReconciliationLease, at: Date): Promise<void> {
    const { from, until } = run.period;
    const days = searchedDays(run.period);
    await tx.execute(sql`
      UPDATE discrepancy SET state = 'repaired', settled_at = ${at}, settled_by = 'connector', settled_as = 'gone'
      WHERE installation_id = ${run.installationId} AND company_id = ${run.companyId} AND state = 'open'
        AND NOT ${isSeenSinceBeginOf(run)}
        AND CASE WHEN ${run.exportJobId ?? null}::uuid IS NOT NULL THEN export_job_id = ${run.exportJobId ?? null}
          WHEN export_job_id IS NULL THEN occurred_at BETWEEN ${beginOfDay(days.from)} AND ${beginOfDay(days.to)}
            AND erp_company_id IN (
              SELECT erp_company_id FROM installation WHERE id = ${run.installationId}
              UNION SELECT erp_company_id FROM export_job
              WHERE installation_id = ${run.installationId} AND company_id = ${run.companyId}
                AND created_on_platform_at >= ${from} AND created_on_platform_at < ${until})
          ELSE occurred_at >= ${from} AND occurred_at < ${until} END`);
  }

  /** What a person has exported again is settled once the new job was compared: the entry is compared in that job from then on. */
  async closeReexported(tx: Tx, run: ReconciliationLease, at: Date): Promise<void> {
    await tx.execute(sql`
      UPDATE discrepancy SET state = 'repaired', settled_at = ${at}, settled_by = reexport.requested_by, settled_as = 're-export'
      FROM reexport
      WHERE discrepancy.installation_id = ${run.installationId} AND discrepancy.company_id = ${run.companyId}
        AND discrepancy.state = 'open' AND last_seen_run <> ${run.id}
        AND reexport.installation_id = discrepancy.installation_id AND reexport.id = reexport_id
        AND reexport.export_job_id = ${run.exportJobId ?? null}`);
  }

  /** Locks it until the transaction ends. */
  async find(tx: Tx, installationId: InstallationId, id: string): Promise<DiscrepancyView | undefined> {
    return tx.maybeOne<DiscrepancyView>(sql`
      SELECT ${DISCREPANCY_VIEW} FROM discrepancy WHERE installation_id = ${installationId} AND id = ${id} FOR UPDATE`);
  }

  /**
   * @param as what was done, by which person, with their note
   * @returns false when it is settled already
   */
  async settle(
    tx: Tx,
    installationId: InstallationId,
    id: string,
    as: {
      readonly state: 'accepted' | 'repaired';
      readonly how: string;
      readonly by: string;
      readonly note: string;
    },
    at: Date,
  ): Promise<boolean> {
    const settled = await tx.execute(sql`
      UPDATE discrepancy SET state = ${as.state}, settled_at = ${at}, settled_by = ${as.by}, settled_as = ${as.how},
        note = ${as.note}
      WHERE installation_id = ${installationId} AND id = ${id} AND state = 'open'`);
    return settled === 1;
  }

  /** "We may have reversed it", for whom, and why. @returns false when it is settled already */
  async beginReversal(tx: Tx, installationId: InstallationId, id: string, by: string, note: string): Promise<boolean> {
    const begun = await tx.execute(sql`
      UPDATE discrepancy SET reversal_sent_at = clock_timestamp(), reversal_requested_by = ${by}, note = ${note}
      WHERE installation_id = ${installationId} AND id = ${id} AND state = 'open'`);
    return begun === 1;
  }

  /** Whether a job after its own has reported the entry as exported: what stands in the ERP is then compared in that job. */
  async isExportedSince(tx: Tx, installationId: InstallationId, id: string): Promise<boolean> {
    const rows = await tx.rows(sql`
      SELECT FROM discrepancy
        JOIN export_job own ON own.installation_id = discrepancy.installation_id AND own.id = discrepancy.export_job_id
        JOIN export_item item ON item.installation_id = discrepancy.installation_id
          AND item.accounting_entry_id = discrepancy.accounting_entry_id AND item.state = 'successful'
        JOIN export_job later ON later.installation_id = item.installation_id AND later.id = item.export_job_id
      WHERE discrepancy.installation_id = ${installationId} AND discrepancy.id = ${id}
        AND (later.created_on_platform_at, later.id) > (own.created_on_platform_at, own.id) LIMIT 1`);
    return rows.length > 0;
  }

  /** The ERP has certainly not reversed it. */
  async withdrawReversal(tx: Tx, installationId: InstallationId, id: string): Promise<void> {
    await tx.execute(sql`
      UPDATE discrepancy SET reversal_sent_at = NULL, reversal_requested_by = NULL, note = NULL
      WHERE installation_id = ${installationId} AND id = ${id} AND state = 'open'`);
  }

  /** Reversals without a recorded end. */
  async findBegunReversals(
    tx: Tx,
    installationId: InstallationId,
    companyId: CompanyId,
    limit: number,
  ): Promise<readonly (DiscrepancyView & { readonly requestedBy: string })[]> {
    return tx.rows(sql`
      SELECT ${DISCREPANCY_VIEW}, reversal_requested_by AS "requestedBy"
      FROM discrepancy WHERE installation_id = ${installationId} AND company_id = ${companyId} AND state = 'open'
        AND reversal_requested_by IS NOT NULL
      ORDER BY reversal_sent_at LIMIT ${limit}`);
  }

  /** Notes the re-export that a person has requested for an open discrepancy. */
  async linkReexport(
    tx: Tx,
    installationId: InstallationId,
    id: string,
    reexportId: string,
    note: string,
  ): Promise<void> {
    await tx.execute(sql`
      UPDATE discrepancy SET reexport_id = ${reexportId}, note = ${note}
      WHERE installation_id = ${installationId} AND id = ${id} AND state = 'open'`);
  }

  /** @returns by accounting entry, since when it was seen to be missing in the ERP; those that a person has accepted as such */
  async acceptedAsMissing(
    tx: Tx,
    installationId: InstallationId,
    companyId: string,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, Date>> {
    const rows = await tx.rows<{ readonly id: string; readonly since: Date }>(sql`
      SELECT subject AS id, min(first_seen_at) AS since FROM discrepancy
      WHERE installation_id = ${installationId} AND company_id = ${companyId} AND class = 'deleted-in-erp'
        AND subject = ANY(${ids}::text[]) AND state = 'accepted'
      GROUP BY subject`);
    return new Map(rows.map(({ id, since }) => [id, since]));
  }

  /** @returns those of the accounting entries that the platform lists in jobs without our record, as this run or one beside it has seen */
  async listedWithoutRecord(tx: Tx, run: ReconciliationLease, ids: readonly string[]): Promise<readonly string[]> {
    const rows = await tx.rows<{ readonly id: string }>(sql`
      SELECT subject AS id FROM discrepancy
      WHERE installation_id = ${run.installationId} AND company_id = ${run.companyId} AND class = 'missing-in-record'
        AND subject = ANY(${ids}::text[]) AND ${isSeenSinceBeginOf(run)}`);
    return rows.map(({ id }) => id);
  }

  /** Open ones of a job that this run, or one beside it, has seen. */
  async countSeen(tx: Tx, run: ReconciliationLease, jobId: string): Promise<number> {
    const { count } = await tx.one<{ count: number }>(sql`
      SELECT count(*)::int AS count FROM discrepancy
      WHERE installation_id = ${run.installationId} AND export_job_id = ${jobId} AND state = 'open'
        AND ${isSeenSinceBeginOf(run)}`);
    return count;
  }

  /** @param overdueAfterDays those first seen more than so many days of 24 hours ago are overdue */
  async countOpen(tx: Tx, installationId: InstallationId, overdueAfterDays: number): Promise<OpenDiscrepancies> {
    return tx.one(sql`
      SELECT count(*)::int AS open, count(*) FILTER (WHERE first_seen_at < clock_timestamp() - ${overdueAfterDays}::int * interval '24 hours')::int AS overdue
      FROM discrepancy WHERE installation_id = ${installationId} AND state = 'open'`);
  }
}

/** Of a discrepancy: this run has seen it last, or one that had not ended when this run began. */
function isSeenSinceBeginOf({ installationId, id }: ReconciliationLease): SqlStatement {
  return sql`EXISTS (SELECT FROM reconciliation_run seer
    WHERE seer.installation_id = ${installationId} AND seer.id = last_seen_run
      AND (seer.id = ${id} OR seer.finished_at IS NULL OR seer.finished_at >= (
        SELECT started_at FROM reconciliation_run WHERE installation_id = ${installationId} AND id = ${id})))`;
}

function fingerprintOf({ evidence }: SeenDiscrepancy): string {
  return sha256Hex(JSON.stringify(evidence));
}
