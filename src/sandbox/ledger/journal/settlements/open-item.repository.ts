import { Injectable } from '@nestjs/common';
import { sql } from '../../../../foundation/database/sql.js';
import type { Tx } from '../../../../foundation/database/transaction.js';
import { itemKey, pairKey, type ActiveSettlement, type OpenItem } from '../domain/settlements/open-item.js';
import type { EntryRole } from '../domain/posting-outcome.js';
import type { PostingSettlement } from '../domain/posting-group.js';

/** Documents, by vendor and number. */
export interface DocumentNames {
  readonly vendorNumbers: readonly string[];
  readonly numbers: readonly string[];
}

/** Also the entries of these groups. */
export interface PartnerNames extends DocumentNames {
  readonly groupIds: readonly string[];
}

/** An entry with a settlement intent, and how much of it is settled. */
export interface SettlingEntry {
  readonly key: string;
  readonly id: string;
  /** Some of it is open. */
  readonly isOpen: boolean;
  /** Nothing of it was settled. */
  readonly isUntouched: boolean;
}

interface ItemRow {
  readonly entryId: string;
  readonly lineNo: number;
  readonly groupId: string;
  readonly role: EntryRole;
  readonly vendorNumber: string;
  readonly accountCode: string;
  readonly currency: string;
  readonly documentNumber: string | null;
  readonly intent: (Omit<PostingSettlement, 'amountMinor'> & { readonly amountMinor: string }) | null;
  readonly postedOn: string;
  readonly amountMinor: bigint;
  readonly openMinor: bigint;
  readonly openBaseMinor: bigint;
}

/** Vendors' lines of posted entries and their open amounts. */
@Injectable()
export class OpenItemRepository {
  /** Items of these entries, oldest first. */
  async ofEntries(tx: Tx, entryIds: readonly string[]): Promise<readonly OpenItem[]> {
    const rows = await tx.rows<ItemRow>(sql`
      SELECT item.entry_id AS "entryId", item.line_no AS "lineNo", entry.posting_group_id AS "groupId", entry.role,
        item.vendor_number AS "vendorNumber", line.account_code AS "accountCode", item.currency,
        item.document_number AS "documentNumber", entry.settlement AS intent, item.posted_on AS "postedOn",
        item.amount_minor AS "amountMinor", item.open_minor AS "openMinor", item.open_base_minor AS "openBaseMinor"
      FROM open_item item JOIN journal_entry entry ON entry.id = item.entry_id
      JOIN journal_line line ON line.entry_id = item.entry_id AND line.line_no = item.line_no
      WHERE item.entry_id = ANY(${entryIds}::uuid[])
      ORDER BY item.entry_id, item.line_no`);
    return rows.map(({ intent, ...row }) => ({
      ...row,
      intent: intent && { ...intent, amountMinor: BigInt(intent.amountMinor) },
    }));
  }

  /** Open entries that are one of these documents, name one in their settlement intent, or belong to one of the groups. */
  async openEntries(tx: Tx, companyId: string, names: PartnerNames): Promise<readonly string[]> {
    const rows = await tx.rows<{ readonly id: string }>(sql`
      SELECT entry_id AS id FROM open_item
      WHERE company_id = ${companyId} AND vendor_number = ANY(${names.vendorNumbers}::text[]) AND open_minor <> 0
        AND document_number = ANY(${names.numbers}::text[])
      UNION
      SELECT entry_id FROM open_item
      WHERE company_id = ${companyId} AND vendor_number = ANY(${names.vendorNumbers}::text[]) AND open_minor <> 0
        AND meant_for && ${names.numbers}::text[]
      UNION
      SELECT item.entry_id FROM journal_entry entry JOIN open_item item ON item.entry_id = entry.id
      WHERE entry.posting_group_id = ANY(${names.groupIds}::uuid[]) AND item.open_minor <> 0`);
    return rows.map((row) => row.id);
  }

  /** Active settlements of these documents, oldest first. */
  async activeOfDocuments(tx: Tx, companyId: string, names: DocumentNames): Promise<readonly ActiveSettlement[]> {
    const rows = await tx.rows<{ readonly id: string }>(sql`
      SELECT DISTINCT entry_id AS id FROM open_item
      WHERE company_id = ${companyId} AND vendor_number = ANY(${names.vendorNumbers}::text[])
        AND document_number = ANY(${names.numbers}::text[])`);
    return this.activeOfEntries(
      tx,
      rows.map((row) => row.id),
    );
  }

