import { Injectable } from '@nestjs/common';
import { sql, type SqlStatement } from '../../../foundation/database/sql.js';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import type { InstallationId } from '../../../kernel/ids.js';
import type { Message } from '../../../kernel/message.js';
import type { ExportItem, WireMoney } from '../../bookkeeping/item/export-item.js';
import type { Issue } from '../../bookkeeping/item/issues.js';
import { listedFactsOf, type ListedFacts } from '../domain/search/listed-facts.js';
import { CODE, FIELD, MAX_TEXT_KEY } from '../domain/search/search-lines.js';
import { readStored } from '../stores/stored-contents.js';
import { namedIssues } from './named-issues.js';
import { conditionsOf, type EntryFilter, type EntryState } from './entry-filter.js';

export { ENTRY_STATES, type EntryState } from './entry-filter.js';

/** Newest export first, or by a property of the entry; descending with a minus. */
export const ENTRY_SORTS = [
  'newest',
  ...(['date', 'amount', 'account', 'supplier'] as const).flatMap((by) => [by, `-${by}`] as const),
] as const;
export type EntrySort = (typeof ENTRY_SORTS)[number];

export interface EntryPage {
  readonly order: EntrySort;
  /** The last entry of the page before; undefined for the first page. */
  readonly after: EntryPosition | undefined;
  readonly limit: number;
}

/** An entry in the list, and the export that it is shown with. */
export interface EntryPosition {
  readonly detectedAt: Date;
  readonly exportJobId: string;
  /** The row of stored items that it is in. */
  readonly storedIn: string;
  /** What a sorted list is by, a decimal text; 0 where it is by a text, or not sorted. */
  readonly numberKey: string;
  readonly textKey: string;
  readonly accountingEntryId: string;
}

/** An accounting entry as its newest export has left it. */
export interface EntryView extends ListedFacts, EntryPosition {
  readonly state: EntryState;
  readonly amount: WireMoney | null;
  /** 0: nothing was sent to the ERP. */
  readonly revision: number;
  readonly externalId: string | null;
  readonly externalUrl: string | null;
  readonly exportedAt: Date | null;
  readonly failureType: string | null;
  readonly failureReason: string | null;
  /** The reason as messages; null: it was recorded in English only. */
  readonly failureMessages: readonly Message[] | null;
  /** Keys of the issues that block it now. */
  readonly issueKeys: readonly string[];
  /** The issues that it failed because of in that export. */
  readonly issues: readonly Issue[];
}

type Row = Omit<EntryView, keyof ListedFacts>;

/**
 * Entries over all exports. Beside each hundred stored items there is a short text with a line for each: a search reads these texts,
 * newest export first, until a page is full (see docs/spec-notes.md).
 */
@Injectable()
export class EntryListReader {
  constructor(private readonly tenantDatabase: TenantDatabase) {}

  async entries(installationId: InstallationId, filter: EntryFilter, page: EntryPage): Promise<readonly EntryView[]> {
    return this.tenantDatabase.inInstallation('list entries', installationId, async (tx) => {
      const rows = await tx.rows<Row>(entriesStatement(installationId, filter, page));
      const itemAt = await readStored<ExportItem>(tx, 'items', installationId, rows);
      return rows.map((row) => ({ ...row, ...listedFactsOf(itemAt(row)) }));
    });
  }
}

/** Exported so that a test can check its query plan. */
export function entriesStatement(
  installationId: InstallationId,
  filter: EntryFilter,
  { order, after, limit }: EntryPage,
): SqlStatement {
  const { state } = filter;
  // Sub-selects with limits of their own make the planner look up found rows by their keys, job by job, whatever it estimates.
  return sql`
    SELECT found.id AS "accountingEntryId", job.id AS "exportJobId", job.detected_at AS "detectedAt", found.item_chunk_id AS "storedIn",
      ${order === 'newest' ? sql`'0' AS "numberKey", '' AS "textKey"` : sql`found.number_key::text AS "numberKey", found.text_key AS "textKey"`},
      standing.state, item.amount, coalesce(intent.revision, 0) AS revision,
      coalesce(intent.external_id, item.external_id) AS "externalId", coalesce(intent.external_url, item.external_url) AS "externalUrl",
      item.exported_at AS "exportedAt", item.failure_type AS "failureType", item.failure_reason AS "failureReason",
          item.failure_messages AS "failureMessages",
      ARRAY(SELECT issue_key FROM failed_entry blocked WHERE blocked.installation_id = ${installationId}
        AND blocked.accounting_entry_id = found.id AND cleared_at IS NULL ORDER BY issue_key) AS "issueKeys",
      ${namedIssues(installationId, sql`item`)} AS issues
    FROM ${order === 'newest' ? newestLines(installationId, filter, after) : orderedLines(installationId, filter, order, after)}
    CROSS JOIN LATERAL (
      SELECT * FROM export_item WHERE installation_id = ${installationId} AND accounting_entry_id = found.id
        AND export_job_id = job.id AND item_chunk_id = found.item_chunk_id LIMIT 1) AS item
    LEFT JOIN LATERAL (
      SELECT intent.state, intent.revision, intent.external_id, intent.external_url FROM posting_intent intent
      WHERE intent.installation_id = ${installationId} AND intent.erp_company_id = job.erp_company_id
        AND intent.accounting_entry_id = found.id ORDER BY revision DESC LIMIT 1) AS intent ON true
    CROSS JOIN LATERAL (SELECT CASE
      WHEN intent.state IN ('sent', 'uncertain') THEN 'uncertain' WHEN intent.state = 'reversed' THEN 'reversed'
      WHEN intent.state = 'posted' OR item.state = 'successful' THEN 'posted' ELSE 'failed' END AS state) AS standing
    WHERE (${state ?? null}::text IS NULL OR standing.state = ${state ?? null})
      AND ${isNewest(installationId)}
    ORDER BY ${order === 'newest' ? sql`job.detected_at DESC, job.id, job.item_chunk_id, found.id` : inOrder(order)} LIMIT ${limit}`;
}

