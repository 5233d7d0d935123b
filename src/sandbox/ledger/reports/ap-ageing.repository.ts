import { Injectable } from '@nestjs/common';
import { sql } from '../../../foundation/database/sql.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import type { PageStart } from '../http/page.js';
import type { AgedPart } from './domain/aged-amounts.js';

/** A part of one vendor, or of all vendors together: then both texts are null. */
export interface VendorPart extends AgedPart {
  readonly vendorNumber: string | null;
  readonly vendorName: string | null;
}

/** Sums are text, because they may exceed 64 bits. */
type PartRow = Omit<VendorPart, 'amountMinor' | 'baseMinor'> & Readonly<Record<'amountMinor' | 'baseMinor', string>>;

/** Open amounts by age. A settled item is left out with its base amount and the realized difference of its settlement. */
@Injectable()
export class ApAgeingRepository {
  /**
   * @param date `YYYY-MM-DD`
   * @returns the parts of the requested number of pairs of vendor and currency, and those of all vendors together
   */
  async parts(tx: Tx, companyId: string, date: string, start: PageStart): Promise<readonly VendorPart[]> {
    const [vendorNumber = '', currency = ''] = start.after;
    const rows = await tx.rows<PartRow>(sql`
      WITH part AS (
        SELECT item.vendor_number, item.currency,
          CASE WHEN ${date}::date <= item.due_on THEN 'notDue'
               WHEN ${date}::date - item.due_on <= 30 THEN 'overdue1To30'
               WHEN ${date}::date - item.due_on <= 60 THEN 'overdue31To60'
               WHEN ${date}::date - item.due_on <= 90 THEN 'overdue61To90'
               ELSE 'overdueOver90' END AS age,
          still.open_minor AS amount, still.open_base_minor AS base
        FROM open_items_on(${companyId}::uuid, ${date}::date) still
        JOIN open_item item ON item.entry_id = still.entry_id AND item.line_no = still.line_no
        UNION ALL
        SELECT line.vendor_number, entry.currency, 'baseOnly', 0, line.base_minor
        FROM journal_line line JOIN journal_entry entry ON entry.id = line.entry_id
        WHERE line.company_id = ${companyId} AND line.amount_minor = 0 AND line.vendor_number IS NOT NULL
          AND entry.state = 'posted' AND entry.posting_date <= ${date}::date
          AND NOT EXISTS (SELECT FROM settlement WHERE settlement.fx_entry_id = entry.id)
      ), summed AS (
        SELECT vendor_number, currency, age, sum(amount) AS amount, sum(base) AS base
        FROM part GROUP BY GROUPING SETS ((vendor_number, currency, age), (currency, age))
        HAVING sum(amount) <> 0 OR sum(base) <> 0
      ), paged AS (
        SELECT summed.*, dense_rank() OVER (PARTITION BY vendor_number IS NULL ORDER BY vendor_number, currency) AS place
        FROM summed WHERE vendor_number IS NULL OR (vendor_number, currency) > (${vendorNumber}, ${currency})
      )
      SELECT vendor_number AS "vendorNumber", vendor.name AS "vendorName", currency, age, amount AS "amountMinor",
        base AS "baseMinor"
      FROM paged LEFT JOIN vendor ON vendor.company_id = ${companyId} AND vendor.number = vendor_number
      WHERE vendor_number IS NULL OR place <= ${start.rows}
      ORDER BY vendor_number, currency`);
    return rows.map((row) => ({
      ...row,
      amountMinor: BigInt(row.amountMinor),
      baseMinor: BigInt(row.baseMinor),
    }));
  }
}
