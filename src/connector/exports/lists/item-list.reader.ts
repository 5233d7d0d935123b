import { Injectable } from '@nestjs/common';
import { sql, type SqlStatement } from '../../../foundation/database/sql.js';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import type { ExportJobId, InstallationId } from '../../../kernel/ids.js';
import { foldedText } from '../../../kernel/text.js';
import type { Message } from '../../../kernel/message.js';
import type { ExportItem, WireMoney } from '../../bookkeeping/item/export-item.js';
import type { Issue } from '../../bookkeeping/item/issues.js';
import { listedFactsOf, type ListedFacts } from '../domain/search/listed-facts.js';
import type { ExportItemState } from '../domain/state-transitions.js';
import { AMOUNT_FORM, currencySums, type CurrencySum, type WireSum } from '../stores/currency-sums.js';
import { CODE, FIELD, MAX_TEXT_KEY } from '../domain/search/search-lines.js';
import { readStored, type StorageLocation } from '../stores/stored-contents.js';
import { namedIssues } from './named-issues.js';

export const ITEM_SORTS = ['position', 'date', 'amount', 'account', 'supplier'] as const;

/** Absent properties do not narrow the list. */
export interface ItemFilter {
  readonly state?: ExportItemState | undefined;
  /** Key of an issue that blocks it now. */
  readonly issue?: string | undefined;
  readonly type?: string | undefined;
  /** Code on the platform, of one of its lines. */
  readonly account?: string | undefined;
  /** Part of supplier, person, account, document number, number in the ERP or the entry's id. */
  readonly search?: string | undefined;
  /** Part of the vendor's name. */
  readonly supplier?: string | undefined;
  /** Part of the person's code, or the platform's id of a person without one. */
  readonly person?: string | undefined;
  /** Days of the expense, 'YYYY-MM-DD', both included. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** In main units of the wallet's currency, without sign: "125.5"; both included. */
  readonly minAmount?: string | undefined;
  readonly maxAmount?: string | undefined;
}

export interface ItemOrder {
  readonly by: (typeof ITEM_SORTS)[number];
  readonly descending: boolean;
}

/** Where an item stands in the list: by this alone the next page begins, whatever has become of the item. */
export interface ItemPosition {
  /** What the order is by, a decimal text; 0 where it is by a text. */
  readonly numberKey: string;
  readonly textKey: string;
  readonly position: number;
}

export interface ItemView extends ListedFacts, ItemPosition {
  readonly accountingEntryId: string;
  readonly state: ExportItemState;
  readonly amount: WireMoney | null;
  /** Keys of the issues that block it now. */
  readonly issueKeys: readonly string[];
  /** The issues that it failed because of in this export. */
  readonly issues: readonly Issue[];
  readonly externalId: string | null;
  readonly externalUrl: string | null;
  readonly exportedAt: Date | null;
  readonly failureType: string | null;
  readonly failureReason: string | null;
  /** The reason as messages; null: it was recorded in English only. */
  readonly failureMessages: readonly Message[] | null;
  readonly warnings: readonly string[];
  readonly reportedAt: Date | null;
  readonly reportProblem: string | null;
}

export interface ItemPage {
  readonly rows: readonly ItemView[];
  /** Of the filter, on all pages. */
  readonly total: number;
  /** Of the filter, on all pages; undefined where nothing is narrowed: the job has these. */
  readonly sums: readonly CurrencySum[] | undefined;
}

type Row = Omit<ItemView, keyof ListedFacts> &
  StorageLocation & { readonly total: number; readonly sums: readonly WireSum[] | null };

