import { Injectable } from '@nestjs/common';
import { sql } from '../../../foundation/database/sql.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import { Bug } from '../../../kernel/faults.js';
import type { StoredEntry } from './domain/generated-entries.js';
import type { BookEntry, LineTax, LineTaxText, PostingLine, PostingSettlement } from './domain/posting-group.js';
import { entryNumber } from './domain/posting-outcome.js';

export interface NewEntry {
  readonly id: string;
  readonly groupId: string;
  readonly fiscalYear: number;
  /** Undefined for a draft. */
  readonly sequence: bigint | undefined;
  readonly reversesId?: string;
  readonly content: BookEntry;
}

interface StoredRow extends Omit<StoredEntry, 'number' | 'settlement' | 'lines'> {
  readonly sequence: bigint | null;
  readonly settlement: (Omit<PostingSettlement, 'amountMinor'> & { readonly amountMinor: string }) | null;
  readonly lines: readonly (Omit<PostingLine, 'amountMinor' | 'baseMinor' | 'tax'> & {
    readonly amountMinor: string;
    readonly baseMinor: string;
    readonly tax: LineTaxText | null;
  })[];
}

/** Set-based writes of entries: a batch costs the same few statements as one. */
@Injectable()
export class EntryRepository {
  /**
   * Takes the next numbers of a fiscal year's series.
   * @returns the first of `count` consecutive numbers; a rollback releases them
   */
  async allocateNumbers(tx: Tx, companyId: string, fiscalYear: number, count: number): Promise<bigint> {
    const row = await tx.maybeOne<{ last: bigint }>(sql`
      UPDATE fiscal_year SET last_entry_number = last_entry_number + ${count}
      WHERE company_id = ${companyId} AND year = ${fiscalYear} RETURNING last_entry_number AS last`);
    if (row === undefined) {
      throw new Bug(`company ${companyId} has periods but no fiscal year ${fiscalYear.toString()}`);
    }
    return row.last - BigInt(count) + 1n;
  }

  /** The entries that exist, with their lines, in the order of their creation. */
  async find(tx: Tx, companyId: string, ids: readonly string[]): Promise<readonly StoredEntry[]> {
    if (ids.length === 0) {
      return [];
    }
    const rows = await tx.rows<StoredRow>(sql`
      SELECT entry.id, entry.posting_group_id AS "groupId", posting_group.key, entry.role,
        CASE WHEN reversal.id IS NULL THEN entry.state ELSE 'reversed' END AS state,
        entry.fiscal_year AS "fiscalYear", entry.number AS sequence, entry.posting_date AS "postingDate",
        entry.document_number AS "documentNumber", entry.currency, entry.description, entry.reference,
        entry.settlement,
        (SELECT jsonb_agg(jsonb_build_object('accountCode', account_code, 'amountMinor', amount_minor::text,
            'baseMinor', base_minor::text, 'vendorNumber', vendor_number, 'employee', employee, 'taxCode', tax_code,
            'tax', tax_of_line(line), 'dimensions', dimensions) ORDER BY line_no)
          FROM journal_line line WHERE entry_id = entry.id) AS lines
      FROM journal_entry entry JOIN posting_group ON posting_group.id = entry.posting_group_id
      LEFT JOIN journal_entry reversal ON reversal.reverses_id = entry.id
      WHERE entry.company_id = ${companyId} AND entry.id = ANY(${ids}::uuid[])
      ORDER BY entry.id`);
    return rows.map(({ sequence, settlement, lines, ...row }) => ({
      ...row,
      number: sequence === null ? null : entryNumber(row.fiscalYear, sequence),
      settlement: settlement && { ...settlement, amountMinor: BigInt(settlement.amountMinor) },
      lines: lines.map((line) => ({
        ...line,
        amountMinor: BigInt(line.amountMinor),
        baseMinor: BigInt(line.baseMinor),
        tax: line.tax && readTax(line.tax),
      })),
    }));
  }

  /** Entries of all revisions under a key, without generated ones. */
  async idsUnderKey(tx: Tx, companyId: string, key: string): Promise<readonly string[]> {
    const rows = await tx.rows<{ readonly id: string }>(sql`
      SELECT entry.id FROM posting_group JOIN journal_entry entry ON entry.posting_group_id = posting_group.id
      WHERE posting_group.company_id = ${companyId} AND key = ${key} AND role NOT IN ('reversal', 'realized-fx', 'transfer')`);
    return rows.map((row) => row.id);
  }

