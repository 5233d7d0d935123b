import { Injectable } from '@nestjs/common';
import { prepared, sql } from '../../../foundation/database/sql.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import { Bug } from '../../../kernel/faults.js';
import { toAccountingEntryId, toExportJobId, type AccountingEntryId, type ErpCompanyId } from '../../../kernel/ids.js';
import type { AcceptedGroup, PostingGroup } from '../../erp/erp-ledger.js';
import { importedPlan } from './imported-plan.js';
import { byEntry } from './by-entry.js';
import { storePlans, readStored } from './stored-contents.js';
import type { ErpPosting, IntentOutcome, PostingIntent } from './posting-intent.js';
import type { CompanyLease } from './company-lease.repository.js';
import type { ExportJob } from '../domain/export-job.js';
import { intentStatesBefore, type IntentState } from '../domain/intent-states.js';
import type { EntryLines } from '../domain/plans/known-entry.js';

/** Our record of what was sent to the ERP, keyed by accounting entry over all jobs (I1, I17, I18). */
@Injectable()
export class PostingIntentRepository {
  async find(
    tx: Tx,
    job: ExportJob,
    erpCompanyId: ErpCompanyId,
    ids: readonly string[],
  ): Promise<ReadonlyMap<AccountingEntryId, PostingIntent>> {
    return this.withPlans(tx, job, await this.findNewest(tx, job, erpCompanyId, ids));
  }

