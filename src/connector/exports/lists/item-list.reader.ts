import { Injectable } from '@nestjs/common';
import { sql, type SqlStatement } from '../../../foundation/database/sql.js';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import type { ExportJobId, InstallationId } from '../../../kernel/ids.js';
import type { ExportItem, WireMoney } from '../../bookkeeping/item/export-item.js';
import { listedFactsOf, type ListedFacts } from '../domain/listed-facts.js';
import type { ExportItemState } from '../domain/state-transitions.js';
import { AMOUNT_FORM } from '../stores/export-job.reader.js';
import { readKept, type KeptPlace } from '../stores/kept-data.js';

export const ITEM_SORTS = ['position', 'date', 'amount', 'account', 'supplier'] as const;

/** Each narrows the list; absent: whatever it is. */
export interface ItemFilter {
  readonly state?: ExportItemState | undefined;
  /** Key of an issue that blocks it now. */
  readonly issue?: string | undefined;
  readonly type?: string | undefined;
  /** Code on the platform, of one of its lines. */
  readonly account?: string | undefined;
  /** Part of supplier, person, account, document number, number in the ERP or the entry's id. */
  readonly search?: string | undefined;
}

export interface ItemOrder {
  readonly by: (typeof ITEM_SORTS)[number];
  readonly descending: boolean;
}

export interface ItemView extends ListedFacts {
  readonly position: number;
  readonly accountingEntryId: string;
  readonly state: ExportItemState;
  readonly amount: WireMoney | null;
  /** Keys of the issues that block it now. */
  readonly issueKeys: readonly string[];
  readonly externalId: string | null;
  readonly externalUrl: string | null;
  readonly exportedAt: Date | null;
  readonly failureType: string | null;
  readonly failureReason: string | null;
  readonly warnings: readonly string[];
  readonly reportedAt: Date | null;
  readonly reportProblem: string | null;
}

export interface ItemPage {
  readonly rows: readonly ItemView[];
  /** Of the filter, on all pages. */
  readonly total: number;
}

type Row = Omit<ItemView, keyof ListedFacts> & KeptPlace & { readonly total: number };

/** What lists need of a kept item. Only this much of it is held for a whole job, which may have 100,000. */
const KEPT = sql`
  SELECT entry.key::uuid AS id, value ->> 'type' AS type, value ->> 'date' AS date, value #>> '{vendor,name}' AS supplier,
    concat_ws(' ', value #>> '{user,code}', value #>> '{additionalInformation,invoiceInformation,invoiceNumber}') AS words,
    jsonb_path_query_array(value, '$.accountingEntryLines[*].account.code') AS codes,
    jsonb_path_query_array(value, '$.accountingEntryLines[*].account.name') AS names
  FROM kept_items CROSS JOIN jsonb_each(items) AS entry`;

/**
 * The items of one job as people look for them. What they are sought by stands in the compressed rows that the job has written once
 * anyway: a search decompresses those of its job, so that exports write no column for it (see docs/spec-notes.md).
 */
@Injectable()
export class ItemListReader {
  constructor(private readonly tenantDatabase: TenantDatabase) {}

