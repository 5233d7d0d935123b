import { Injectable } from '@nestjs/common';
import { sql } from '../../../../foundation/database/sql.js';
import type { Tx } from '../../../../foundation/database/transaction.js';
import { entryNumber } from '../../journal/domain/posting-outcome.js';
import type { ChainEnd, ChainLink } from '../domain/chain-check.js';

export interface NamedEntry {
  readonly entryId: string;
  readonly number: string | null;
}

/** Reads the chain and what it stands for; the hashes are computed elsewhere. */
@Injectable()
export class AuditChainRepository {
  /** The last link, undefined while nothing is posted. */
  async head(tx: Tx, companyId: string): Promise<ChainEnd | undefined> {
    return tx.maybeOne(sql`
      SELECT position, encode(hash, 'hex') AS hash FROM audit_link
      WHERE company_id = ${companyId} ORDER BY position DESC LIMIT 1`);
  }

  /** Links of the positions after one and up to another, in order. */
  async links(tx: Tx, companyId: string, after: bigint, last: bigint): Promise<readonly ChainLink[]> {
    const rows = await tx.rows<
      Omit<ChainLink, 'number'> & { readonly fiscalYear: number | null; readonly sequence: bigint | null }
    >(sql`
      SELECT position, entry_id AS "entryId", encode(hash, 'hex') AS hash, entry.fiscal_year AS "fiscalYear",
        entry.number AS sequence,
        (SELECT content FROM entry_content WHERE entry_content.entry_id = audit_link.entry_id) AS content
      FROM audit_link LEFT JOIN journal_entry entry ON entry.id = audit_link.entry_id
      WHERE audit_link.company_id = ${companyId} AND position > ${after} AND position <= ${last}
      ORDER BY position`);
    return rows.map(({ fiscalYear, sequence, ...link }) => ({
      ...link,
      number: numberOf(fiscalYear, sequence),
    }));
  }

  /** The first posted entry that no link names. */
  async unlinkedEntry(tx: Tx, companyId: string): Promise<NamedEntry | undefined> {
    const row = await tx.maybeOne<{
      readonly id: string;
      readonly year: number;
      readonly sequence: bigint;
    }>(sql`
      SELECT entry.id, fiscal_year AS year, number AS sequence
      FROM journal_entry entry LEFT JOIN audit_link ON audit_link.entry_id = entry.id
      WHERE entry.company_id = ${companyId} AND entry.state = 'posted' AND audit_link.entry_id IS NULL
      ORDER BY posted_at, fiscal_year, number LIMIT 1`);
    return row && { entryId: row.id, number: numberOf(row.year, row.sequence) };
  }

  /** The first number that was given in a fiscal year and that no entry has. */
  async missingNumber(tx: Tx, companyId: string): Promise<string | undefined> {
    const row = await tx.maybeOne<{ readonly year: number; readonly sequence: bigint }>(sql`
      SELECT year, before + 1 AS sequence
      FROM fiscal_year CROSS JOIN LATERAL (
        SELECT number, lag(number, 1, 0::bigint) OVER (ORDER BY number) AS before
        FROM (SELECT number FROM journal_entry
              WHERE company_id = ${companyId} AND journal_entry.fiscal_year = fiscal_year.year AND number IS NOT NULL
              UNION ALL SELECT last_entry_number + 1) given) step
      WHERE company_id = ${companyId} AND number > before + 1
      ORDER BY year, before LIMIT 1`);
    return row && entryNumber(row.year, row.sequence);
  }
}

function numberOf(fiscalYear: number | null, sequence: bigint | null): string | null {
  return fiscalYear === null || sequence === null ? null : entryNumber(fiscalYear, sequence);
}
