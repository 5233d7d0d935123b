import { Injectable } from '@nestjs/common';
import { prepared, sql } from '../../../foundation/database/sql.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import { Bug } from '../../../kernel/faults.js';
import { toAccountingEntryId, toExportJobId, type AccountingEntryId, type ErpCompanyId } from '../../../kernel/ids.js';
import type { AcceptedGroup, PostingGroup } from '../../erp/erp-ledger.js';
import type { ExportJob } from '../domain/export-job.js';
import { intentStatesBefore, type IntentState } from '../domain/intent-states.js';
import type { EntryLines } from '../domain/plans/known-entry.js';
import { importedPlan } from './imported-plan.js';
import { storePlans, readStored } from './stored-contents.js';
import type { ErpPosting, IntentOutcome, PostingIntent } from './posting-intent.js';
import type { CompanyLease } from './company-lease.repository.js';

/** Our record of what was sent to the ERP, by accounting entry and revision, over all jobs (I1, I17, I18). */
@Injectable()
export class PostingIntentRepository {
  /** The newest revision of each entry, with its plan; entries without an intent are left out. */
  async find(
    tx: Tx,
    job: ExportJob,
    erpCompanyId: ErpCompanyId,
    ids: readonly string[],
  ): Promise<ReadonlyMap<AccountingEntryId, PostingIntent>> {
    return this.withPlans(tx, job, await this.findNewest(tx, job, erpCompanyId, ids));
  }

  /** The newest revisions, without their plans. */
  async findNewest(
    tx: Tx,
    job: ExportJob,
    erpCompanyId: ErpCompanyId,
    ids: readonly string[],
  ): Promise<readonly IntentRow[]> {
    return tx.rows<IntentRow>(
      prepared(sql`
      SELECT DISTINCT ON (accounting_entry_id) accounting_entry_id, export_job_id, revision, state, content_digest,
        imported, plan_chunk_id, accepted_handle, external_id, external_url, lost_at IS NOT NULL AS lost,
        (extract(epoch FROM clock_timestamp() - first_sent_at) * 1000)::float8 AS since_first_ms,
        (extract(epoch FROM clock_timestamp() - sent_at) * 1000)::float8 AS since_last_ms,
        (extract(epoch FROM clock_timestamp() - reversal_sent_at) * 1000)::float8 AS since_reversal_ms,
        lag(CASE WHEN lost_at IS NULL THEN external_id END) OVER (PARTITION BY accounting_entry_id ORDER BY revision) AS replaced
      FROM posting_intent
      WHERE installation_id = ${job.installationId} AND erp_company_id = ${erpCompanyId}
        AND accounting_entry_id = ANY(${ids}::uuid[])
      ORDER BY accounting_entry_id, revision DESC`),
    );
  }

  /** Reads the plans of these revisions. */
  async withPlans(
    tx: Tx,
    job: ExportJob,
    rows: readonly IntentRow[],
  ): Promise<ReadonlyMap<AccountingEntryId, PostingIntent>> {
    const locationOf = ({ accounting_entry_id, export_job_id, plan_chunk_id }: IntentRow) => ({
      accountingEntryId: accounting_entry_id,
      exportJobId: export_job_id,
      storedIn: plan_chunk_id,
    });
    const planAt = await readStored<readonly StoredEntry[]>(tx, 'plans', job.installationId, rows.map(locationOf));
    const intents = rows.map((row) => toIntent(row, row.imported ?? planAt(locationOf(row)) ?? []));
    return new Map(intents.map((intent) => [intent.accountingEntryId, intent]));
  }