  /** @param after position of the last item on the page before; undefined for the first page */
  async items(
    installationId: InstallationId,
    jobId: ExportJobId,
    filter: ItemFilter,
    order: ItemOrder,
    page: { readonly after: number | undefined; readonly limit: number },
  ): Promise<ItemPage> {
    return this.tenantDatabase.inInstallation('list items', installationId, async (tx) => {
      const listed = await tx.rows<Row>(sql`
        WITH ${matching(installationId, jobId, filter, order)}, page AS (
          SELECT position AS at, row_number() OVER (${inOrder(order)}) AS nth, (SELECT count(*)::int FROM matching) AS total
          FROM matching ${beyond(order, page.after)} ${inOrder(order)} LIMIT ${page.limit})
        SELECT position, accounting_entry_id AS "accountingEntryId", export_job_id AS "exportJobId", kept_in AS "keptIn", state,
          amount, external_id AS "externalId", external_url AS "externalUrl", exported_at AS "exportedAt",
          failure_type AS "failureType", failure_reason AS "failureReason", warnings,
          coalesce(known_at, (SELECT delivered_at FROM outbox WHERE outbox.installation_id = ${installationId}
            AND outbox.export_job_id = ${jobId} AND seq = reported_in)) AS "reportedAt",
          report_problem AS "reportProblem", total,
          ARRAY(SELECT issue_key FROM failed_entry blocked WHERE blocked.installation_id = ${installationId}
            AND blocked.accounting_entry_id = item.accounting_entry_id AND cleared_at IS NULL ORDER BY issue_key) AS "issueKeys"
        FROM page JOIN export_item item ON item.position = page.at
        WHERE item.installation_id = ${installationId} AND item.export_job_id = ${jobId} ORDER BY nth`);
      return { rows: await withFacts(tx, installationId, listed), total: listed[0]?.total ?? 0 };
    });
  }
}

function matching(installationId: InstallationId, jobId: ExportJobId, filter: ItemFilter, order: ItemOrder) {
  const { state = null, issue = null, type = null, account = null } = filter;
  const search = filter.search?.toLowerCase() ?? null;
  const listed = sql`
    item.installation_id = ${installationId} AND item.export_job_id = ${jobId}
    AND (${state}::text IS NULL OR item.state = ${state})
    AND (${issue}::text IS NULL OR EXISTS (SELECT FROM failed_entry blocked WHERE blocked.installation_id = ${installationId}
      AND blocked.issue_key = ${issue} AND blocked.accounting_entry_id = item.accounting_entry_id AND cleared_at IS NULL))`;
  if (type === null && account === null && search === null && order.by === 'position') {
    return sql`matching AS (SELECT position, 0 AS number_key, '' AS text_key FROM export_item item WHERE ${listed})`;
  }
  return sql`
    kept AS (${KEPT} WHERE kept_items.installation_id = ${installationId} AND kept_items.export_job_id = ${jobId}),
    matching AS (
      SELECT position, CASE WHEN ${order.by === 'amount'} AND item.amount ->> 'value' ~ ${AMOUNT_FORM}
        THEN (item.amount ->> 'value')::numeric ELSE 0 END AS number_key,
        coalesce(CASE ${order.by}::text WHEN 'date' THEN kept.date WHEN 'account' THEN kept.codes ->> 0
          WHEN 'supplier' THEN lower(kept.supplier) END, '') COLLATE "C" AS text_key
      FROM export_item item LEFT JOIN kept ON kept.id = item.accounting_entry_id
      WHERE ${listed} AND (${type}::text IS NULL OR kept.type = ${type})
        AND (${account}::text IS NULL OR kept.codes ? ${account})
        AND (${search}::text IS NULL OR strpos(lower(concat_ws(' ', item.accounting_entry_id::text, item.external_id,
          kept.supplier, kept.words, kept.codes::text, kept.names::text)), ${search}) > 0))`;
}

function inOrder({ descending }: ItemOrder): SqlStatement {
  return descending
    ? sql`ORDER BY number_key DESC, text_key DESC, position DESC`
    : sql`ORDER BY number_key, text_key, position`;
}

/** Rows after the one with that position; by what that one is sorted by, its row says. */
function beyond({ descending }: ItemOrder, after: number | undefined): SqlStatement {
  if (after === undefined) {
    return sql``;
  }
  const last = sql`(SELECT number_key, text_key, position FROM matching WHERE position = ${after})`;
  return descending
    ? sql`WHERE (number_key, text_key, position) < ${last}`
    : sql`WHERE (number_key, text_key, position) > ${last}`;
}

async function withFacts(tx: Tx, installationId: InstallationId, rows: readonly Row[]): Promise<readonly ItemView[]> {
  const itemAt = await readKept<ExportItem>(tx, 'items', installationId, rows);
  return rows.map((row) => ({ ...row, ...listedFactsOf(itemAt(row)) }));
}
