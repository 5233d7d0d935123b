import { Injectable } from '@nestjs/common';
import { sql } from '../../../foundation/database/sql.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import type { PageStart } from '../http/page.js';
import { entryNumber, type EntryState } from './domain/posting-outcome.js';
import type {
  AuditLinkDto,
  EntrySettlementDto,
  EntryTrailDto,
  GroupMemberDto,
  JournalEntryDetailDto,
  JournalEntryDto,
  JournalQuery,
  NamedEntryDto,
} from './journal-entry.dto.js';

interface EntryRow extends Omit<JournalEntryDto, 'number' | 'createdAt'> {
  readonly year: number;
  readonly sequence: bigint | null;
  readonly createdAt: Date;
}

type EntryFilter = Omit<JournalQuery, 'limit' | 'after' | 'format'> & { readonly entryId?: string };

/** An entry inside a JSON column. */
interface NamedRow {
  readonly id: string;
  readonly year: number;
  /** Null for a draft. */
  readonly sequence: string | null;
}

interface Origin {
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly reverses: NamedRow | null;
  readonly reversedBy: NamedRow | null;
  readonly position: bigint | null;
  readonly hash: string | null;
}

interface SettlementRow extends Omit<
  EntrySettlementDto,
  'amountMinor' | 'baseMinor' | 'with' | 'fxEntry' | 'transferEntry'
> {
  readonly amountMinor: bigint;
  readonly baseMinor: bigint;
  readonly with: NamedRow;
  readonly fxEntry: NamedRow | null;
  readonly transferEntry: NamedRow | null;
}

const FROM_THE_START: PageStart = { rows: 1, after: [''] };

/** Reads entries with their lines, in the order of their creation. */
@Injectable()
export class JournalRepository {
  async page(
    tx: Tx,
    companyId: string,
    filter: EntryFilter,
    start: PageStart,
  ): Promise<readonly Readonly<JournalEntryDto>[]> {
    const { entryId = null, keyPrefix = null, from = null, to = null, account = null } = filter;
    const { state = null, vendor = null, documentNumber = null } = filter;
    const rows = await tx.rows<EntryRow>(sql`
      SELECT entry.id, posting_group.key, posting_group.revision, posting_group.content_digest AS "contentDigest",
        role, part,
        CASE WHEN EXISTS (SELECT FROM journal_entry reversal WHERE reversal.reverses_id = entry.id)
          THEN 'reversed' ELSE entry.state END AS state,
        fiscal_year AS year, number AS sequence, posting_date AS "postingDate",
        document_date AS "documentDate", due_date AS "dueDate", document_number AS "documentNumber", currency,
        functional_currency AS "functionalCurrency", description, reference, settlement, metadata, entry.created_at AS "createdAt",
        (SELECT jsonb_agg(jsonb_build_object('lineNo', line_no, 'accountCode', account_code,
            'amountMinor', amount_minor::text, 'baseMinor', base_minor::text, 'vendorNumber', vendor_number,
            'employee', employee, 'taxCode', tax_code, 'tax', tax_of_line(line),
            'dimensions', dimensions) ORDER BY line_no)
          FROM journal_line line WHERE entry_id = entry.id) AS lines
      FROM journal_entry entry JOIN posting_group ON posting_group.id = entry.posting_group_id
      JOIN company ON company.id = entry.company_id
      WHERE entry.company_id = ${companyId}
        AND entry.id > COALESCE(NULLIF(${start.after[0]}, '')::uuid, '00000000-0000-0000-0000-000000000000')
        AND (${entryId}::uuid IS NULL OR entry.id = ${entryId}::uuid)
        AND (${keyPrefix}::text IS NULL OR starts_with(posting_group.key, ${keyPrefix}::text))
        AND posting_date BETWEEN COALESCE(${from}::date, '-infinity') AND COALESCE(${to}::date, 'infinity')
        AND (${documentNumber}::text IS NULL OR document_number = ${documentNumber}::text)
        AND (${state}::text IS NULL
          OR entry.state = CASE ${state}::text WHEN 'reversed' THEN 'posted' ELSE ${state}::text END
            AND (${state}::text IN ('draft', 'discarded') OR (${state}::text = 'reversed')
              = EXISTS (SELECT FROM journal_entry reversal WHERE reversal.reverses_id = entry.id)))
        AND (${account}::text IS NULL OR EXISTS (SELECT FROM journal_line
          WHERE journal_line.company_id = ${companyId} AND entry_id = entry.id AND account_code = ${account}::text))
        AND (${vendor}::text IS NULL OR EXISTS (SELECT FROM journal_line
          WHERE journal_line.company_id = ${companyId} AND entry_id = entry.id AND vendor_number = ${vendor}::text))
      ORDER BY entry.id LIMIT ${start.rows}`);
    return rows.map(({ year, sequence, createdAt, ...row }) => ({
      ...row,
      number: sequence === null ? null : entryNumber(year, sequence),
      createdAt: createdAt.toISOString(),
    }));
  }

