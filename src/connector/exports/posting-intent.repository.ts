import { Injectable } from '@nestjs/common';
import { sql } from '../../foundation/database/sql.js';
import type { Tx } from '../../foundation/database/transaction.js';
import { toAccountingEntryId, type AccountingEntryId, type ErpCompanyId } from '../../kernel/ids.js';
import type { PostingGroup } from '../erp/erp-ledger.js';
import type { CompanyLease } from './company-lease.repository.js';
import type { ExportJob } from './domain/export-job.js';

/**
 * `sent`: we may have posted it · `uncertain`: we asked and do not know · `posted`: it is in the ERP, for ever ·
 * `rejected`: it is surely not.
 */
export type IntentState = 'sent' | 'uncertain' | 'posted' | 'rejected';

export interface PostingIntent {
  readonly accountingEntryId: AccountingEntryId;
  readonly state: IntentState;
  readonly contentDigest: string;
  readonly externalId: string | undefined;
  readonly externalUrl: string | undefined;
}

export interface IntentOutcome {
  readonly accountingEntryId: AccountingEntryId;
  readonly state: Exclude<IntentState, 'sent'>;
  readonly externalId?: string;
  readonly externalUrl?: string;
}

/** Our record of what the ERP was asked to post, keyed by accounting entry over all jobs (invariants I1, I17, I18). */
@Injectable()
export class PostingIntentRepository {
  async find(
    tx: Tx,
    job: ExportJob,
    erpCompanyId: ErpCompanyId,
    ids: readonly string[],
  ): Promise<ReadonlyMap<AccountingEntryId, PostingIntent>> {
    const rows = await tx.rows<{
      accounting_entry_id: string;
      state: IntentState;
      content_digest: string;
      external_id: string | null;
      external_url: string | null;
    }>(sql`
      SELECT DISTINCT ON (accounting_entry_id) accounting_entry_id, state, content_digest, external_id, external_url
      FROM posting_intent
      WHERE installation_id = ${job.installationId} AND erp_company_id = ${erpCompanyId}
        AND accounting_entry_id = ANY(${ids}::uuid[])
      ORDER BY accounting_entry_id, revision DESC`);
    return new Map(
      rows.map((row) => [
        toAccountingEntryId(row.accounting_entry_id),
        {
          accountingEntryId: toAccountingEntryId(row.accounting_entry_id),
          state: row.state,
          contentDigest: row.content_digest,
          externalId: row.external_id ?? undefined,
          externalUrl: row.external_url ?? undefined,
        },
      ]),
    );
  }

  /** Whether something that this job sent may be in the ERP without our knowing. */
  async hasUnsettled(tx: Tx, job: ExportJob): Promise<boolean> {
    const rows = await tx.rows(sql`
      SELECT 1 FROM posting_intent WHERE installation_id = ${job.installationId} AND export_job_id = ${job.id}
        AND state IN ('sent', 'uncertain') LIMIT 1`);
    return rows.length > 0;
  }

  /** Written before the ERP is called. One that is not posted yet takes the new plan; a posted one raises. */
  async send(
    tx: Tx,
    job: ExportJob,
    erpCompanyId: ErpCompanyId,
    lease: CompanyLease,
    groups: readonly PostingGroup[],
    at: Date,
  ): Promise<void> {
    await tx.execute(sql`
      INSERT INTO posting_intent (installation_id, erp_company_id, accounting_entry_id, export_job_id, mapping_version,
        content_digest, plan, fence, state, created_at)
      SELECT ${job.installationId}, ${erpCompanyId}, intent.key, ${job.id}, intent.mapping_version, intent.digest,
        intent.plan::jsonb, ${lease.fence}, 'sent', ${at}
      FROM unnest(${groups.map((group) => group.key)}::uuid[], ${groups.map((group) => group.trail.mappingVersion)}::int[],
        ${groups.map((group) => group.contentDigest)}::text[], ${groups.map((group) => planOf(group))}::text[]
      ) AS intent (key, mapping_version, digest, plan)
      ON CONFLICT (installation_id, erp_company_id, accounting_entry_id, revision) DO UPDATE SET
        export_job_id = EXCLUDED.export_job_id, mapping_version = EXCLUDED.mapping_version,
        content_digest = EXCLUDED.content_digest, plan = EXCLUDED.plan, fence = EXCLUDED.fence, state = 'sent'`);
  }

  async record(
    tx: Tx,
    job: ExportJob,
    erpCompanyId: ErpCompanyId,
    outcomes: readonly IntentOutcome[],
    at: Date,
  ): Promise<void> {
    await tx.execute(sql`
      UPDATE posting_intent SET state = outcome.state, external_id = outcome.external_id, external_url = outcome.external_url,
        posted_at = CASE outcome.state WHEN 'posted' THEN ${at}::timestamptz END
      FROM unnest(${outcomes.map((outcome) => outcome.accountingEntryId)}::uuid[], ${outcomes.map((outcome) => outcome.state)}::text[],
        ${outcomes.map((outcome) => outcome.externalId ?? null)}::text[], ${outcomes.map((outcome) => outcome.externalUrl ?? null)}::text[]
      ) AS outcome (id, state, external_id, external_url)
      WHERE installation_id = ${job.installationId} AND erp_company_id = ${erpCompanyId}
        AND accounting_entry_id = outcome.id AND posting_intent.state <> 'posted'`);
  }
}

/** The planned lines as the books will show them; amounts as text, since JSON numbers are floats. */
function planOf(group: PostingGroup): string {
  return JSON.stringify(group.entries, (_, value: unknown) =>
    typeof value === 'bigint' ? value.toString() : value,
  );
}
