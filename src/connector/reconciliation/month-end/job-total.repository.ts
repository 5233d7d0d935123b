import { Injectable } from '@nestjs/common';
import { sql } from '../../../foundation/database/sql.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import type { CurrencyCode } from '../../../kernel/currency.js';
import { toErpCompanyId, type ErpCompanyId, type InstallationId } from '../../../kernel/ids.js';
import type { AccountRole } from '../domain/month-end.js';

/** What our record has on an account in one currency, up to the end of a month; minor units. */
export interface OwnAccount {
  readonly accountCode: string;
  readonly currency: CurrencyCode;
  readonly role: AccountRole | undefined;
  readonly openingMinor: bigint;
  readonly debitMinor: bigint;
  readonly creditMinor: bigint;
}

export interface MonthCounts {
  readonly posted: number;
  readonly reversed: number;
  readonly drafts: number;
}

interface OwnRow {
  readonly account: string;
  readonly currency: CurrencyCode;
  readonly role: AccountRole | null;
  readonly opening: string;
  readonly debit: string;
  readonly credit: string;
}

/** Which postings a job has, and how they stand. */
const FINGERPRINT = sql`concat(count(*), ':', sum(hashtextextended(concat(erp_company_id, '/', accounting_entry_id, '/', revision, '/', state), 0)))`;

/** What each job has posted, by posting month: kept, and made again when its postings are no longer what they were. */
@Injectable()
export class JobTotalRepository {
  /** Jobs whose sums are missing, or of other postings than there are now. */
  async listOutdated(tx: Tx, installationId: InstallationId): Promise<readonly string[]> {
    const rows = await tx.rows<{ readonly id: string }>(sql`
      SELECT export_job_id AS id FROM (
        SELECT export_job_id, ${FINGERPRINT} AS fingerprint FROM posting_intent
        WHERE installation_id = ${installationId} AND state IN ('posted', 'reversed') GROUP BY export_job_id) AS now
        FULL JOIN (SELECT export_job_id, fingerprint FROM job_total WHERE installation_id = ${installationId}) AS stored
          USING (export_job_id)
      WHERE now.fingerprint IS DISTINCT FROM stored.fingerprint ORDER BY id`);
    return rows.map(({ id }) => id);
  }

  /** Adds up what a job has posted. */
  async addUp(tx: Tx, installationId: InstallationId, jobId: string): Promise<void> {
    await tx.execute(sql`
      WITH intent AS MATERIALIZED (
        SELECT erp_company_id, accounting_entry_id, revision, plan_chunk_id, imported, state FROM posting_intent
        WHERE installation_id = ${installationId} AND export_job_id = ${jobId} AND state IN ('posted', 'reversed')
      ), planned AS (
        -- Each row of plans is opened once.
        SELECT erp_company_id AS company, state, plan FROM plan_chunk chunk
          CROSS JOIN LATERAL jsonb_each(plans::jsonb) AS one (entry_id, plan)
          JOIN intent ON plan_chunk_id = chunk.id AND accounting_entry_id = entry_id::uuid AND imported IS NULL
        WHERE chunk.installation_id = ${installationId} AND chunk.export_job_id = ${jobId}
        UNION ALL SELECT erp_company_id, state, imported FROM intent WHERE imported IS NOT NULL
      ), of_month AS (
        SELECT company, left(plan -> 0 ->> 'postingDate', 7) AS month, count(*) FILTER (WHERE state = 'posted') AS posted,
          count(*) FILTER (WHERE state = 'reversed') AS reversed,
          count(*) FILTER (WHERE state = 'posted' AND plan -> 0 ->> 'state' = 'draft') AS drafts
        FROM planned WHERE plan -> 0 ->> 'postingDate' IS NOT NULL GROUP BY 1, 2
      ), line AS (
        SELECT company, left(entry ->> 'postingDate', 7) AS month, entry ->> 'currency' AS currency,
          line -> 'account' ->> 'code' AS account, (line ->> 'amountMinor')::numeric AS minor,
          line #>> '{account,decision,by}' AS decided_by, line #>> '{account,decision,setting}' AS setting
        FROM planned CROSS JOIN LATERAL jsonb_array_elements(plan) AS entry
          CROSS JOIN LATERAL jsonb_array_elements(entry -> 'lines') AS line
        WHERE state = 'posted' AND entry ->> 'postingDate' IS NOT NULL
      ), of_account AS (
        SELECT company, month, currency, account, max(CASE
            WHEN decided_by = 'contra-account' OR setting LIKE 'Wallet %' THEN 'wallet'
            WHEN decided_by = 'vendor' OR setting IN ('Accounts payable', 'Out-of-pocket') THEN 'payables' END) AS role,
          sum(greatest(minor, 0)) AS debit, sum(greatest(-minor, 0)) AS credit
        FROM line GROUP BY 1, 2, 3, 4
      )
      INSERT INTO job_total (installation_id, export_job_id, fingerprint, months, accounts)
      SELECT ${installationId}, ${jobId}, (SELECT ${FINGERPRINT} FROM intent),
        coalesce((SELECT jsonb_agg(to_jsonb(of_month)) FROM of_month), '[]'),
        coalesce((SELECT jsonb_agg(to_jsonb(of_account)) FROM of_account), '[]')
      ON CONFLICT (installation_id, export_job_id)
        DO UPDATE SET fingerprint = EXCLUDED.fingerprint, months = EXCLUDED.months, accounts = EXCLUDED.accounts`);
  }