/** The search columns of each item, a line of text beside the compressed items (see `search-lines`). */
const SEARCH_LINES = sql`
  SELECT split_part(line, ${FIELD}, 1)::uuid AS id, split_part(line, ${FIELD}, 3) AS date, split_part(line, ${FIELD}, 4) AS type,
    split_part(line, ${FIELD}, 6) AS codes, text AS words, left(text, split_part(line, ${FIELD}, 9)::int) AS supplier,
    split_part(line, ${FIELD}, 10) AS person
  FROM item_chunk CROSS JOIN LATERAL string_to_table(item_chunk.words, E'\n') AS line
    CROSS JOIN LATERAL split_part(line, ${FIELD}, 7) AS text`;

/** The amount of an item; null where the platform's text is no number. */
const IN_HUNDREDTHS = sql`CROSS JOIN LATERAL (SELECT CASE WHEN item.amount ->> 'value' ~ ${AMOUNT_FORM}
  THEN (item.amount ->> 'value')::numeric END AS hundredths) AS amount`;

/**
 * The items of one job, searched by a line of text for each beside the compressed items (see docs/spec-notes.md).
 */
@Injectable()
export class ItemListReader {
  constructor(private readonly tenantDatabase: TenantDatabase) {}

  /** @param page after the last item on the page before; undefined for the first page */
  async items(
    installationId: InstallationId,
    jobId: ExportJobId,
    filter: ItemFilter,
    order: ItemOrder,
    page: { readonly after: ItemPosition | undefined; readonly limit: number },
  ): Promise<ItemPage> {
    return this.tenantDatabase.inInstallation('list items', installationId, async (tx) => {
      const listed = await tx.rows<Row>(sql`
        WITH ${matching(installationId, jobId, filter, order)}, page AS (
          SELECT position AS at, number_key, text_key, row_number() OVER (${inOrder(order)}) AS nth, (SELECT count(*)::int FROM matching) AS total,
            (${narrows(filter) ? SUMS : sql`NULL::jsonb`}) AS sums
          FROM matching ${beyond(order, page.after)} ${inOrder(order)} LIMIT ${page.limit})
        SELECT position, number_key::text AS "numberKey", text_key AS "textKey", accounting_entry_id AS "accountingEntryId", export_job_id AS "exportJobId", item_chunk_id AS "storedIn", state,
          amount, external_id AS "externalId", external_url AS "externalUrl", exported_at AS "exportedAt",
          failure_type AS "failureType", failure_reason AS "failureReason",
          item.failure_messages AS "failureMessages", warnings,
          coalesce(known_at, (SELECT delivered_at FROM outbox WHERE outbox.installation_id = ${installationId}
            AND outbox.export_job_id = ${jobId} AND seq = reported_in)) AS "reportedAt",
          report_problem AS "reportProblem", total, sums,
          ARRAY(SELECT issue_key FROM failed_entry blocked WHERE blocked.installation_id = ${installationId}
            AND blocked.accounting_entry_id = item.accounting_entry_id AND cleared_at IS NULL ORDER BY issue_key) AS "issueKeys",
          ${namedIssues(installationId, sql`item`)} AS issues
        FROM page JOIN export_item item ON item.position = page.at
        WHERE item.installation_id = ${installationId} AND item.export_job_id = ${jobId} ORDER BY nth`);
      const sums = narrows(filter) ? currencySums(listed[0]?.sums) : undefined;
      return { rows: await withFacts(tx, installationId, listed), total: listed[0]?.total ?? 0, sums };
    });
  }
}

const SUMS = sql`
  SELECT jsonb_agg(jsonb_build_object('currency', currency, 'hundredths', coalesce(hundredths, 0)::text) ORDER BY currency)
  FROM (SELECT currency, sum(hundredths) AS hundredths FROM matching WHERE currency IS NOT NULL GROUP BY currency) of_currency`;

function narrows(filter: ItemFilter): boolean {
  return Object.values(filter).some((value) => value !== undefined);
}

