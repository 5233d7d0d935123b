import { Injectable } from '@nestjs/common';
import { sql } from '../../foundation/database/sql.js';
import type { Tx } from '../../foundation/database/transaction.js';
import { Bug } from '../../kernel/faults.js';
import { toAccountingEntryId, type AccountingEntryId, type ErpCompanyId } from '../../kernel/ids.js';
import type { PostingGroup } from '../erp/erp-ledger.js';
import type { CompanyLease } from './company-lease.repository.js';
import type { ExportJob } from './domain/export-job.js';
import type { EntryLines, KnownPosting } from './domain/known-entry.js';

/**
 * `sent`: we may have posted it · `uncertain`: we asked and do not know · `posted`: it is in the ERP · `rejected`: it is
 * surely not · `reversed`: it was, and is out of the balances; only then may the next revision follow.
 */
export type IntentState = 'sent' | 'uncertain' | 'posted' | 'rejected' | 'reversed';

/** The newest revision of an accounting entry; the ones before are reversed. */
export interface PostingIntent {
  readonly accountingEntryId: AccountingEntryId;
  readonly revision: number;
  readonly state: IntentState;
  readonly contentDigest: string;
  /** What was planned; empty for what was found in the ERP and had been planned by nobody here. */
  readonly content: readonly EntryLines[];
  readonly externalId: string | undefined;
  readonly externalUrl: string | undefined;
  /** We may have reversed it. */
  readonly reversalSent: boolean;
  /** Id in the ERP of the revision before. */
  readonly replaced: string | undefined;
}

export interface IntentOutcome {
  readonly accountingEntryId: AccountingEntryId;
  readonly state: Exclude<IntentState, 'sent' | 'reversed'>;
  readonly externalId?: string;
  readonly externalUrl?: string;
}

/** What the ERP has under a key. */
export type ErpPosting = Pick<KnownPosting, 'contentDigest' | 'externalId' | 'externalUrl'>;

/** Our record of what the ERP was asked to post, keyed by accounting entry over all jobs (invariants I1, I17, I18). */
@Injectable()
export class PostingIntentRepository {
  async find(
    tx: Tx,
    job: ExportJob,
    erpCompanyId: ErpCompanyId,
    ids: readonly string[],
  ): Promise<ReadonlyMap<AccountingEntryId, PostingIntent>> {
    const rows = await tx.rows<IntentRow>(sql`
      SELECT DISTINCT ON (accounting_entry_id) accounting_entry_id, revision, state, content_digest, plan, external_id,
        external_url, reversal_sent_at IS NOT NULL AS reversal_sent,
        lag(external_id) OVER (PARTITION BY accounting_entry_id ORDER BY revision) AS replaced
      FROM posting_intent
      WHERE installation_id = ${job.installationId} AND erp_company_id = ${erpCompanyId}
        AND accounting_entry_id = ANY(${ids}::uuid[])
      ORDER BY accounting_entry_id, revision DESC`);
    const intents = rows.map(toIntent);
    return new Map(intents.map((intent) => [intent.accountingEntryId, intent]));
  }

  /** Whether something that this job sent may be in the ERP without our knowing, or an item's entry was to be replaced. */
  async hasUnsettled(tx: Tx, job: ExportJob): Promise<boolean> {
    const rows = await tx.rows(sql`
      SELECT 1 FROM posting_intent WHERE installation_id = ${job.installationId} AND export_job_id = ${job.id}
        AND state IN ('sent', 'uncertain')
      UNION ALL
      SELECT 1 FROM posting_intent intent JOIN export_item item USING (installation_id, accounting_entry_id)
      WHERE installation_id = ${job.installationId} AND item.export_job_id = ${job.id} AND item.state = 'pending'
        AND intent.reversal_sent_at IS NOT NULL
      LIMIT 1`);
    return rows.length > 0;
  }

  /** Written before the ERP is called. A revision that is not posted yet takes the new plan; a posted one raises. */
  async send(
    tx: Tx,
    job: ExportJob,
    erpCompanyId: ErpCompanyId,
    lease: CompanyLease,
    groups: readonly PostingGroup[],
    at: Date,
  ): Promise<void> {
    await tx.execute(sql`
      INSERT INTO posting_intent (installation_id, erp_company_id, accounting_entry_id, revision, export_job_id,
        mapping_version, content_digest, plan, fence, state, created_at)
      SELECT ${job.installationId}, ${erpCompanyId}, intent.key, intent.revision, ${job.id}, intent.mapping_version,
        intent.digest, intent.plan::jsonb, ${lease.fence}, 'sent', ${at}
      FROM unnest(${groups.map((group) => group.key)}::uuid[], ${groups.map((group) => group.revision)}::int[],
        ${groups.map((group) => group.trail.mappingVersion)}::int[],
        ${groups.map((group) => group.contentDigest)}::text[], ${groups.map((group) => planOf(group))}::text[]
      ) AS intent (key, revision, mapping_version, digest, plan)
      ON CONFLICT (installation_id, erp_company_id, accounting_entry_id, revision) DO UPDATE SET
        export_job_id = EXCLUDED.export_job_id, mapping_version = EXCLUDED.mapping_version,
        content_digest = EXCLUDED.content_digest, plan = EXCLUDED.plan, fence = EXCLUDED.fence, state = 'sent'`);
  }