  /** Companies of the ERP that anything was posted to. */
  async erpCompanies(tx: Tx, installationId: InstallationId): Promise<readonly ErpCompanyId[]> {
    const rows = await tx.rows<{ readonly id: string }>(sql`
      SELECT DISTINCT month ->> 'company' AS id FROM job_total CROSS JOIN LATERAL jsonb_array_elements(months) AS month
      WHERE installation_id = ${installationId} ORDER BY 1`);
    return rows.map(({ id }) => toErpCompanyId(id));
  }

  /** @param month `YYYY-MM` */
  async accounts(
    tx: Tx,
    installationId: InstallationId,
    company: ErpCompanyId,
    month: string,
  ): Promise<readonly OwnAccount[]> {
    const rows = await tx.rows<OwnRow>(sql`
      SELECT account, currency, max(role) AS role, sum(CASE WHEN month < ${month} THEN debit - credit ELSE 0 END)::text AS opening,
        sum(CASE WHEN month = ${month} THEN debit ELSE 0 END)::text AS debit,
        sum(CASE WHEN month = ${month} THEN credit ELSE 0 END)::text AS credit
      FROM job_total CROSS JOIN LATERAL jsonb_to_recordset(accounts)
        AS total (company text, month text, currency text, account text, role text, debit numeric, credit numeric)
      WHERE installation_id = ${installationId} AND company = ${company} AND month <= ${month}
      GROUP BY account, currency`);
    return rows.map(({ account, currency, role, opening, debit, credit }) => ({
      accountCode: account,
      currency,
      role: role ?? undefined,
      openingMinor: BigInt(opening),
      debitMinor: BigInt(debit),
      creditMinor: BigInt(credit),
    }));
  }

  /** Months in which anything was posted. */
  async months(
    tx: Tx,
    installationId: InstallationId,
    company: ErpCompanyId,
  ): Promise<readonly (MonthCounts & { readonly month: string })[]> {
    return tx.rows(sql`
      SELECT one ->> 'month' AS month, sum((one ->> 'posted')::int)::int AS posted,
        sum((one ->> 'reversed')::int)::int AS reversed, sum((one ->> 'drafts')::int)::int AS drafts
      FROM job_total CROSS JOIN LATERAL jsonb_array_elements(months) AS one
      WHERE installation_id = ${installationId} AND one ->> 'company' = ${company} GROUP BY 1 ORDER BY 1 DESC`);
  }
}
