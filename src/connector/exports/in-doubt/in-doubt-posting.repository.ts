import { Injectable } from '@nestjs/common';
import { sql } from '../../../foundation/database/sql.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import type { CurrencyCode } from '../../../kernel/currency.js';
import {
  toAccountingEntryId,
  toCompanyId,
  toExportJobId,
  toInstallationId,
  type AccountingEntryId,
  type CompanyId,
  type ExportJobId,
  type InstallationId,
} from '../../../kernel/ids.js';
import type { EntryRole } from '../../bookkeeping/item/posting-plan.js';
import type { CompanyLease } from '../stores/company-lease.repository.js';

/** A posting in doubt, as members see it. */
export interface InDoubtPosting {
  readonly accountingEntryId: string;
  readonly exportJobId: string;
  readonly erpCompanyId: string;
  readonly revision: number;
  /** When it was first sent, by the clock of the worker; the list's order. */
  readonly createdAt: Date;
  /** When it was last sent, by the database's clock. */
  readonly sentAt: Date;
  readonly entries: readonly InDoubtEntry[];
}

export interface InDoubtEntry {
  readonly role: EntryRole;
  readonly postingDate: string;
  readonly currency: CurrencyCode;
  /** Minor units as text, debit positive. */
  readonly lines: readonly { readonly account: { readonly code: string }; readonly amountMinor: string }[];
}

/** An intent to be resolved. */
export type InDoubtIntent = Pick<InDoubtPosting, 'accountingEntryId' | 'erpCompanyId' | 'revision'>;

/** What a bookkeeper has found in the ERP. */
export type ManualResolution = { readonly note?: string | undefined } & (
  | { readonly outcome: 'not-in-the-books' }
  | {
      readonly outcome: 'in-the-books';
      readonly externalId: string;
      readonly externalUrl?: string | undefined;
    }
);

/** A posting whose look-up is due. */
export interface DueLookUp {
  readonly exportJobId: ExportJobId;
  readonly accountingEntryId: AccountingEntryId;
}

/**
 * Postings in doubt. An intent that is `sent` belongs to the running job; it counts as uncertain when the job has ended.
 */
@Injectable()
export class InDoubtPostingRepository {
  /** Locks the uncertain intents of an accounting entry until the end of the transaction; one per ERP company. */
  async lock(
    tx: Tx,
    installationId: InstallationId,
    accountingEntryId: AccountingEntryId,
  ): Promise<readonly InDoubtIntent[]> {
    return tx.rows<InDoubtIntent>(sql`
      SELECT accounting_entry_id AS "accountingEntryId", erp_company_id AS "erpCompanyId", revision FROM posting_intent
      WHERE installation_id = ${installationId} AND state = 'uncertain'
        AND (erp_company_id, accounting_entry_id, revision) IN (
          SELECT erp_company_id, accounting_entry_id, revision FROM uncertain_posting
          WHERE installation_id = ${installationId} AND accounting_entry_id = ${accountingEntryId})
      FOR UPDATE`);
  }

  /** Whether an accounting entry was ever sent to the ERP. */
  async wasEverSent(tx: Tx, installationId: InstallationId, accountingEntryId: AccountingEntryId): Promise<boolean> {
    const rows = await tx.rows(sql`
      SELECT 1 FROM posting_intent
      WHERE installation_id = ${installationId} AND accounting_entry_id = ${accountingEntryId} LIMIT 1`);
    return rows.length > 0;
  }