  /** Active settlements of items of these entries, oldest first. */
  async activeOfEntries(tx: Tx, entryIds: readonly string[]): Promise<readonly ActiveSettlement[]> {
    const rows = await tx.rows<{
      readonly id: string;
      readonly debitEntryId: string;
      readonly debitLineNo: number;
      readonly creditEntryId: string;
      readonly creditLineNo: number;
      readonly amountMinor: bigint;
      readonly debitBaseMinor: bigint;
      readonly creditBaseMinor: bigint;
      readonly settledOn: string;
      readonly fxEntryId: string | null;
      readonly transferEntryId: string | null;
      readonly accountCodes: readonly string[];
    }>(sql`
      SELECT id, debit_entry_id AS "debitEntryId", debit_line_no AS "debitLineNo", credit_entry_id AS "creditEntryId",
        credit_line_no AS "creditLineNo", amount_minor AS "amountMinor", debit_base_minor AS "debitBaseMinor",
        credit_base_minor AS "creditBaseMinor", settled_on AS "settledOn", fx_entry_id AS "fxEntryId",
        transfer_entry_id AS "transferEntryId", ARRAY(SELECT account_code FROM journal_line
          WHERE entry_id IN (fx_entry_id, transfer_entry_id) ORDER BY entry_id, line_no) AS "accountCodes"
      FROM settlement
      WHERE (debit_entry_id = ANY(${entryIds}::uuid[]) OR credit_entry_id = ANY(${entryIds}::uuid[]))
        AND undoes_id IS NULL AND NOT EXISTS (SELECT FROM settlement undoing WHERE undoing.undoes_id = settlement.id)
      ORDER BY id`);
    return rows.map(({ debitEntryId, debitLineNo, creditEntryId, creditLineNo, ...row }) => ({
      ...row,
      debit: { entryId: debitEntryId, lineNo: debitLineNo },
      credit: { entryId: creditEntryId, lineNo: creditLineNo },
    }));
  }

  /** Posted entries of all revisions under the keys that have a settlement intent. */
  async settling(tx: Tx, companyId: string, keys: readonly string[]): Promise<readonly SettlingEntry[]> {
    return tx.rows<SettlingEntry>(sql`
      SELECT posting_group.key, entry.id, bool_or(item.open_minor <> 0) AS "isOpen",
        bool_and(item.open_minor = item.amount_minor) AS "isUntouched"
      FROM posting_group JOIN journal_entry entry ON entry.posting_group_id = posting_group.id
      JOIN open_item item ON item.entry_id = entry.id AND item.vendor_number = entry.settlement ->> 'vendorNumber'
        AND item.currency = entry.settlement ->> 'currency'
      WHERE posting_group.company_id = ${companyId} AND posting_group.key = ANY(${keys}::text[])
        AND entry.settlement IS NOT NULL
        AND NOT EXISTS (SELECT FROM journal_entry reversal WHERE reversal.reverses_id = entry.id)
      GROUP BY posting_group.key, entry.id`);
  }

  /** Items that are open since the revision before these groups was canceled, which had settled them. */
  async leftByRevisions(
    tx: Tx,
    groupIds: readonly string[],
  ): Promise<readonly { readonly groupId: string; readonly item: OpenItem }[]> {
    if (groupIds.length === 0) {
      return [];
    }
    const rows = await tx.rows<{ readonly groupId: string; readonly entryId: string; readonly lineNo: number }>(sql`
      SELECT DISTINCT revised.id AS "groupId", item.entry_id AS "entryId", item.line_no AS "lineNo"
      FROM posting_group revised JOIN posting_group earlier
        ON (earlier.company_id, earlier.key, earlier.revision) = (revised.company_id, revised.key, revised.revision - 1)
      JOIN journal_entry entry ON entry.posting_group_id = earlier.id
      JOIN item_settlement part ON part.entry_id = entry.id AND part.undoes_id IS NOT NULL
      JOIN open_item item ON (item.entry_id, item.line_no) = (part.other_entry_id, part.other_line_no)
      WHERE revised.id = ANY(${groupIds}::uuid[]) AND item.open_minor <> 0`);
    const items = await this.ofEntries(
      tx,
      rows.map((row) => row.entryId),
    );
    const byKey = new Map(items.map((item) => [itemKey(item), item]));
    return rows.flatMap(({ groupId, ...ref }) => {
      const item = byKey.get(itemKey(ref));
      return item === undefined ? [] : [{ groupId, item }];
    });
  }

  /** Pairs of items of these entries whose settlement was undone, as `pairKey` names them. */
  async separatedPairs(tx: Tx, entryIds: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await tx.rows<{
      readonly debitEntryId: string;
      readonly debitLineNo: number;
      readonly creditEntryId: string;
      readonly creditLineNo: number;
    }>(sql`
      SELECT debit_entry_id AS "debitEntryId", debit_line_no AS "debitLineNo", credit_entry_id AS "creditEntryId",
        credit_line_no AS "creditLineNo"
      FROM settlement
      WHERE debit_entry_id = ANY(${entryIds}::uuid[]) AND credit_entry_id = ANY(${entryIds}::uuid[])
        AND undoes_id IS NOT NULL`);
    return new Set(
      rows.map(({ debitEntryId, debitLineNo, creditEntryId, creditLineNo }) =>
        pairKey({
          debit: { entryId: debitEntryId, lineNo: debitLineNo },
          credit: { entryId: creditEntryId, lineNo: creditLineNo },
        }),
      ),
    );
  }

  /** Items of one entry, none when it is another company's. */
  async ofCompanyEntry(tx: Tx, companyId: string, entryId: string): Promise<readonly OpenItem[]> {
    const own = await tx.maybeOne(sql`
      SELECT FROM journal_entry WHERE company_id = ${companyId} AND id = ${entryId}`);
    return own === undefined ? [] : this.ofEntries(tx, [entryId]);
  }

  async findSettlement(
    tx: Tx,
    companyId: string,
    settlementId: string,
  ): Promise<{ readonly debitEntryId: string } | undefined> {
    return tx.maybeOne(sql`
      SELECT debit_entry_id AS "debitEntryId" FROM settlement
      WHERE company_id = ${companyId} AND id = ${settlementId}`);
  }
}
