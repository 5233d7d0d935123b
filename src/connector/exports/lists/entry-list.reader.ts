import { Injectable } from '@nestjs/common';
import { sql, type SqlStatement } from '../../../foundation/database/sql.js';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import { isUuid, type InstallationId } from '../../../kernel/ids.js';
import { foldedText } from '../../../kernel/text.js';
import type { ExportItem, WireMoney } from '../../bookkeeping/item/export-item.js';
import { listedFactsOf, type ListedFacts } from '../domain/listed-facts.js';
import { amountKey, CODE, FIELD } from '../domain/search-lines.js';
import { readKept, type KeptPlace } from '../stores/kept-data.js';

/** How an entry stands now: in the books, out of them again, not known yet, or not booked. */
export const ENTRY_STATES = ['posted', 'reversed', 'uncertain', 'failed'] as const;
export type EntryState = (typeof ENTRY_STATES)[number];

/** Each narrows the list; absent: whatever it is. */
export interface EntryFilter {
  /** Part of supplier, person, document number, number in the ERP or account; or the entry's id. */
  readonly search?: string | undefined;
  readonly supplier?: string | undefined;
  /** In main units, of either sign: "125.5". */
  readonly amount?: string | undefined;
  /** Code on the platform, of one of its lines. */
  readonly account?: string | undefined;
  readonly type?: string | undefined;
  readonly state?: EntryState | undefined;
  /** Days of the expense, 'YYYY-MM-DD', both included. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** Where an entry stands in the list: newest export first. */
export interface EntryPosition {
  readonly detectedAt: Date;
  readonly exportJobId: string;
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
  /** Keys of the issues that block it now. */
  readonly issueKeys: readonly string[];
}

type Row = Omit<EntryView, keyof ListedFacts> & KeptPlace;

/**
 * Entries over all exports. Beside each hundred kept items stands a little text with a line for each: a search reads those texts of the
 * tenant, newest export first, until a page is full (see docs/spec-notes.md).
 */
@Injectable()
export class EntryListReader {
  constructor(private readonly tenantDatabase: TenantDatabase) {}