  /**
   * Settles a locked intent as a person has found it, and stores the resolution.
   * @param by the person, for the record
   */
  async resolve(
    tx: Tx,
    installationId: InstallationId,
    { accountingEntryId, erpCompanyId, revision }: InDoubtIntent,
    resolution: ManualResolution,
    by: string,
  ): Promise<void> {
    const { externalId = null, externalUrl = null } = resolution.outcome === 'in-the-books' ? resolution : {};
    await tx.execute(sql`
      WITH resolved AS (
        UPDATE posting_intent SET state = CASE ${resolution.outcome} WHEN 'in-the-books' THEN 'posted' ELSE 'rejected' END,
          external_id = ${externalId}::text, external_url = ${externalUrl}::text,
          posted_at = CASE ${resolution.outcome} WHEN 'in-the-books' THEN clock_timestamp() END,
          late_effect = ${resolution.outcome} = 'in-the-books' AND EXISTS (SELECT FROM export_item item
            WHERE item.installation_id = posting_intent.installation_id AND item.state = 'failed'
              AND item.export_job_id = posting_intent.export_job_id
              AND item.accounting_entry_id = posting_intent.accounting_entry_id)
        WHERE installation_id = ${installationId} AND erp_company_id = ${erpCompanyId}
          AND accounting_entry_id = ${accountingEntryId} AND revision = ${revision}
        RETURNING sent_at
      )
      INSERT INTO posting_resolution (installation_id, erp_company_id, accounting_entry_id, revision, sent_at, outcome,
        external_id, external_url, note, resolved_by, resolved_at)
      SELECT ${installationId}, ${erpCompanyId}, ${accountingEntryId}, ${revision}, sent_at, ${resolution.outcome},
        ${externalId}, ${externalUrl}, ${resolution.note ?? null}, ${by}, clock_timestamp() FROM resolved`);
  }

  /** Over all tenants: companies with a due look-up whose job is over, at most `limit`. */
  async findDueCompanies(
    tx: Tx,
    limit: number,
  ): Promise<readonly { readonly installationId: InstallationId; readonly companyId: CompanyId }[]> {
    const rows = await tx.rows<{ installation_id: string; company_id: string }>(sql`
      SELECT DISTINCT uncertain.installation_id, company_id FROM uncertain_posting uncertain
      JOIN export_job job ON job.installation_id = uncertain.installation_id AND job.id = export_job_id
      WHERE look_up_at <= clock_timestamp()
        AND job.state NOT IN ('detected', 'running', 'verdict_decided')
      LIMIT ${limit}`);
    return rows.map((row) => ({
      installationId: toInstallationId(row.installation_id),
      companyId: toCompanyId(row.company_id),
    }));
  }

  /**
   * Due look-ups of a company, at most `limit`, the longest due first. Each is due again after as long as its posting has
   * been uncertain, between a minute and an hour, so that an unavailable ERP is not queried all the time.
   */
  async claimDue(tx: Tx, { installationId, companyId }: CompanyLease, limit: number): Promise<readonly DueLookUp[]> {
    const rows = await tx.rows<{ export_job_id: string; accounting_entry_id: string }>(sql`
      UPDATE uncertain_posting uncertain SET look_up_at = clock_timestamp()
        + LEAST(GREATEST(clock_timestamp() - due.sent_at, interval '1 minute'), interval '1 hour')
      FROM (
        SELECT next.erp_company_id, accounting_entry_id, revision, sent_at
        FROM uncertain_posting next
        JOIN posting_intent intent USING (installation_id, erp_company_id, accounting_entry_id, revision)
        JOIN export_job job ON job.installation_id = next.installation_id AND job.id = next.export_job_id
        WHERE next.installation_id = ${installationId} AND company_id = ${companyId}
          AND look_up_at <= clock_timestamp() AND job.state NOT IN ('detected', 'running', 'verdict_decided')
        ORDER BY look_up_at LIMIT ${limit}
      ) due
      WHERE uncertain.installation_id = ${installationId} AND uncertain.erp_company_id = due.erp_company_id
        AND uncertain.accounting_entry_id = due.accounting_entry_id AND uncertain.revision = due.revision
      RETURNING uncertain.export_job_id, uncertain.accounting_entry_id`);
    return rows.map((row) => ({
      exportJobId: toExportJobId(row.export_job_id),
      accountingEntryId: toAccountingEntryId(row.accounting_entry_id),
    }));
  }
}