  /** One entry with its group, reversals, settlements and audit link, which the list omits. */
  async find(tx: Tx, companyId: string, entryId: string): Promise<JournalEntryDetailDto | undefined> {
    const [entry] = await this.page(tx, companyId, { entryId }, FROM_THE_START);
    if (entry === undefined) {
      return undefined;
    }
    const { metadata, reverses, reversedBy, ...link } = await this.origin(tx, entryId);
    return {
      ...entry,
      trail: trailOf(metadata),
      reverses: reverses && namedEntry(reverses),
      reversedBy: reversedBy && namedEntry(reversedBy),
      group: await this.otherEntries(tx, entryId),
      settlements: await this.settlements(tx, entryId),
      audit: auditLink(link),
    };
  }

  /** Metadata is the entry's own, or for a generated entry that of the first entry of its group that a caller posted. */
  private async origin(tx: Tx, entryId: string): Promise<Origin> {
    return tx.one(sql`
      SELECT CASE WHEN entry.role IN ('reversal', 'realized-fx', 'transfer') THEN
          (SELECT metadata FROM journal_entry caller WHERE caller.posting_group_id = entry.posting_group_id
            AND caller.role NOT IN ('reversal', 'realized-fx', 'transfer') ORDER BY id LIMIT 1)
          ELSE entry.metadata END AS metadata,
        (SELECT jsonb_build_object('id', id, 'year', fiscal_year, 'sequence', number::text)
          FROM journal_entry WHERE id = entry.reverses_id) AS reverses,
        (SELECT jsonb_build_object('id', id, 'year', fiscal_year, 'sequence', number::text)
          FROM journal_entry WHERE reverses_id = entry.id) AS "reversedBy",
        position, encode(hash, 'hex') AS hash
      FROM journal_entry entry LEFT JOIN audit_link ON audit_link.entry_id = entry.id
      WHERE entry.id = ${entryId}`);
  }

  private async otherEntries(tx: Tx, entryId: string): Promise<readonly GroupMemberDto[]> {
    const rows = await tx.rows<{
      readonly id: string;
      readonly year: number;
      readonly sequence: bigint | null;
      readonly role: string;
      readonly state: EntryState;
    }>(sql`
      SELECT other.id, other.fiscal_year AS year, other.number AS sequence, other.role,
        CASE WHEN EXISTS (SELECT FROM journal_entry reversal WHERE reversal.reverses_id = other.id)
          THEN 'reversed' ELSE other.state END AS state
      FROM journal_entry entry JOIN journal_entry other ON other.posting_group_id = entry.posting_group_id
      WHERE entry.id = ${entryId} AND other.id <> entry.id
      ORDER BY other.id LIMIT 1000`);
    return rows.map(({ id, year, sequence, ...row }) => ({
      id,
      number: sequence === null ? null : entryNumber(year, sequence),
      ...row,
    }));
  }

  private async settlements(tx: Tx, entryId: string): Promise<readonly EntrySettlementDto[]> {
    const rows = await tx.rows<SettlementRow>(sql`
      SELECT part.id, part.line_no AS "lineNo",
        jsonb_build_object('id', other.id, 'year', other.fiscal_year, 'sequence', other.number::text) AS "with",
        part.other_line_no AS "withLineNo", other.document_number AS "documentNumber",
        part.amount_minor AS "amountMinor", part.base_minor AS "baseMinor", part.settled_on AS "settledOn",
        (SELECT jsonb_build_object('id', id, 'year', fiscal_year, 'sequence', number::text)
          FROM journal_entry WHERE id = part.fx_entry_id) AS "fxEntry",
        (SELECT jsonb_build_object('id', id, 'year', fiscal_year, 'sequence', number::text)
          FROM journal_entry WHERE id = part.transfer_entry_id) AS "transferEntry",
        (SELECT settled_on FROM settlement undoing WHERE undoing.undoes_id = part.id) AS "undoneOn"
      FROM item_settlement part JOIN journal_entry other ON other.id = part.other_entry_id
      WHERE part.entry_id = ${entryId} AND part.undoes_id IS NULL
      ORDER BY part.id LIMIT 1000`);
    return rows.map((row) => ({
      ...row,
      amountMinor: row.amountMinor.toString(),
      baseMinor: row.baseMinor.toString(),
      with: namedEntry(row.with),
      fxEntry: row.fxEntry && namedEntry(row.fxEntry),
      transferEntry: row.transferEntry && namedEntry(row.transferEntry),
    }));
  }
}

function namedEntry({ id, year, sequence }: NamedRow): NamedEntryDto {
  return { id, number: sequence === null ? null : entryNumber(year, BigInt(sequence)) };
}

function auditLink({ position, hash }: Pick<Origin, 'position' | 'hash'>): AuditLinkDto | null {
  return position === null || hash === null ? null : { position: Number(position), hash };
}

/** Callers write these members into the metadata of their entries; each may be missing or of another type. */
function trailOf(metadata: Readonly<Record<string, unknown>>): EntryTrailDto {
  const text = (name: string) => (typeof metadata[name] === 'string' ? metadata[name] : null);
  const version = metadata['mappingVersion'];
  return {
    accountingEntryId: text('accountingEntryId'),
    exportJobId: text('exportJobId'),
    mappingVersion: typeof version === 'number' ? version : null,
    installationId: text('installationId'),
  };
}
