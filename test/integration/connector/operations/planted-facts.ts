// What alerts are about, stored as its room leaves it.
import { randomUUID } from 'node:crypto';
import type { AlertKind } from '../../../../src/connector/alerts/domain/alert.js';
import { localDateIn, type LocalDate } from '../../../../src/kernel/local-date.js';
import type { ExportsHarness, Tenant } from '../exports/exports-harness.js';

const MINUTE_MS = 60_000;

export class PlantedFacts {
  constructor(
    private readonly harness: ExportsHarness,
    private readonly tenant: Tenant,
  ) {}

  async of(kind: AlertKind): Promise<void> {
    switch (kind) {
      case 'export-failed':
        await this.job('failed');
        return;
      case 'export-with-errors':
        return this.jobWithErrors();
      case 'deadline-near':
        await this.job('running');
        return;
      case 'authorization-needed':
        return this.query(`UPDATE installation SET state = 'needs_reauthorization' WHERE id = $1`);
      case 'erp-authorization-needed':
        return this.query(
          `INSERT INTO erp_connection (installation_id, generation, version, kind, erp_system, is_first, settings,
             sealed_secrets, state, problem, connected_by, connected_at)
           VALUES ($1, 1, 3, 'ledger', 'ledger:x', true, '{}', 'sealed', 'needs-reauthorization', 'no', 'me', now())`,
        );
      case 'subscription-disabled':
        return this.query(
          `INSERT INTO subscription (installation_id, endpoint_token, endpoint_token_hash, confirmed_status, confirmed_at, updated_at)
           VALUES ($1, 'sealed', decode(md5($2), 'hex'), 'DISABLED', now(), now())`,
          this.tenant.installationId,
        );
      // Digests come when something is open.
      case 'digest-daily':
      case 'digest-weekly':
      case 'discrepancies-overdue':
        return this.discrepancies();
      case 'in-doubt-posting':
        return this.inDoubtPostings();
      case 'erp-company-wanted':
        return this.companyClaims();
      case 'sync-failed':
        return this.query(
          `INSERT INTO sync_run (installation_id, id, company_id, kind, is_preview, reason, state, requested_at, finished_at,
             next_attempt_at, failure)
           VALUES ($1, gen_random_uuid(), $2, 'accounts', false, 'schedule', 'failed', $3, $3, $3, 'Connect the company again.')`,
          this.tenant.companyId,
          this.ago(0),
        );
    }
  }

  async companyIn(timeZone: string): Promise<void> {
    await this.query(
      `INSERT INTO reconciliation_schedule (installation_id, time_zone, next_run_at) VALUES ($1, $2, now())`,
      timeZone,
    );
  }

  /** Where it is another day than in UTC. @returns that day */
  async companyOnAnotherDay(): Promise<LocalDate> {
    const now = new Date();
    const timeZone = now.getUTCHours() < 12 ? 'Etc/GMT+12' : 'Etc/GMT-14';
    await this.companyIn(timeZone);
    return localDateIn(now, timeZone);
  }

  /** @param minutesAgo when it ended; an open one ends in 14 minutes */
  async job(state: string, minutesAgo = 0): Promise<string> {
    const id = randomUUID();
    const failed = state === 'failed';
    await this.query(
      `INSERT INTO export_job (installation_id, id, company_id, state, number_of_items, vendor_based_bookkeeping,
         created_on_platform_at, expires_at, detected_at, next_run_at, finished_at, failure_type, failure_reason)
       VALUES ($1, $2, $3, $4, 1, false, $5, $6, $5, $5, $7, $8, $9)`,
      id,
      this.tenant.companyId,
      state,
      this.ago(60),
      this.ago(-14),
      state === 'running' ? null : this.ago(minutesAgo),
      failed ? 'missing_configuration' : null,
      failed ? 'Set the wallet account, then export again.' : null,
    );
    return id;
  }

  /** Of one entry. */
  async issuePutOff(until: LocalDate): Promise<void> {
    await this.query(
      `WITH named AS (
         INSERT INTO issue (installation_id, issue_key, kind, reference, failure_type, reason, first_seen_at, last_seen_at)
         VALUES ($1, 'account:6420', 'account', '6420', 'account_unknown', 'no', $3, $3)),
       handled AS (
         INSERT INTO issue_handling (installation_id, issue_key, snoozed_until) VALUES ($1, 'account:6420', $4))
       INSERT INTO failed_entry (installation_id, issue_key, accounting_entry_id, export_job_id, first_seen_at, last_seen_at)
       VALUES ($1, 'account:6420', gen_random_uuid(), $2, $3, $3)`,
      await this.job('completed'),
      this.ago(60),
      until,
    );
  }

  private async jobWithErrors(): Promise<void> {
    const id = await this.job('completed_with_errors');
    await this.query(
      `INSERT INTO export_item (installation_id, export_job_id, accounting_entry_id, position, state, failure_type, failure_reason)
       SELECT $1, $2, gen_random_uuid(), n, 'failed', 'account_unknown', 'no' FROM generate_series(1, 3) n`,
      id,
    );
  }

  private async companyClaims(): Promise<void> {
    await this.query(
      `INSERT INTO erp_company_claim (installation_id, day, claims, first_at) VALUES ($1, ($2::timestamptz)::date, 2, $2)`,
      this.ago(0),
    );
  }

  private async inDoubtPostings(): Promise<void> {
    await this.query(
      `INSERT INTO posting_intent (installation_id, erp_company_id, accounting_entry_id, export_job_id, mapping_version,
         content_digest, fence, state, created_at)
       SELECT $1, 'erp', gen_random_uuid(), $2, 1, 'digest', 1, 'uncertain', $3 FROM generate_series(1, 2)`,
      await this.job('completed'),
      this.ago(11),
    );
  }

  private async discrepancies(): Promise<void> {
    await this.query(
      `WITH run AS (
         INSERT INTO reconciliation_run (installation_id, id, company_id, kind, reason, period_from, period_until, state,
           requested_at, finished_at, next_attempt_at)
         VALUES ($1, gen_random_uuid(), $2, 'period', 'person', now(), now(), 'completed', now(), now(), now()) RETURNING id)
       INSERT INTO discrepancy (installation_id, id, company_id, class, subject, fingerprint, evidence, occurred_at, state,
         first_seen_at, last_seen_at, last_seen_run)
       SELECT $1, gen_random_uuid(), $2, 'orphan-entry', n::text, 'f', '{}', $3, 'open', $3, $3, run.id
       FROM run, generate_series(1, 2) n`,
      this.tenant.companyId,
      this.ago(8 * 24 * 60),
    );
  }

  private ago(minutes: number): Date {
    return new Date(this.harness.clock.now().getTime() - minutes * MINUTE_MS);
  }

  /** The installation is `$1`. */
  private async query(statement: string, ...values: readonly unknown[]): Promise<void> {
    await this.harness.admin.query(statement, [this.tenant.installationId, ...values]);
  }
}
