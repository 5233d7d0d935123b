import { Injectable } from '@nestjs/common';
import { sql } from '../../foundation/database/sql.js';
import type { Tx } from '../../foundation/database/transaction.js';
import type { PageStart } from '../http/page.js';
import { entryNumber } from './domain/posting-outcome.js';
import type { JournalEntryDto, JournalQuery } from './journal-entry.dto.js';

interface EntryRow extends Omit<JournalEntryDto, 'number' | 'createdAt'> {
  readonly year: number;
  readonly sequence: bigint | null;
  readonly createdAt: Date;
}

interface EntryFilter extends Pick<JournalQuery, 'keyPrefix' | 'from' | 'to' | 'account'> {
  readonly entryId?: string;
}

const FROM_THE_START: PageStart = { rows: 1, after: [''] };

/** Reads entries with their lines, in the order in which they were made. */
@Injectable()
export class JournalRepository {
  async page(
    tx: Tx,
    companyId: string,
    filter: EntryFilter,
    start: PageStart,
  ): Promise<readonly JournalEntryDto[]> {
    const { entryId = null, keyPrefix = null, from = null, to = null, account = null } = filter;
    const rows = await tx.rows<EntryRow>(sql`
      SELECT entry.id, posting_group.key, posting_group.revision, posting_group.content_digest AS "contentDigest",
        role, state, fiscal_year AS year, number AS sequence, posting_date AS "postingDate",
        document_date AS "documentDate", due_date AS "dueDate", document_number AS "documentNumber", currency,
        description, reference, settlement, metadata, entry.created_at AS "createdAt",
        (SELECT jsonb_agg(jsonb_build_object('lineNo', line_no, 'accountCode', account_code,
            'amountMinor', amount_minor::text, 'baseMinor', base_minor::text, 'vendorNumber', vendor_number,
            'employee', employee, 'taxCode', tax_code, 'dimensions', dimensions) ORDER BY line_no)
          FROM journal_line WHERE entry_id = entry.id) AS lines
      FROM journal_entry entry JOIN posting_group ON posting_group.id = entry.posting_group_id
      WHERE entry.company_id = ${companyId}
        AND entry.id > COALESCE(NULLIF(${start.after[0]}, '')::uuid, '00000000-0000-0000-0000-000000000000')
        AND (${entryId}::uuid IS NULL OR entry.id = ${entryId}::uuid)
        AND (${keyPrefix}::text IS NULL OR starts_with(posting_group.key, ${keyPrefix}::text))
        AND posting_date BETWEEN COALESCE(${from}::date, '-infinity') AND COALESCE(${to}::date, 'infinity')
        AND (${account}::text IS NULL OR EXISTS (SELECT FROM journal_line
          WHERE journal_line.company_id = ${companyId} AND entry_id = entry.id AND account_code = ${account}::text))
      ORDER BY entry.id LIMIT ${start.rows}`);
    return rows.map(({ year, sequence, createdAt, ...row }) => ({
      ...row,
      number: sequence === null ? null : entryNumber(year, sequence),
      createdAt: createdAt.toISOString(),
    }));
  }

  async find(tx: Tx, companyId: string, entryId: string): Promise<JournalEntryDto | undefined> {
    const [entry] = await this.page(tx, companyId, { entryId }, FROM_THE_START);
    return entry;
  }
}
