import { Injectable } from '@nestjs/common';
import { sql } from '../../../foundation/database/sql.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import type { PageStart } from '../http/page.js';
import { entryNumber } from '../journal/domain/posting-outcome.js';
import type { OpenItemDto, OpenItemsQuery } from './open-items.dto.js';

type ItemRow = Omit<OpenItemDto, 'number' | MinorField> &
  Readonly<Record<MinorField, bigint>> & { readonly fiscalYear: number; readonly sequence: bigint };

type MinorField = 'amountMinor' | 'settledMinor' | 'openMinor' | 'baseMinor' | 'settledBaseMinor' | 'openBaseMinor';

/** Vendors' items as they stood at the end of a day. */
@Injectable()
export class OpenItemsRepository {
  /** @param date `YYYY-MM-DD` */
  async page(
    tx: Tx,
    companyId: string,
    date: string,
    query: Pick<OpenItemsQuery, 'vendor' | 'status'>,
    start: PageStart,
  ): Promise<readonly OpenItemDto[]> {
    const [vendorNumber = '', dueOn = '', entryId = '', lineNo = ''] = start.after;
    const rows = await tx.rows<ItemRow>(sql`
      SELECT item.vendor_number AS "vendorNumber", vendor.name AS "vendorName", line.account_code AS "accountCode",
        item.entry_id AS "entryId", entry.fiscal_year AS "fiscalYear", entry.number AS sequence, item.line_no AS "lineNo",
        entry.role, item.document_number AS "documentNumber", entry.document_date AS "documentDate",
        item.posted_on AS "postedOn", item.due_on AS "dueOn", ${date}::date - item.due_on AS "daysOverdue", item.currency,
        item.amount_minor AS "amountMinor", item.amount_minor - coalesce(still.open_minor, 0) AS "settledMinor",
        coalesce(still.open_minor, 0) AS "openMinor", item.base_minor AS "baseMinor",
        item.base_minor - coalesce(still.open_base_minor, 0) AS "settledBaseMinor",
        coalesce(still.open_base_minor, 0) AS "openBaseMinor"
      FROM open_item item
      LEFT JOIN open_items_on(${companyId}::uuid, ${date}::date) still
        ON still.entry_id = item.entry_id AND still.line_no = item.line_no
      JOIN journal_entry entry ON entry.id = item.entry_id
      JOIN journal_line line ON line.entry_id = item.entry_id AND line.line_no = item.line_no
      JOIN vendor ON vendor.company_id = item.company_id AND vendor.number = item.vendor_number
      WHERE item.company_id = ${companyId} AND item.posted_on <= ${date}::date
        AND (${query.status} = 'all' OR still.entry_id IS NOT NULL)
        AND (${query.vendor ?? null}::text IS NULL OR item.vendor_number = ${query.vendor ?? null}::text)
        AND (item.vendor_number, item.due_on, item.entry_id, item.line_no)
          > (${vendorNumber}, COALESCE(NULLIF(${dueOn}, '')::date, '-infinity'),
             COALESCE(NULLIF(${entryId}, '')::uuid, '00000000-0000-0000-0000-000000000000'),
             COALESCE(NULLIF(${lineNo}, '')::integer, 0))
      ORDER BY item.vendor_number, item.due_on, item.entry_id, item.line_no LIMIT ${start.rows}`);
    return rows.map(({ fiscalYear, sequence, ...row }) => ({
      ...row,
      number: entryNumber(fiscalYear, sequence),
      amountMinor: row.amountMinor.toString(),
      settledMinor: row.settledMinor.toString(),
      openMinor: row.openMinor.toString(),
      baseMinor: row.baseMinor.toString(),
      settledBaseMinor: row.settledBaseMinor.toString(),
      openBaseMinor: row.openBaseMinor.toString(),
    }));
  }
}