  async insertEntries(tx: Tx, companyId: string, entries: readonly NewEntry[]): Promise<void> {
    const content = entries.map((entry) => entry.content);
    await tx.execute(sql`
      INSERT INTO journal_entry (company_id, id, posting_group_id, fiscal_year, number, role, part, state, posting_date,
        document_date, due_date, document_number, currency, description, reference, settlement, metadata, line_count,
        reverses_id, posted_at)
      SELECT ${companyId}::uuid, new.*, CASE new.state WHEN 'posted' THEN now() END FROM unnest(
        ${entries.map((e) => e.id)}::uuid[], ${entries.map((e) => e.groupId)}::uuid[],
        ${entries.map((e) => e.fiscalYear)}::int[], ${entries.map((e) => e.sequence ?? null)}::bigint[],
        ${content.map((e) => e.role)}::text[], ${content.map((e) => e.part ?? 1)}::int[], ${content.map((e) => e.state)}::text[],
        ${content.map((e) => e.postingDate)}::date[], ${content.map((e) => e.documentDate ?? null)}::date[],
        ${content.map((e) => e.dueDate ?? null)}::date[], ${content.map((e) => e.documentNumber ?? null)}::text[],
        ${content.map((e) => e.currency)}::text[], ${content.map((e) => e.description)}::text[],
        ${content.map((e) => e.reference ?? null)}::text[], ${content.map((e) => settlementJson(e))}::jsonb[],
        ${content.map((e) => JSON.stringify(e.metadata))}::jsonb[], ${content.map((e) => e.lines.length)}::int[],
        ${entries.map((e) => e.reversesId ?? null)}::uuid[]
      ) AS new (id, posting_group_id, fiscal_year, number, role, part, state, posting_date, document_date, due_date,
        document_number, currency, description, reference, settlement, metadata, line_count, reverses_id)`);
  }

  /** All lines of new entries in one statement: triggers check the statement as a whole and refuse lines added later. */
  async insertLines(tx: Tx, companyId: string, entries: readonly NewEntry[]): Promise<void> {
    const lines = entries.flatMap((entry) =>
      entry.content.lines.map((line, index) => ({
        ...line,
        entryId: entry.id,
        lineNo: index + 1,
      })),
    );
    await tx.execute(sql`
      INSERT INTO journal_line (company_id, entry_id, line_no, account_code, amount_minor, base_minor,
        vendor_number, employee, tax_code, tax_place, tax_reverse_charge, tax_rate, tax_deductible, taxable_minor,
        taxable_base_minor, tax_minor, tax_base_minor, dimensions)
      SELECT ${companyId}::uuid, new.* FROM unnest(
        ${lines.map((l) => l.entryId)}::uuid[], ${lines.map((l) => l.lineNo)}::int[],
        ${lines.map((l) => l.accountCode)}::text[],
        ${lines.map((l) => l.amountMinor)}::bigint[], ${lines.map((l) => l.baseMinor)}::bigint[],
        ${lines.map((l) => l.vendorNumber ?? null)}::text[], ${lines.map((l) => l.employee ?? null)}::text[],
        ${lines.map((l) => l.taxCode ?? null)}::text[],
        ${lines.map((l) => l.tax?.place ?? null)}::text[], ${lines.map((l) => l.tax?.reverseCharge ?? null)}::boolean[],
        ${lines.map((l) => l.tax?.rate ?? null)}::numeric[], ${lines.map((l) => l.tax?.deductible ?? null)}::numeric[],
        ${lines.map((l) => l.tax?.taxableMinor ?? null)}::bigint[], ${lines.map((l) => l.tax?.taxableBaseMinor ?? null)}::bigint[],
        ${lines.map((l) => l.tax?.taxMinor ?? null)}::bigint[], ${lines.map((l) => l.tax?.taxBaseMinor ?? null)}::bigint[],
        ${lines.map((l) => JSON.stringify(l.dimensions))}::jsonb[]
      ) AS new`);
  }

  /** Posts drafts under their numbers. A posted entry is never changed or removed. */
  async markPosted(
    tx: Tx,
    companyId: string,
    drafts: readonly { readonly id: string; readonly sequence: bigint }[],
  ): Promise<void> {
    if (drafts.length === 0) {
      return;
    }
    await tx.execute(sql`
      UPDATE journal_entry SET state = 'posted', number = draft.number, posted_at = now()
      FROM unnest(${drafts.map((d) => d.id)}::uuid[], ${drafts.map((d) => d.sequence)}::bigint[]) AS draft (id, number)
      WHERE journal_entry.id = draft.id AND company_id = ${companyId}`);
  }

  async discard(tx: Tx, companyId: string, ids: readonly string[]): Promise<void> {
    if (ids.length === 0) {
      return;
    }
    await tx.execute(sql`
      UPDATE journal_entry SET state = 'discarded' WHERE company_id = ${companyId} AND id = ANY(${ids}::uuid[])`);
  }
}

function readTax(tax: LineTaxText): LineTax {
  return {
    ...tax,
    taxableMinor: BigInt(tax.taxableMinor),
    taxableBaseMinor: BigInt(tax.taxableBaseMinor),
    taxMinor: BigInt(tax.taxMinor),
    taxBaseMinor: BigInt(tax.taxBaseMinor),
  };
}

/** The amount is text, because JSON numbers are floats. */
function settlementJson(entry: BookEntry): string | null {
  const { settlement } = entry;
  return settlement == null ? null : JSON.stringify({ ...settlement, amountMinor: settlement.amountMinor.toString() });
}
