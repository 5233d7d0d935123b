import { Injectable } from '@nestjs/common';
import { sql } from '../../../../foundation/database/sql.js';
import type { Tx } from '../../../../foundation/database/transaction.js';
import type { PageStart } from '../../http/page.js';
import type { InspectedEntryDto, InspectedGroupDto, ListedGroupDto } from './group-inspection.dto.js';

export type InspectedGroupRow = Omit<InspectedGroupDto, 'entries'> & {
  readonly entries: readonly Omit<InspectedEntryDto, 'settlementOpen'>[];
};

/** Reads whole groups as the books have them now, for a reconciliation with an external record. */
@Injectable()
export class GroupInspectionRepository {
  /**
   * Every revision under the keys, by key and revision, without generated entries.
   * @param minAgeSeconds leaves out what is younger: the lag of a company's search
   */
  async inspect(
    tx: Tx,
    companyId: string,
    keys: readonly string[],
    minAgeSeconds: number,
  ): Promise<readonly InspectedGroupRow[]> {
    return tx.rows<InspectedGroupRow>(sql`
      SELECT posting_group.key, revision, content_digest AS "contentDigest", entries
      FROM posting_group
      CROSS JOIN LATERAL (SELECT coalesce(jsonb_agg(jsonb_build_object('id', entry.id, 'role', entry.role, 'part', entry.part,
            'state', CASE WHEN reversal.id IS NULL THEN entry.state ELSE 'reversed' END,
            'postingDate', entry.posting_date, 'currency', entry.currency,
            'lines', (SELECT jsonb_agg(jsonb_build_object('accountCode', account_code, 'amountMinor', amount_minor::text,
                'taxCode', tax_code, 'tax', tax_of_line(line), 'vendorNumber', vendor_number, 'dimensions', dimensions) ORDER BY line_no)
              FROM journal_line line WHERE entry_id = entry.id)) ORDER BY entry.id), '[]') AS entries
          FROM journal_entry entry LEFT JOIN journal_entry reversal ON reversal.reverses_id = entry.id
          WHERE entry.posting_group_id = posting_group.id AND entry.role NOT IN ('reversal', 'realized-fx', 'transfer')) AS entry
      WHERE company_id = ${companyId} AND key = ANY(${keys}::text[])
        AND posting_group.created_at <= now() - make_interval(secs => ${minAgeSeconds})
      ORDER BY posting_group.key, revision`);
  }

  /** Groups with an entry dated in the period, in the order of their creation. */
  async list(
    tx: Tx,
    companyId: string,
    days: { readonly from: string; readonly to: string },
    start: PageStart,
  ): Promise<readonly ListedGroupDto[]> {
    const rows = await tx.rows<Omit<ListedGroupDto, 'amountMinor'> & { readonly amountMinor: bigint }>(sql`
      SELECT posting_group.id, posting_group.key, revision, standing, currency, day AS "postingDate", debits AS "amountMinor",
        first.metadata ->> 'accountingEntryId' AS "accountingEntryId", first.metadata ->> 'installationId' AS "installationId"
      FROM posting_group
      CROSS JOIN LATERAL (SELECT metadata, currency FROM journal_entry
          WHERE posting_group_id = posting_group.id AND role NOT IN ('reversal', 'realized-fx', 'transfer') ORDER BY id LIMIT 1) AS first
      CROSS JOIN LATERAL (SELECT coalesce(bool_or(entry.state IN ('draft', 'posted') AND NOT EXISTS (
              SELECT FROM journal_entry reversal WHERE reversal.reverses_id = entry.id)), false) AS standing,
            min(entry.posting_date) AS day, bool_or(entry.posting_date BETWEEN ${days.from}::date AND ${days.to}::date) AS dated
          FROM journal_entry entry
          WHERE entry.posting_group_id = posting_group.id AND entry.role NOT IN ('reversal', 'realized-fx', 'transfer')) AS entries
      CROSS JOIN LATERAL (SELECT coalesce(sum(amount_minor), 0)::bigint AS debits
          FROM journal_entry entry JOIN journal_line line ON line.entry_id = entry.id
          WHERE entry.posting_group_id = posting_group.id AND entry.role NOT IN ('reversal', 'realized-fx', 'transfer')
            AND amount_minor > 0) AS amount
      WHERE company_id = ${companyId} AND dated
        AND posting_group.id > COALESCE(NULLIF(${start.after[0]}, '')::uuid, '00000000-0000-0000-0000-000000000000')
      ORDER BY posting_group.id LIMIT ${start.rows}`);
    return rows.map((row) => ({ ...row, amountMinor: row.amountMinor.toString() }));
  }
}