  /**
   * Written before the ERP is called. A revision that is certainly not in the ERP takes the new plan; one that may be there stays as it
   * is and must not be sent. The last statement of its transaction.
   * @returns the keys that may be sent
   * @throws when a revision is posted
   */
  async recordSendingLast(
    tx: Tx,
    job: ExportJob,
    erpCompanyId: ErpCompanyId,
    lease: CompanyLease,
    groups: readonly PostingGroup[],
    at: Date,
  ): Promise<ReadonlySet<string>> {
    const planChunkId = storePlans(tx, job, new Map(groups.map(({ key, entries }) => [key, entries])));
    const rows = await tx.last<{ key: string }>(
      prepared(sql`
      INSERT INTO posting_intent (installation_id, erp_company_id, accounting_entry_id, revision, export_job_id,
        mapping_version, content_digest, plan_chunk_id, fence, state, created_at, first_sent_at, sent_at)
      SELECT ${job.installationId}, ${erpCompanyId}, intent.key, intent.revision, ${job.id}, intent.mapping_version,
        intent.digest, intent.plan_chunk_id, ${lease.fence}, 'sent', ${at}, sent.at, sent.at
      FROM unnest(${groups.map((group) => group.key)}::uuid[], ${groups.map((group) => group.revision)}::int[],
        ${groups.map((group) => group.trail.mappingVersion)}::int[],
        ${groups.map((group) => group.contentDigest)}::text[], ${groups.map(({ key }) => planChunkId.get(key) ?? null)}::uuid[]
      ) AS intent (key, revision, mapping_version, digest, plan_chunk_id), clock_timestamp() AS sent (at)
      ON CONFLICT (installation_id, erp_company_id, accounting_entry_id, revision) DO UPDATE SET
        export_job_id = EXCLUDED.export_job_id, mapping_version = EXCLUDED.mapping_version,
        content_digest = EXCLUDED.content_digest, plan_chunk_id = EXCLUDED.plan_chunk_id, fence = EXCLUDED.fence, state = 'sent',
        accepted_handle = NULL, sent_at = EXCLUDED.sent_at
        WHERE posting_intent.state NOT IN ('sent', 'uncertain')
      RETURNING accounting_entry_id AS key`),
    );
    return new Set(rows.map(({ key }) => key));
  }

  /** The ERP has accepted these groups and decides later. */
  async recordHandles(
    tx: Tx,
    job: ExportJob,
    erpCompanyId: ErpCompanyId,
    accepted: readonly AcceptedGroup[],
  ): Promise<void> {
    await tx.execute(sql`
      UPDATE posting_intent SET accepted_handle = accepted.handle
      FROM unnest(${accepted.map(({ key }) => key)}::uuid[], ${accepted.map(({ revision }) => revision)}::int[],
        ${accepted.map(({ handle }) => handle)}::text[]) AS accepted (key, revision, handle)
      WHERE installation_id = ${job.installationId} AND erp_company_id = ${erpCompanyId}
        AND accounting_entry_id = accepted.key AND posting_intent.revision = accepted.revision
        AND posting_intent.state IN ('sent', 'uncertain')`);
  }

  /** The finding of a look-up or response about open intents; settled ones stay as they are. */
  async markAs(
    tx: Tx,
    job: ExportJob,
    erpCompanyId: ErpCompanyId,
    keys: readonly string[],
    state: 'uncertain' | 'rejected',
  ): Promise<void> {
    await tx.execute(sql`
      UPDATE posting_intent SET state = ${state}
      WHERE installation_id = ${job.installationId} AND erp_company_id = ${erpCompanyId}
        AND accounting_entry_id = ANY(${keys}::uuid[]) AND state = ANY(${intentStatesBefore(state)}::text[])`);
  }

  /** Records outcomes; only the newest revision of an accounting entry can be open. */
  recordOutcomes(tx: Tx, job: ExportJob, erpCompanyId: ErpCompanyId, outcomes: readonly IntentOutcome[]): void {
    tx.defer(
      prepared(sql`
      UPDATE posting_intent SET state = outcomes.of -> accounting_entry_id::text ->> 'state',
        external_id = outcomes.of -> accounting_entry_id::text ->> 'externalId',
        external_url = outcomes.of -> accounting_entry_id::text ->> 'externalUrl',
        posted_at = CASE outcomes.of -> accounting_entry_id::text ->> 'state' WHEN 'posted' THEN clock_timestamp() END
      FROM (SELECT ${byEntry(outcomes)}::jsonb AS of) AS outcomes
      WHERE installation_id = ${job.installationId} AND erp_company_id = ${erpCompanyId}
        AND accounting_entry_id = ANY(${outcomes.map((outcome) => outcome.accountingEntryId)}::uuid[])
        AND posting_intent.state IN ('sent', 'uncertain', 'rejected')`),
    );
  }