  /** Without what was sent, by one statement. */
  async findNewest(
    tx: Tx,
    job: ExportJob,
    erpCompanyId: ErpCompanyId,
    ids: readonly string[],
  ): Promise<readonly IntentRow[]> {
    return tx.rows<IntentRow>(
      prepared(sql`
      SELECT DISTINCT ON (accounting_entry_id) accounting_entry_id, export_job_id, revision, state, content_digest,
        imported, plan_in, accepted_handle, external_id, external_url, lost_at IS NOT NULL AS lost,
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

  /** By one statement more. */
  async withPlans(
    tx: Tx,
    job: ExportJob,
    rows: readonly IntentRow[],
  ): Promise<ReadonlyMap<AccountingEntryId, PostingIntent>> {
    const placeOf = ({ accounting_entry_id, export_job_id, plan_in }: IntentRow) => ({
      accountingEntryId: accounting_entry_id,
      exportJobId: export_job_id,
      storedIn: plan_in,
    });
    const planAt = await readStored<readonly StoredEntry[]>(tx, 'plans', job.installationId, rows.map(placeOf));
    const intents = rows.map((row) => toIntent(row, row.imported ?? planAt(placeOf(row)) ?? []));
    return new Map(intents.map((intent) => [intent.accountingEntryId, intent]));
  }

  /**
   * Written before the ERP is called. A revision that is surely not there takes the new plan; one that may be there is
   * left as it is, and must not be sent. The transaction ends with it.
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
    const planIn = storePlans(tx, job, new Map(groups.map(({ key, entries }) => [key, entries])));
    const rows = await tx.last<{ key: string }>(
      prepared(sql`
      INSERT INTO posting_intent (installation_id, erp_company_id, accounting_entry_id, revision, export_job_id,
        mapping_version, content_digest, plan_in, fence, state, created_at, first_sent_at, sent_at)
      SELECT ${job.installationId}, ${erpCompanyId}, intent.key, intent.revision, ${job.id}, intent.mapping_version,
        intent.digest, intent.plan_in, ${lease.fence}, 'sent', ${at}, sent.at, sent.at
      FROM unnest(${groups.map((group) => group.key)}::uuid[], ${groups.map((group) => group.revision)}::int[],
        ${groups.map((group) => group.trail.mappingVersion)}::int[],
        ${groups.map((group) => group.contentDigest)}::text[], ${groups.map(({ key }) => planIn.get(key) ?? null)}::uuid[]
      ) AS intent (key, revision, mapping_version, digest, plan_in), clock_timestamp() AS sent (at)
      ON CONFLICT (installation_id, erp_company_id, accounting_entry_id, revision) DO UPDATE SET
        export_job_id = EXCLUDED.export_job_id, mapping_version = EXCLUDED.mapping_version,
        content_digest = EXCLUDED.content_digest, plan_in = EXCLUDED.plan_in, fence = EXCLUDED.fence, state = 'sent',
        accepted_handle = NULL, sent_at = EXCLUDED.sent_at
        WHERE posting_intent.state NOT IN ('sent', 'uncertain')
      RETURNING accounting_entry_id AS key`),
    );
    return new Set(rows.map(({ key }) => key));
  }

  /** The ERP has accepted what was sent and says later what becomes of it. */
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

  /** What a look-up or a response has shown about open intents. Settled ones stay as they are. */
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

  /** What became of intents; of an accounting entry only the newest revision can be open. */
  recordOutcomes(
    tx: Tx,
    job: ExportJob,
    erpCompanyId: ErpCompanyId,
    outcomes: readonly IntentOutcome[],
    at: Date,
  ): void {
    tx.defer(
      prepared(sql`
      UPDATE posting_intent SET state = outcomes.of -> accounting_entry_id::text ->> 'state',
        external_id = outcomes.of -> accounting_entry_id::text ->> 'externalId',
        external_url = outcomes.of -> accounting_entry_id::text ->> 'externalUrl',
        posted_at = CASE outcomes.of -> accounting_entry_id::text ->> 'state' WHEN 'posted' THEN ${at}::timestamptz END
      FROM (SELECT ${byEntry(outcomes, (outcome) => outcome)}::jsonb AS of) AS outcomes
      WHERE installation_id = ${job.installationId} AND erp_company_id = ${erpCompanyId}
        AND accounting_entry_id = ANY(${outcomes.map((outcome) => outcome.accountingEntryId)}::uuid[])
        AND posting_intent.state IN ('sent', 'uncertain', 'rejected')`),
    );
  }

  /**
   * Makes our record say what the ERP was found to have under a key: open intents become posted ones, with the plan only
   * where it is the plan of that content, else with the entries that were found. For a look-up, or before a reversal of what was posted outside the connector. What its
   * item was reported as failed for is a late effect (I4).
   */
  async importPostings(
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
        late_effect = EXISTS (SELECT FROM export_item item WHERE item.installation_id = posting_intent.installation_id
          AND item.export_job_id = posting_intent.export_job_id AND item.state = 'failed'
          AND item.accounting_entry_id = posting_intent.accounting_entry_id),
        plan_in = CASE posting_intent.content_digest WHEN posting.digest THEN plan_in END,
        imported = CASE posting_intent.content_digest WHEN posting.digest THEN NULL ELSE posting.entries::jsonb END
      FROM unnest(${[...found.keys()]}::uuid[], ${postings.map((posting) => posting.contentDigest)}::text[],
        ${postings.map((posting) => posting.externalId)}::text[], ${postings.map((posting) => posting.externalUrl)}::text[],
        ${postings.map(({ entries }) => (entries === undefined ? null : importedPlan(entries)))}::text[]
      ) AS posting (id, digest, external_id, external_url, entries)
      WHERE installation_id = ${job.installationId} AND erp_company_id = ${erpCompanyId}
        AND accounting_entry_id = posting.id AND posting_intent.state = ANY(${intentStatesBefore('posted')}::text[])`);
  }

  /** What the ERP had lost and has again is posted as it was, unless a later revision was sent. @param revisions by key */
  async restore(
    tx: Tx,
    job: ExportJob,
    erpCompanyId: ErpCompanyId,
    revisions: ReadonlyMap<string, number>,
  ): Promise<void> {
    await tx.execute(sql`
      UPDATE posting_intent SET state = 'posted', lost_at = NULL
      FROM unnest(${[...revisions.keys()]}::uuid[], ${[...revisions.values()]}::int[]) AS back (id, revision)
      WHERE installation_id = ${job.installationId} AND erp_company_id = ${erpCompanyId}
        AND accounting_entry_id = back.id AND posting_intent.revision = back.revision AND lost_at IS NOT NULL
        AND NOT EXISTS (SELECT FROM posting_intent later WHERE later.installation_id = posting_intent.installation_id
          AND later.erp_company_id = posting_intent.erp_company_id AND later.accounting_entry_id = back.id
          AND later.revision > back.revision)`);
  }

  /** What stands is a later revision: the ones before were out of the books when it was posted. @param revisions by key */
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
   * The ERP does not know what was posted under a key any more.
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
    at: Date,
  ): Promise<void> {
    await this.importPostings(tx, job, erpCompanyId, found, at);
    await tx.execute(sql`
      UPDATE posting_intent SET reversal_sent_at = clock_timestamp()
      WHERE installation_id = ${job.installationId} AND erp_company_id = ${erpCompanyId}
        AND accounting_entry_id = ANY(${[...found.keys()]}::uuid[]) AND state = 'posted'`);
  }

  /** The ERP has surely not reversed them. */
  async withdrawReversal(tx: Tx, job: ExportJob, erpCompanyId: ErpCompanyId, keys: readonly string[]): Promise<void> {
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
  async markReversed(
    tx: Tx,
    job: ExportJob,
    erpCompanyId: ErpCompanyId,
    found: ReadonlyMap<string, ErpPosting>,
    at: Date,
  ): Promise<ReadonlyMap<string, number>> {
    await this.importPostings(tx, job, erpCompanyId, found, at);
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
  readonly plan_in: string | null;
  readonly accepted_handle: string | null;
  readonly external_id: string | null;
  readonly external_url: string | null;
  readonly since_first_ms: number;
  readonly since_last_ms: number;
  readonly since_reversal_ms: number | null;
  readonly replaced: string | null;
  readonly lost: boolean;
}

/** Of a planned entry, what is read back: see `storablePlan`. */
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
