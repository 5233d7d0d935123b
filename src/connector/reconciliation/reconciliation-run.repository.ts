import { Injectable } from '@nestjs/common';
import { prepared, sql } from '../../foundation/database/sql.js';
import type { Tx } from '../../foundation/database/transaction.js';
import { toCompanyId, toInstallationId, type CompanyId, type InstallationId } from '../../kernel/ids.js';
import type { RunLease } from '../runs/domain/run-lease.js';
import { LeaseLost } from '../runs/lease.js';
import { LeasedRunRepository } from '../runs/leased-run.repository.js';
import type { ReconciliationLease, RunProgress, RunReason } from './domain/reconciliation-run.js';

const LEASE_SECONDS = 60;
/** The daily run covers older jobs. */
const LOOK_BACK_DAYS = 3;

export interface RunRequest {
  readonly id: string;
  readonly companyId: CompanyId;
  readonly reason: RunReason;
  /** `YYYY-MM-DD`, of a scheduled run. */
  readonly windowDay: string | undefined;
  readonly exportJobId: string | undefined;
  readonly period: { readonly from: Date; readonly until: Date };
  readonly at: Date;
}

export interface EndedJob {
  readonly installationId: InstallationId;
  readonly companyId: CompanyId;
  readonly id: string;
}

/** What one part of a run has done. */
export interface RunCounts {
  readonly jobs?: number;
  readonly items?: number;
  readonly discrepancies?: number;
  readonly repaired?: number;
}

interface ClaimedRow {
  readonly export_job_id: string | null;
  readonly period_from: Date;
  readonly period_until: Date;
  readonly progress: RunProgress;
}

@Injectable()
export class ReconciliationRunRepository extends LeasedRunRepository<ReconciliationLease, ClaimedRow> {
  constructor() {
    super({
      table: sql`reconciliation_run`,
      leaseSeconds: LEASE_SECONDS,
      order: sql`reconciliation_run.kind, position`,
      columns: sql`export_job_id, period_from, period_until, progress`,
    });
  }

  /** @returns false when the run window or the ended job has its run already */
  async request(tx: Tx, installationId: InstallationId, request: RunRequest): Promise<boolean> {
    const { period, exportJobId } = request;
    const added = await tx.execute(
      prepared(sql`
      INSERT INTO reconciliation_run (installation_id, id, company_id, kind, reason, window_day, export_job_id, period_from,
        period_until, state, requested_at, next_attempt_at)
      VALUES (${installationId}, ${request.id}, ${request.companyId}, ${exportJobId === undefined ? 'period' : 'job'},
        ${request.reason}, ${request.windowDay ?? null}, ${exportJobId ?? null}, ${period.from}, ${period.until}, 'requested',
        ${request.at}, clock_timestamp())
      ON CONFLICT DO NOTHING`),
    );
    return added === 1;
  }

  protected override toLease(lease: RunLease, row: ClaimedRow): ReconciliationLease {
    return {
      ...lease,
      exportJobId: row.export_job_id ?? undefined,
      period: { from: row.period_from, until: row.period_until },
      progress: row.progress,
    };
  }

  /**
   * First statement of every transaction that writes for a run: until it ends no other worker can become the owner. Also
   * renews the lease, and counts.
   * @throws LeaseLost
   */
  async advance(tx: Tx, lease: ReconciliationLease, counts: RunCounts, progress?: RunProgress): Promise<void> {
    const { installationId, id, fence } = lease;
    const { jobs = 0, items = 0, discrepancies = 0, repaired = 0 } = counts;
    const advanced = await tx.execute(sql`
      UPDATE reconciliation_run SET lease_until = clock_timestamp() + make_interval(secs => ${LEASE_SECONDS}),
        attempts = CASE WHEN ${progress !== undefined} THEN 0 ELSE attempts END,
        progress = COALESCE(${progress === undefined ? null : JSON.stringify(progress)}::jsonb, progress),
        jobs = jobs + ${jobs}, items = items + ${items}, discrepancies = discrepancies + ${discrepancies},
        repaired = repaired + ${repaired}
      WHERE installation_id = ${installationId} AND id = ${id} AND fence = ${fence} AND state = 'running'`);
    if (advanced !== 1) {
      throw new LeaseLost(lease, `another worker owns reconciliation ${id}`);
    }
  }

  /** @param failure what a person can do about it; undefined for a run that came to its end */
  async finish(tx: Tx, { installationId, id, fence }: ReconciliationLease, failure: string | undefined): Promise<void> {
    await tx.execute(sql`
      UPDATE reconciliation_run SET finished_at = clock_timestamp(), failure = ${failure ?? null},
        lease_until = '-infinity', state = ${failure === undefined ? 'completed' : 'failed'}
      WHERE installation_id = ${installationId} AND id = ${id} AND fence = ${fence} AND state = 'running'`);
  }

  /** Over all tenants: jobs that have ended lately and have no run of their own. */
  async findEndedJobs(tx: Tx, limit: number): Promise<readonly EndedJob[]> {
    const rows = await tx.rows<{ installation_id: string; company_id: string; id: string }>(sql`
      SELECT installation_id, company_id, id FROM export_job job
      WHERE state NOT IN ('detected', 'running', 'verdict_decided')
        AND finished_at > clock_timestamp() - make_interval(days => ${LOOK_BACK_DAYS})
        AND NOT EXISTS (SELECT FROM reconciliation_run run WHERE run.installation_id = job.installation_id
          AND run.export_job_id = job.id AND run.reason = 'job')
      ORDER BY finished_at LIMIT ${limit}`);
    return rows.map((row) => ({
      installationId: toInstallationId(row.installation_id),
      companyId: toCompanyId(row.company_id),
      id: row.id,
    }));
  }
}