  /** What became of intents; of an accounting entry only the newest revision can be open. */
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
        AND accounting_entry_id = outcome.id AND posting_intent.state IN ('sent', 'uncertain', 'rejected')`);
  }

  /**
   * Makes our record say what the ERP was found to have under a key: open intents become posted ones, with the plan only
   * where it is the plan of that content. For a look-up, or before a reversal of what somebody else has posted.
   */
  async adopt(
    tx: Tx,
    job: ExportJob,
    erpCompanyId: ErpCompanyId,
    found: ReadonlyMap<string, ErpPosting>,
    at: Date,
  ): Promise<void> {
    const postings = [...found.values()];
    await tx.execute(sql`
      UPDATE posting_intent SET state = 'posted', content_digest = posting.digest, external_id = posting.external_id,
        external_url = posting.external_url, posted_at = ${at},
        plan = CASE posting_intent.content_digest WHEN posting.digest THEN plan ELSE '[]' END
      FROM unnest(${[...found.keys()]}::uuid[], ${postings.map((posting) => posting.contentDigest)}::text[],
        ${postings.map((posting) => posting.externalId)}::text[], ${postings.map((posting) => posting.externalUrl)}::text[]
      ) AS posting (id, digest, external_id, external_url)
      WHERE installation_id = ${job.installationId} AND erp_company_id = ${erpCompanyId}
        AND accounting_entry_id = posting.id AND posting_intent.state IN ('sent', 'uncertain', 'rejected')`);
  }

  /** Written before the ERP is asked to reverse. */
  async sendReversal(
    tx: Tx,
    job: ExportJob,
    erpCompanyId: ErpCompanyId,
    found: ReadonlyMap<string, ErpPosting>,
    at: Date,
  ): Promise<void> {
    await this.adopt(tx, job, erpCompanyId, found, at);
    await tx.execute(sql`
      UPDATE posting_intent SET reversal_sent_at = ${at}
      WHERE installation_id = ${job.installationId} AND erp_company_id = ${erpCompanyId}
        AND accounting_entry_id = ANY(${[...found.keys()]}::uuid[]) AND state = 'posted'`);
  }

  /** The ERP has surely not reversed them. */
  async withdrawReversal(
    tx: Tx,
    job: ExportJob,
    erpCompanyId: ErpCompanyId,
    keys: readonly string[],
  ): Promise<void> {
    await tx.execute(sql`
      UPDATE posting_intent SET reversal_sent_at = NULL
      WHERE installation_id = ${job.installationId} AND erp_company_id = ${erpCompanyId}
        AND accounting_entry_id = ANY(${keys}::uuid[]) AND state = 'posted'`);
  }

  /**
   * What the ERP has under these keys is out of the balances, by us or by a person.
   * @returns by key, the revision that may be posted now
   * @throws Bug when an entry has no intent that was, or may have been, posted
   */
  async reverse(
    tx: Tx,
    job: ExportJob,
    erpCompanyId: ErpCompanyId,
    found: ReadonlyMap<string, ErpPosting>,
    at: Date,
  ): Promise<ReadonlyMap<string, number>> {
    await this.adopt(tx, job, erpCompanyId, found, at);
    const rows = await tx.rows<{ key: string; next: number }>(sql`
      UPDATE posting_intent SET state = 'reversed'
      WHERE installation_id = ${job.installationId} AND erp_company_id = ${erpCompanyId}
        AND accounting_entry_id = ANY(${[...found.keys()]}::uuid[]) AND state = 'posted'
      RETURNING accounting_entry_id AS key, revision + 1 AS next`);
    if (rows.length !== found.size) {
      throw new Bug(`of ${found.size.toString()} entries reversed, ${rows.length.toString()} had an intent`);
    }
    return new Map(rows.map(({ key, next }) => [key, next]));
  }
}

interface IntentRow {
  readonly accounting_entry_id: string;
  readonly revision: number;
  readonly state: IntentState;
  readonly content_digest: string;
  readonly plan: readonly StoredEntry[];
  readonly external_id: string | null;
  readonly external_url: string | null;
  readonly reversal_sent: boolean;
  readonly replaced: string | null;
}

/** Of a planned entry, what is read back: see `planOf`. */
interface StoredEntry extends Pick<EntryLines, 'role' | 'postingDate' | 'currency'> {
  readonly lines: readonly { readonly account: { readonly code: string }; readonly amountMinor: string }[];
}

function toIntent(row: IntentRow): PostingIntent {
  return {
    accountingEntryId: toAccountingEntryId(row.accounting_entry_id),
    revision: row.revision,
    state: row.state,
    contentDigest: row.content_digest,
    content: row.plan.map(({ role, postingDate, currency, lines }) => ({
      role,
      postingDate,
      currency,
      lines: lines.map(({ account, amountMinor }) => ({
        accountCode: account.code,
        amountMinor: BigInt(amountMinor),
      })),
    })),
    externalId: row.external_id ?? undefined,
    externalUrl: row.external_url ?? undefined,
    reversalSent: row.reversal_sent,
    replaced: row.replaced ?? undefined,
  };
}

/** The planned lines as the books will show them; amounts as text, since JSON numbers are floats. */
function planOf(group: PostingGroup): string {
  return JSON.stringify(group.entries, (_, value: unknown) =>
    typeof value === 'bigint' ? value.toString() : value,
  );
}