  /**
   * Open intents become posted as the ERP was found to have them; where its content is not ours, the entries that were found replace the
   * plan. A late effect is noted where the item was reported as failed (I4).
   */
  async importPostings(
    tx: Tx,
    job: ExportJob,
    erpCompanyId: ErpCompanyId,
    found: ReadonlyMap<string, ErpPosting>,
  ): Promise<void> {
    const postings = [...found.values()];
    await tx.execute(sql`
      UPDATE posting_intent SET state = 'posted', content_digest = posting.digest, external_id = posting.external_id,
        external_url = posting.external_url, posted_at = clock_timestamp(),
        late_effect = EXISTS (SELECT FROM export_item item WHERE item.installation_id = posting_intent.installation_id
          AND item.export_job_id = posting_intent.export_job_id AND item.state = 'failed'
          AND item.accounting_entry_id = posting_intent.accounting_entry_id),
        plan_chunk_id = CASE posting_intent.content_digest WHEN posting.digest THEN plan_chunk_id END,
        imported = CASE posting_intent.content_digest WHEN posting.digest THEN NULL ELSE posting.entries::jsonb END
      FROM unnest(${[...found.keys()]}::uuid[], ${postings.map((posting) => posting.contentDigest)}::text[],
        ${postings.map((posting) => posting.externalId)}::text[], ${postings.map((posting) => posting.externalUrl)}::text[],
        ${postings.map(({ entries }) => (entries === undefined ? null : importedPlan(entries)))}::text[]
      ) AS posting (id, digest, external_id, external_url, entries)
      WHERE installation_id = ${job.installationId} AND erp_company_id = ${erpCompanyId}
        AND accounting_entry_id = posting.id AND posting_intent.state = ANY(${intentStatesBefore('posted')}::text[])`);
  }

  /** Entries that the ERP had lost and has again count as posted, unless a later revision was sent. @param revisions by key */
  async restore(
    tx: Tx,
    job: ExportJob,
    erpCompanyId: ErpCompanyId,
    revisions: ReadonlyMap<string, number>,
  ): Promise<void> {
    await tx.execute(sql`
      UPDATE posting_intent SET state = 'posted', lost_at = NULL
      FROM unnest(${[...revisions.keys()]}::uuid[], ${[...revisions.values()]}::int[]) AS found (id, revision)
      WHERE installation_id = ${job.installationId} AND erp_company_id = ${erpCompanyId}
        AND accounting_entry_id = found.id AND posting_intent.revision = found.revision AND lost_at IS NOT NULL
        AND NOT EXISTS (SELECT FROM posting_intent later WHERE later.installation_id = posting_intent.installation_id
          AND later.erp_company_id = posting_intent.erp_company_id AND later.accounting_entry_id = found.id
          AND later.revision > found.revision)`);
  }

  /** Earlier revisions count as reversed, since a later one stands. @param revisions the standing ones, by key */
  async replace(
    tx: Tx,
    job: ExportJob,
    erpCompanyId: ErpCompanyId,
    revisions: ReadonlyMap<string, number>,
  ): Promise<void> {
    await tx.execute(sql`
      UPDATE posting_intent SET state = 'reversed'
      FROM unnest(${[...revisions.keys()]}::uuid[], ${[...revisions.values()]}::int[]) AS standing (id, revision)
      WHERE installation_id = ${job.installationId} AND erp_company_id = ${erpCompanyId}
        AND accounting_entry_id = standing.id AND posting_intent.revision < standing.revision AND state = 'posted'`);
  }

  /**
   * The ERP does not know an entry any more.
   * @param known the newest revision that it still knows; 0: none
   * @param since when it was first seen to be missing
   */
  async markMissing(
    tx: Tx,
    job: ExportJob,
    erpCompanyId: ErpCompanyId,
    { key, known }: { readonly key: string; readonly known: number },
    since: Date,
  ): Promise<void> {
    await tx.execute(sql`
      UPDATE posting_intent SET state = 'reversed', lost_at = ${since}, reversal_sent_at = NULL
      WHERE installation_id = ${job.installationId} AND erp_company_id = ${erpCompanyId} AND accounting_entry_id = ${key}
        AND revision > ${known} AND state IN ('posted', 'reversed') AND lost_at IS NULL`);
  }

