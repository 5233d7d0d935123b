import { Injectable } from '@nestjs/common';
import { sql } from '../../../foundation/database/sql.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import { findWarnings, namedDocuments, type GroupWarning, type KnownDocument } from './domain/find-warnings.js';
import { entryNumber, type PostingWarning } from './domain/posting-outcome.js';
import type { NewEntry } from './entry.repository.js';

interface DocumentRow extends Omit<KnownDocument, 'name'> {
  readonly year: number;
  readonly sequence: bigint | null;
}

/** Warnings for a bookkeeper: found by comparing new entries with earlier ones, and stored with the group. */
@Injectable()
export class WarningRepository {
  /** @param entries written in this transaction; their settlements are written too */
  async find(tx: Tx, companyId: string, entries: readonly NewEntry[]): Promise<readonly GroupWarning[]> {
    const numbers = [...new Set(entries.flatMap(namedDocuments))];
    if (numbers.length === 0) {
      return [];
    }
    const payments = entries.filter(({ content }) => content.settlement?.kind === 'settles');
    return findWarnings(entries, {
      documents: await this.documents(tx, companyId, numbers),
      settledIds: await this.settled(
        tx,
        payments.map((entry) => entry.id),
      ),
    });
  }

  /**
   * Stores warnings after the earlier ones of their group, for later look-ups by its key.
   * @returns the warnings by group
   */
  async add(
    tx: Tx,
    companyId: string,
    warnings: readonly GroupWarning[],
  ): Promise<ReadonlyMap<string, readonly PostingWarning[]>> {
    const byGroup = new Map<string, readonly PostingWarning[]>();
    if (warnings.length === 0) {
      return byGroup;
    }
    await tx.execute(sql`
      INSERT INTO posting_warning (company_id, posting_group_id, warning_no, code, message)
      SELECT ${companyId}::uuid, new.group_id,
        (SELECT count(*) FROM posting_warning kept WHERE kept.posting_group_id = new.group_id)
          + row_number() OVER (PARTITION BY new.group_id ORDER BY new.nth), new.code, new.message
      FROM unnest(${warnings.map((w) => w.groupId)}::uuid[], ${warnings.map((w) => w.code)}::text[],
        ${warnings.map((w) => w.message)}::text[]) WITH ORDINALITY AS new (group_id, code, message, nth)`);
    for (const { groupId, code, message } of warnings) {
      byGroup.set(groupId, [...(byGroup.get(groupId) ?? []), { code, message }]);
    }
    return byGroup;
  }

  /** Entries of these document numbers that are not cancelled, oldest first. Subqueries instead of joins keep the query plan stable. */
  private async documents(tx: Tx, companyId: string, numbers: readonly string[]): Promise<readonly KnownDocument[]> {
    const rows = await tx.rows<DocumentRow>(sql`
      SELECT document.id, (SELECT key FROM posting_group WHERE id = document.posting_group_id) AS key, document.role,
        document.currency, document.document_number AS "documentNumber", document.fiscal_year AS year,
        document.number AS sequence,
        ARRAY(SELECT jsonb_build_object('vendorNumber', line.vendor_number, 'isDebit', line.amount_minor > 0,
            'isOpen', EXISTS (SELECT FROM open_item item
              WHERE (item.entry_id, item.line_no) = (line.entry_id, line.line_no) AND item.open_minor <> 0))
          FROM journal_line line
          WHERE line.entry_id = document.id AND line.amount_minor <> 0 AND (line.vendor_number IS NOT NULL
            OR (SELECT type FROM account WHERE company_id = line.company_id AND code = line.account_code) = 'liability')
          ORDER BY line.line_no) AS sides
      FROM journal_entry document
      WHERE company_id = ${companyId} AND document_number = ANY(${numbers}::text[])
        AND role IN ('entry', 'invoice', 'credit-note') AND state <> 'discarded'
        AND NOT EXISTS (SELECT FROM journal_entry reversal WHERE reversal.reverses_id = document.id)
      ORDER BY document.id`);
    return rows.map(({ year, sequence, ...document }) => ({
      ...document,
      name: sequence === null ? `draft ${document.id}` : entryNumber(year, sequence),
    }));
  }

  private async settled(tx: Tx, entryIds: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await tx.rows<{ readonly id: string }>(sql`
      SELECT entry_id AS id FROM open_item WHERE entry_id = ANY(${entryIds}::uuid[])
      GROUP BY entry_id HAVING bool_and(open_minor = 0)`);
    return new Set(rows.map((row) => row.id));
  }
}