function matching(installationId: InstallationId, jobId: ExportJobId, filter: ItemFilter, order: ItemOrder) {
  const { state = null, issue = null, type = null, account = null, from = null, to = null } = filter;
  const [search = null, supplier = null, person = null] = [filter.search, filter.supplier, filter.person].map((text) =>
    text === undefined ? undefined : foldedText(text),
  );
  const [min = null, max = null] = [filter.minAmount, filter.maxAmount].map((text) => text?.replace(',', '.'));
  const listed = sql`
    item.installation_id = ${installationId} AND item.export_job_id = ${jobId}
    AND (${state}::text IS NULL OR item.state = ${state})
    AND (${issue}::text IS NULL OR EXISTS (SELECT FROM failed_entry blocked WHERE blocked.installation_id = ${installationId}
      AND blocked.issue_key = ${issue} AND blocked.accounting_entry_id = item.accounting_entry_id AND cleared_at IS NULL))
    AND (${min}::numeric IS NULL OR abs(hundredths) >= ${min}::numeric * 100)
    AND (${max}::numeric IS NULL OR abs(hundredths) <= ${max}::numeric * 100)`;
  const needsStoredItems = [type, account, search, supplier, person, from, to].some((value) => value !== null);
  if (!needsStoredItems && order.by === 'position') {
    return sql`matching AS (
      SELECT position, 0 AS number_key, '' AS text_key, item.amount ->> 'currency' AS currency, hundredths
      FROM export_item item ${IN_HUNDREDTHS} WHERE ${listed})`;
  }
  return sql`
    searched AS (${SEARCH_LINES} WHERE item_chunk.installation_id = ${installationId} AND item_chunk.export_job_id = ${jobId}),
    matching AS (
      SELECT position, item.amount ->> 'currency' AS currency, hundredths,
        CASE WHEN ${order.by === 'amount'} THEN coalesce(hundredths, 0) ELSE 0 END AS number_key,
        left(coalesce(CASE ${order.by}::text WHEN 'date' THEN searched.date WHEN 'account' THEN split_part(searched.codes, ${CODE}, 2)
          WHEN 'supplier' THEN searched.supplier END, ''), ${MAX_TEXT_KEY}::int) COLLATE "C" AS text_key
      FROM export_item item ${IN_HUNDREDTHS} LEFT JOIN searched ON searched.id = item.accounting_entry_id
      WHERE ${listed} AND (${type}::text IS NULL OR searched.type = ${type})
        AND (${account}::text IS NULL OR strpos(searched.codes, ${account === null ? null : CODE + account + CODE}) > 0)
        AND (${supplier}::text IS NULL OR strpos(searched.supplier, ${supplier}) > 0)
        AND (${person}::text IS NULL OR strpos(searched.person, ${person}) > 0)
        AND (${from}::text IS NULL OR searched.date COLLATE "C" >= ${from})
        AND (${to}::text IS NULL OR searched.date COLLATE "C" <= ${to})
        AND (${search}::text IS NULL OR strpos(concat_ws(' ', item.accounting_entry_id::text, lower(item.external_id), searched.words), ${search}) > 0))`;
}

function inOrder({ descending }: ItemOrder): SqlStatement {
  return descending
    ? sql`ORDER BY number_key DESC, text_key DESC, position DESC`
    : sql`ORDER BY number_key, text_key, position`;
}

function beyond({ descending }: ItemOrder, after: ItemPosition | undefined): SqlStatement {
  if (after === undefined) {
    return sql``;
  }
  const last = sql`(${after.numberKey}::numeric, ${after.textKey}::text, ${after.position}::int)`;
  return descending
    ? sql`WHERE (number_key, text_key, position) < ${last}`
    : sql`WHERE (number_key, text_key, position) > ${last}`;
}

async function withFacts(tx: Tx, installationId: InstallationId, rows: readonly Row[]): Promise<readonly ItemView[]> {
  const itemAt = await readStored<ExportItem>(tx, 'items', installationId, rows);
  return rows.map((row) => ({ ...row, ...listedFactsOf(itemAt(row)) }));
}