  /** Written before the reversal is sent. */
  async recordReversalSending(
    tx: Tx,
    job: ExportJob,
    erpCompanyId: ErpCompanyId,
    found: ReadonlyMap<string, ErpPosting>,
  ): Promise<void> {
    await this.importPostings(tx, job, erpCompanyId, found);
    await tx.execute(sql`
      UPDATE posting_intent SET reversal_sent_at = clock_timestamp()
      WHERE installation_id = ${job.installationId} AND erp_company_id = ${erpCompanyId}
        AND accounting_entry_id = ANY(${[...found.keys()]}::uuid[]) AND state = 'posted'`);
  }

  /** The ERP has certainly not reversed them. */
  async withdrawReversal(tx: Tx, job: ExportJob, erpCompanyId: ErpCompanyId, keys: readonly string[]): Promise<void> {
    await tx.execute(sql`
      UPDATE posting_intent SET reversal_sent_at = NULL
      WHERE installation_id = ${job.installationId} AND erp_company_id = ${erpCompanyId}
        AND accounting_entry_id = ANY(${keys}::uuid[]) AND state = 'posted'`);
  }

  /**
   * The entries under these keys are reversed, by us or by a person.
   * @returns by key, the revision that may be posted now
   * @throws Bug when an entry has no intent that was, or may have been, posted
   */
  async markReversed(
    tx: Tx,
    job: ExportJob,
    erpCompanyId: ErpCompanyId,
    found: ReadonlyMap<string, ErpPosting>,
  ): Promise<ReadonlyMap<string, number>> {
    await this.importPostings(tx, job, erpCompanyId, found);
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
  readonly export_job_id: string;
  readonly revision: number;
  readonly state: IntentState;
  readonly content_digest: string;
  readonly imported: readonly StoredEntry[] | null;
  readonly plan_chunk_id: string | null;
  readonly accepted_handle: string | null;
  readonly external_id: string | null;
  readonly external_url: string | null;
  readonly since_first_ms: number;
  readonly since_last_ms: number;
  readonly since_reversal_ms: number | null;
  readonly replaced: string | null;
  readonly lost: boolean;
}

/** The part of a stored plan that is read back (see `storablePlan`). */
interface StoredEntry extends Pick<EntryLines, 'role' | 'postingDate' | 'currency'> {
  readonly lines: readonly {
    readonly account: { readonly code: string };
    readonly amountMinor: string;
    readonly vendor?: { readonly code: string };
  }[];
}

function toIntent(row: IntentRow, plan: readonly StoredEntry[]): PostingIntent {
  return {
    accountingEntryId: toAccountingEntryId(row.accounting_entry_id),
    exportJobId: toExportJobId(row.export_job_id),
    revision: row.revision,
    state: row.state,
    age: { sinceFirstMs: row.since_first_ms, sinceLastMs: row.since_last_ms },
    contentDigest: row.content_digest,
    content: plan.map(({ role, postingDate, currency, lines }) => ({
      role,
      postingDate,
      currency,
      lines: lines.map(({ account, amountMinor }) => ({
        accountCode: account.code,
        amountMinor: BigInt(amountMinor),
      })),
    })),
    vendorCode: plan.flatMap(({ lines }) => lines).find(({ vendor }) => vendor !== undefined)?.vendor?.code,
    acceptedHandle: row.accepted_handle ?? undefined,
    externalId: row.external_id ?? undefined,
    externalUrl: row.external_url ?? undefined,
    sinceReversalMs: row.since_reversal_ms ?? undefined,
    replaced: row.replaced ?? undefined,
    missingInErp: row.lost,
  };
}

/**
 * Outcomes as one JSON object, named by the entries' ids. Each row is found by its key and looks up its outcome: a join with a list
 * would be planned by statistics, which know nothing of states that last for seconds, and could cost the square of the number of
 * entries.
 */
function byEntry(outcomes: readonly IntentOutcome[]): string {
  return JSON.stringify(Object.fromEntries(outcomes.map((outcome) => [outcome.accountingEntryId, outcome])));
}
