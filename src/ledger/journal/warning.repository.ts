import { Injectable } from '@nestjs/common';
import { sql } from '../../foundation/database/sql.js';
import type { Tx } from '../../foundation/database/transaction.js';
import { entryNumber, type PostingWarning } from './domain/posting-outcome.js';
import type { NewEntry } from './entry.repository.js';

interface DocumentRow {
  readonly groupId: string;
  readonly documentNumber: string;
  readonly vendorNumber: string;
  /** The other entry. */
  readonly id: string;
  readonly year: number;
  readonly sequence: bigint | null;
}

export type GroupWarning = PostingWarning & { readonly groupId: string };

/** What a bookkeeper should look at: finds what new entries have to do with older ones, and keeps it with the group. */
@Injectable()
export class WarningRepository {
  /** @param entries written in this transaction */
  async find(tx: Tx, companyId: string, entries: readonly NewEntry[]): Promise<readonly GroupWarning[]> {
    const idsOf = (chosen: readonly NewEntry[]): readonly string[] => chosen.map((entry) => entry.id);
    const documents = entries.filter(
      ({ content }) => content.role === 'invoice' || content.role === 'credit-note',
    );
    const payments = entries.filter(({ content }) => content.settlement?.kind === 'settles');
    const journals = entries.filter(
      ({ content }) => content.role === 'entry' && content.documentNumber != null,
    );
    return [
      ...(await this.duplicates(tx, companyId, idsOf(documents))),
      ...(await this.paidWithoutVendor(tx, companyId, idsOf(payments))),
      ...(await this.leftOpenByJournal(tx, companyId, idsOf(journals))),
    ];
  }

  /**
   * Keeps them, after those that are there already, for whoever asks by the group's key again.
   * @returns them by group
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

  /** The same vendor and document number under another key (bookkeeping §3). */
  private async duplicates(
    tx: Tx,
    companyId: string,
    ids: readonly string[],
  ): Promise<readonly GroupWarning[]> {
    if (ids.length === 0) {
      return [];
    }
    const rows = await tx.rows<DocumentRow & { readonly role: string }>(sql`
      SELECT DISTINCT ON (entry.id) entry.posting_group_id AS "groupId", entry.role,
        entry.document_number AS "documentNumber", line.vendor_number AS "vendorNumber", other.id,
        other.fiscal_year AS year, other.number AS sequence
      FROM journal_entry entry
      JOIN journal_line line ON line.entry_id = entry.id AND line.vendor_number IS NOT NULL
      JOIN posting_group ON posting_group.id = entry.posting_group_id
      JOIN journal_entry other ON other.company_id = ${companyId} AND other.document_number = entry.document_number
        AND other.role = entry.role AND other.id < entry.id AND other.state <> 'discarded'
      JOIN posting_group other_group ON other_group.id = other.posting_group_id AND other_group.key <> posting_group.key
      JOIN journal_line other_line ON other_line.entry_id = other.id AND other_line.vendor_number = line.vendor_number
      WHERE entry.id = ANY(${ids}::uuid[])
        AND NOT EXISTS (SELECT FROM journal_entry reversal WHERE reversal.reverses_id = other.id)
      ORDER BY entry.id, other.id`);
    return rows.map((row) => ({
      groupId: row.groupId,
      code: 'possible-duplicate',
      message: `Possible duplicate: ${row.role} ${row.documentNumber} of vendor ${row.vendorNumber} is in the books already as ${nameOf(row)}.`,
    }));
  }

  /** A vendor's payment whose document was booked on the general account. */
  private async paidWithoutVendor(
    tx: Tx,
    companyId: string,
    ids: readonly string[],
  ): Promise<readonly GroupWarning[]> {
    if (ids.length === 0) {
      return [];
    }
    const rows = await tx.rows<DocumentRow>(sql`
      SELECT DISTINCT ON (payment.id) payment.posting_group_id AS "groupId", document.document_number AS "documentNumber",
        line.vendor_number AS "vendorNumber", document.id, document.fiscal_year AS year, document.number AS sequence
      FROM journal_entry payment
      JOIN journal_line line ON line.entry_id = payment.id AND line.vendor_number IS NOT NULL
      JOIN journal_entry document ON document.company_id = ${companyId} AND document.role = 'entry'
        AND document.document_number IN (SELECT trim(meant.number) FROM jsonb_array_elements_text(payment.settlement -> 'numbers') AS meant (number))
        AND document.currency = payment.currency AND document.state <> 'discarded'
      JOIN journal_line owed ON owed.entry_id = document.id AND owed.vendor_number IS NULL
        AND sign(owed.amount_minor) = -sign(line.amount_minor)
      JOIN account ON account.company_id = owed.company_id AND account.code = owed.account_code AND account.type = 'liability'
      WHERE payment.id = ANY(${ids}::uuid[])
        AND NOT EXISTS (SELECT FROM journal_entry reversal WHERE reversal.reverses_id = document.id)
        AND NOT EXISTS (SELECT FROM open_item settled WHERE settled.entry_id = payment.id
          AND settled.line_no = line.line_no AND settled.open_minor = 0)
      ORDER BY payment.id, document.id`);
    return rows.map((row) => ({
      groupId: row.groupId,
      code: 'booked-without-vendor',
      message: `Document ${row.documentNumber} was booked without a vendor (${nameOf(row)}), so this payment of vendor ${row.vendorNumber} does not settle it. Match the two by hand.`,
    }));
  }

  /** A payment on the general account whose document is open on a vendor. */
  private async leftOpenByJournal(
    tx: Tx,
    companyId: string,
    ids: readonly string[],
  ): Promise<readonly GroupWarning[]> {
    if (ids.length === 0) {
      return [];
    }
    const rows = await tx.rows<DocumentRow>(sql`
      SELECT DISTINCT ON (payment.id) payment.posting_group_id AS "groupId", document.document_number AS "documentNumber",
        item.vendor_number AS "vendorNumber", document.id, document.fiscal_year AS year, document.number AS sequence
      FROM journal_entry payment
      JOIN journal_line paid ON paid.entry_id = payment.id AND paid.vendor_number IS NULL
      JOIN account ON account.company_id = paid.company_id AND account.code = paid.account_code AND account.type = 'liability'
      JOIN journal_entry document ON document.company_id = ${companyId} AND document.document_number = payment.document_number
        AND document.role IN ('invoice', 'credit-note') AND document.currency = payment.currency
      JOIN open_item item ON item.entry_id = document.id AND item.open_minor <> 0
        AND sign(item.amount_minor) = -sign(paid.amount_minor)
      WHERE payment.id = ANY(${ids}::uuid[])
      ORDER BY payment.id, document.id`);
    return rows.map((row) => ({
      groupId: row.groupId,
      code: 'booked-without-vendor',
      message: `Document ${row.documentNumber} of vendor ${row.vendorNumber} (${nameOf(row)}) stays open: this entry names no vendor and does not settle it.`,
    }));
  }
}

function nameOf({ id, year, sequence }: DocumentRow): string {
  return sequence === null ? `draft ${id}` : entryNumber(year, sequence);
}