  /** @param after the last entry of the page before; undefined for the first page */
  async entries(
    installationId: InstallationId,
    filter: EntryFilter,
    after: EntryPosition | undefined,
    limit: number,
  ): Promise<readonly EntryView[]> {
    return this.tenantDatabase.inInstallation('list entries', installationId, async (tx) => {
      const rows = await tx.rows<Row>(entriesStatement(installationId, filter, after, limit));
      const itemAt = await readKept<ExportItem>(tx, 'items', installationId, rows);
      return rows.map((row) => ({ ...row, ...listedFactsOf(itemAt(row)) }));
    });
  }
}

/** One statement, so that its plan can be looked at. */
export function entriesStatement(
  installationId: InstallationId,
  { state, ...filter }: EntryFilter,
  after: EntryPosition | undefined,
  limit: number,
): SqlStatement {
  const { inChunk, inLine } = conditionsOf(filter);
  // By its states: 's' of what the newest export has booked, 'f' of what it has not.
  const letter = state === undefined || state === 'uncertain' ? null : state === 'failed' ? 'f' : 's';
  // Sub-selects with a limit of their own, so that whatever the planner expects it goes by the keys of what was found, job by job.
  return sql`
    SELECT found.id AS "accountingEntryId", job.id AS "exportJobId", job.detected_at AS "detectedAt", found.kept_in AS "keptIn",
      standing.state, item.amount, coalesce(intent.revision, 0) AS revision,
      coalesce(intent.external_id, item.external_id) AS "externalId", coalesce(intent.external_url, item.external_url) AS "externalUrl",
      item.exported_at AS "exportedAt", item.failure_type AS "failureType", item.failure_reason AS "failureReason",
      ARRAY(SELECT issue_key FROM failed_entry blocked WHERE blocked.installation_id = ${installationId}
        AND blocked.accounting_entry_id = found.id AND cleared_at IS NULL ORDER BY issue_key) AS "issueKeys"
    FROM (
      SELECT id, detected_at, erp_company_id FROM export_job WHERE installation_id = ${installationId}
      ORDER BY detected_at DESC, id OFFSET 0) AS job
    CROSS JOIN LATERAL (
      SELECT split_part(line, ${FIELD}, 1)::uuid AS id, kept.id AS kept_in
      FROM kept_items kept CROSS JOIN LATERAL string_to_table(kept.words, E'\n') AS line
      WHERE kept.installation_id = ${installationId} AND kept.export_job_id = job.id AND ${inChunk}
        AND (${letter}::text IS NULL OR split_part(line, ${FIELD}, 2) = ${letter}) AND ${inLine} AND ${ofState(installationId, state)}
      OFFSET 0) AS found
    CROSS JOIN LATERAL (
      SELECT * FROM export_item WHERE installation_id = ${installationId} AND accounting_entry_id = found.id
        AND export_job_id = job.id AND kept_in = found.kept_in LIMIT 1) AS item
    LEFT JOIN LATERAL (
      SELECT intent.state, intent.revision, intent.external_id, intent.external_url FROM posting_intent intent
      WHERE intent.installation_id = ${installationId} AND intent.erp_company_id = job.erp_company_id
        AND intent.accounting_entry_id = found.id ORDER BY revision DESC LIMIT 1) AS intent ON true
    CROSS JOIN LATERAL (SELECT CASE
      WHEN intent.state IN ('sent', 'uncertain') THEN 'uncertain' WHEN intent.state = 'reversed' THEN 'reversed'
      WHEN intent.state = 'posted' OR item.state = 'successful' THEN 'posted' ELSE 'failed' END AS state) AS standing
    WHERE ${beyond(after)} AND (${state ?? null}::text IS NULL OR standing.state = ${state ?? null})
      AND (SELECT true FROM (
          SELECT export_job_id FROM export_item WHERE installation_id = ${installationId} AND accounting_entry_id = found.id
            AND export_job_id <> job.id AND kept_in IS NOT NULL OFFSET 0) AS other
        CROSS JOIN LATERAL (
          SELECT id, detected_at FROM export_job WHERE installation_id = ${installationId} AND id = other.export_job_id LIMIT 1) AS newer
        WHERE newer.detected_at > job.detected_at OR newer.detected_at = job.detected_at AND newer.id < job.id
        LIMIT 1) IS NULL
    ORDER BY job.detected_at DESC, job.id, found.id LIMIT ${limit}`;
}

/** Few entries are in these states, and no line says it: what may be in one is looked up once. */
function ofState(installationId: InstallationId, state: EntryState | undefined): SqlStatement {
  if (state === 'reversed') {
    return sql`split_part(line, ${FIELD}, 1)::uuid IN (
      SELECT accounting_entry_id FROM posting_intent WHERE installation_id = ${installationId} AND state = 'reversed')`;
  }
  return state === 'uncertain'
    ? sql`split_part(line, ${FIELD}, 1)::uuid IN (
        SELECT accounting_entry_id FROM uncertain_posting WHERE installation_id = ${installationId})`
    : sql`true`;
}

/** What is asked of the text of a hundred entries, so that most of them are left out at once, and of the line of one. */
function conditionsOf(filter: Omit<EntryFilter, 'state'>): {
  readonly inChunk: SqlStatement;
  readonly inLine: SqlStatement;
} {
  const { search, supplier, account, type, from = null, to = null } = filter;
  const id = search !== undefined && isUuid(search) ? search.toLowerCase() : null;
  const words = [id === null ? search : undefined, supplier].flatMap((text) =>
    text === undefined ? [] : foldedText(text),
  );
  const [first = null, second = null] = words;
  const code = account === undefined ? null : `${CODE}${account}${CODE}`;
  const amount = filter.amount === undefined ? null : `${FIELD}${amountKey(filter.amount) ?? ''}${FIELD}`;
  const kind = type === undefined ? null : `${FIELD}${type}${FIELD}`;
  const parts = [id, first, second, code, amount, kind].filter((part) => part !== null);
  const word = (text: string | null) =>
    sql`(${text}::text IS NULL OR strpos(split_part(line, ${FIELD}, 7), ${text}) > 0)`;
  return {
    inChunk: sql`(SELECT coalesce(bool_and(strpos(kept.words, part) > 0), true) FROM unnest(${parts}::text[]) AS part)
      AND (${from}::date IS NULL OR kept.last_day >= ${from}::date) AND (${to}::date IS NULL OR kept.first_day <= ${to}::date)`,
    inLine: sql`(${id}::text IS NULL OR split_part(line, ${FIELD}, 1) = ${id}) AND ${word(first)} AND ${word(second)}
      AND (${code}::text IS NULL OR strpos(split_part(line, ${FIELD}, 6), ${code}) > 0)
      AND (${amount}::text IS NULL OR ${FIELD} || split_part(line, ${FIELD}, 5) || ${FIELD} = ${amount})
      AND (${type ?? null}::text IS NULL OR split_part(line, ${FIELD}, 4) = ${type ?? null})
      AND (${from}::text IS NULL OR split_part(line, ${FIELD}, 3) >= ${from})
      AND (${to}::text IS NULL OR split_part(line, ${FIELD}, 3) <= ${to})`,
  };
}

function beyond(after: EntryPosition | undefined): SqlStatement {
  if (after === undefined) {
    return sql`true`;
  }
  const { detectedAt, exportJobId, accountingEntryId } = after;
  return sql`job.detected_at <= ${detectedAt} AND (job.detected_at < ${detectedAt}
    OR job.id > ${exportJobId} OR job.id = ${exportJobId} AND found.id > ${accountingEntryId})`;
}