/** Condition that no later export than `job` has a stored result of the entry `found`. */
export function isNewest(installationId: InstallationId): SqlStatement {
  return sql`(SELECT true FROM (
        SELECT export_job_id FROM export_item WHERE installation_id = ${installationId} AND accounting_entry_id = found.id
          AND export_job_id <> job.id AND item_chunk_id IS NOT NULL OFFSET 0) AS other
      CROSS JOIN LATERAL (
        SELECT id, detected_at FROM export_job WHERE installation_id = ${installationId} AND id = other.export_job_id LIMIT 1) AS newer
      WHERE newer.detected_at > job.detected_at OR newer.detected_at = job.detected_at AND newer.id < job.id
      LIMIT 1) IS NULL`;
}

/**
 * `job` and `found`, row by row of stored items, so that the query ends with a full page however many entries a job has: only the
 * hundred entries of a row are sorted.
 */
function newestLines(installationId: InstallationId, filter: EntryFilter, after: EntryPosition | undefined) {
  const { inChunk, inLine } = conditionsOf(installationId, filter);
  const { detectedAt = null, exportJobId = null, storedIn = null, accountingEntryId = null } = after ?? {};
  return sql`(
      SELECT one.*, chunk.id AS item_chunk_id, chunk.words, chunk.first_day, chunk.last_day
      FROM (
        SELECT id, detected_at, erp_company_id FROM export_job WHERE installation_id = ${installationId}
          AND (${detectedAt}::timestamptz IS NULL OR detected_at < ${detectedAt} OR detected_at = ${detectedAt} AND id >= ${exportJobId})
        ORDER BY detected_at DESC, id OFFSET 0) AS one
      CROSS JOIN LATERAL (
        SELECT id, words, first_day, last_day FROM item_chunk
        WHERE installation_id = ${installationId} AND export_job_id = one.id
          AND (${exportJobId}::uuid IS NULL OR one.id <> ${exportJobId} OR id >= ${storedIn})
        OFFSET 0) AS chunk
      ORDER BY one.detected_at DESC, one.id, chunk.id OFFSET 0) AS job
    CROSS JOIN LATERAL (
      SELECT split_part(line, ${FIELD}, 1)::uuid AS id, chunk.item_chunk_id
      FROM (SELECT job.item_chunk_id, job.words, job.first_day, job.last_day) AS chunk CROSS JOIN LATERAL string_to_table(chunk.words, E'\n') AS line
      WHERE ${inChunk} AND ${inLine}
        AND (${storedIn}::uuid IS NULL OR job.item_chunk_id <> ${storedIn} OR split_part(line, ${FIELD}, 1)::uuid > ${accountingEntryId})
      OFFSET 0) AS found`;
}

/** `job` and `found`, all sorted before the first is examined. */
function orderedLines(
  installationId: InstallationId,
  filter: EntryFilter,
  order: EntrySort,
  after: EntryPosition | undefined,
): SqlStatement {
  const { inChunk, inLine } = conditionsOf(installationId, filter);
  const keys = keysOf(order);
  const lines = sql`
    SELECT split_part(line, ${FIELD}, 1)::uuid AS id, chunk.id AS item_chunk_id, export_job_id, ${keys}
    FROM item_chunk chunk CROSS JOIN LATERAL string_to_table(chunk.words, E'\n') AS line
    WHERE chunk.installation_id = ${installationId}`;
  // By the keys themselves: items of an old export may be cleared between two pages.
  const last = after && sql`(${after.numberKey}::numeric, ${after.textKey}::text, ${after.accountingEntryId}::uuid)`;
  const beyond =
    last === undefined
      ? sql`true`
      : order.startsWith('-')
        ? sql`(number_key, text_key, id) < ${last}`
        : sql`(number_key, text_key, id) > ${last}`;
  return sql`(
      SELECT * FROM (${lines} AND ${inChunk} AND ${inLine}) AS found WHERE ${beyond} ORDER BY ${inOrder(order)} OFFSET 0) AS found
    CROSS JOIN LATERAL (
      SELECT id, detected_at, erp_company_id FROM export_job
      WHERE installation_id = ${installationId} AND export_job.id = found.export_job_id LIMIT 1) AS job`;
}

function keysOf(order: EntrySort): SqlStatement {
  const by = order.replace('-', '');
  return sql`CASE WHEN ${by}::text = 'amount' AND split_part(line, ${FIELD}, 5) <> '' THEN
      ((CASE WHEN starts_with(split_part(line, ${FIELD}, 8), '-') THEN '-' ELSE '' END) || split_part(line, ${FIELD}, 5))::numeric
      ELSE 0 END AS number_key,
    left(CASE ${by}::text WHEN 'date' THEN split_part(line, ${FIELD}, 3) WHEN 'account' THEN split_part(split_part(line, ${FIELD}, 6), ${CODE}, 2)
      WHEN 'supplier' THEN left(split_part(line, ${FIELD}, 7), coalesce(nullif(split_part(line, ${FIELD}, 9), ''), '0')::int)
      ELSE '' END, ${MAX_TEXT_KEY}::int) COLLATE "C" AS text_key`;
}

function inOrder(order: EntrySort): SqlStatement {
  return order.startsWith('-')
    ? sql`found.number_key DESC, found.text_key DESC, found.id DESC`
    : sql`found.number_key, found.text_key, found.id`;
}
