import { Injectable } from '@nestjs/common';
import { sql } from '../../../../foundation/database/sql.js';
import type { Tx } from '../../../../foundation/database/transaction.js';
import { entryNumber } from '../../journal/domain/posting-outcome.js';
import type { AccountType } from '../domain/beancount-account.js';

export interface BookCompany {
  readonly name: string;
  readonly functionalCurrency: string;
  /** Position of the last entry in the audit chain, which numbers all posted entries without gaps; 0 for none. */
  readonly lastPosition: bigint;
  /** Posting dates, `YYYY-MM-DD`; null when nothing is posted. */
  readonly firstDay: string | null;
  readonly lastDay: string | null;
}

export interface BookAccount {
  readonly code: string;
  readonly name: string;
  readonly type: AccountType;
}

/** Minor units, debit positive. */
export interface BookSum {
  readonly code: string;
  readonly currency: string;
  readonly amountMinor: bigint;
  readonly baseMinor: bigint;
}

export interface BookEntry {
  readonly id: string;
  readonly number: string;
  readonly key: string;
  readonly role: string;
  readonly reverses: string | null;
  readonly postingDate: string;
  readonly description: string;
  readonly currency: string;
  readonly lines: readonly {
    readonly code: string;
    readonly amountMinor: bigint;
    readonly baseMinor: bigint;
  }[];
}

interface EntryRow extends Omit<BookEntry, 'number' | 'reverses' | 'lines'> {
  readonly fiscalYear: number;
  readonly sequence: bigint;
  readonly reversedYear: number | null;
  readonly reversedSequence: bigint | null;
  readonly lines: readonly { readonly code: string; readonly amount: string; readonly base: string }[];
}

/** Reads the whole posted book of a company. */
@Injectable()
export class BeancountRepository {
  async company(tx: Tx, companyId: string): Promise<BookCompany> {
    return tx.one(sql`
      SELECT name, functional_currency AS "functionalCurrency",
        coalesce((SELECT max(position) FROM audit_link WHERE company_id = company.id), 0) AS "lastPosition",
        (SELECT min(starts_on) FROM entry_count
          WHERE company_id = company.id AND state = 'posted' AND grain = 'day') AS "firstDay",
        (SELECT max(starts_on) FROM entry_count
          WHERE company_id = company.id AND state = 'posted' AND grain = 'day') AS "lastDay"
      FROM company WHERE id = ${companyId}`);
  }

  async accounts(tx: Tx, companyId: string): Promise<readonly BookAccount[]> {
    return tx.rows(sql`SELECT code, name, type FROM account WHERE company_id = ${companyId} ORDER BY code`);
  }

  /** The sums of all posted lines. */
  async sums(tx: Tx, companyId: string): Promise<readonly BookSum[]> {
    const rows = await tx.rows<Readonly<Record<keyof BookSum, string>>>(sql`
      SELECT account_code AS code, currency, sum(debit_minor - credit_minor) AS "amountMinor",
        sum(base_debit_minor - base_credit_minor) AS "baseMinor"
      FROM turnover_through(${companyId}::uuid, 'infinity') WHERE state = 'posted'
      GROUP BY account_code, currency ORDER BY account_code, currency`);
    return rows.map(({ code, currency, amountMinor, baseMinor }) => ({
      code,
      currency,
      amountMinor: BigInt(amountMinor),
      baseMinor: BigInt(baseMinor),
    }));
  }

  /** The sums of lines in base only, of entries in other currencies than the functional one. */
  async baseOnlySums(
    tx: Tx,
    companyId: string,
  ): Promise<readonly { readonly code: string; readonly baseMinor: bigint }[]> {
    const rows = await tx.rows<{ readonly code: string; readonly baseMinor: string }>(sql`
      SELECT account_code AS code, sum(base_minor) AS "baseMinor"
      FROM journal_line line JOIN journal_entry entry ON entry.id = line.entry_id
      JOIN company ON company.id = entry.company_id AND company.functional_currency <> entry.currency
      WHERE line.company_id = ${companyId} AND line.amount_minor = 0 AND entry.state = 'posted'
      GROUP BY account_code ORDER BY account_code`);
    return rows.map(({ code, baseMinor }) => ({ code, baseMinor: BigInt(baseMinor) }));
  }

  /** Entries of the positions after one and up to another in the audit chain, in order. */
  async entries(tx: Tx, companyId: string, after: bigint, last: bigint): Promise<readonly BookEntry[]> {
    const rows = await tx.rows<EntryRow>(sql`
      SELECT entry.id, posting_group.key, entry.role, entry.fiscal_year AS "fiscalYear", entry.number AS sequence,
        reversed.fiscal_year AS "reversedYear", reversed.number AS "reversedSequence",
        entry.posting_date AS "postingDate", entry.description, entry.currency,
        (SELECT jsonb_agg(jsonb_build_object('code', account_code, 'amount', amount_minor::text, 'base', base_minor::text)
            ORDER BY line_no)
          FROM journal_line WHERE entry_id = entry.id) AS lines
      FROM audit_link JOIN journal_entry entry ON entry.id = audit_link.entry_id
      JOIN posting_group ON posting_group.id = entry.posting_group_id
      LEFT JOIN journal_entry reversed ON reversed.id = entry.reverses_id
      WHERE audit_link.company_id = ${companyId} AND position > ${after} AND position <= ${last}
      ORDER BY position`);
    return rows.map(({ fiscalYear, sequence, reversedYear, reversedSequence, lines, ...row }) => ({
      ...row,
      number: entryNumber(fiscalYear, sequence),
      reverses: reversedYear === null || reversedSequence === null ? null : entryNumber(reversedYear, reversedSequence),
      lines: lines.map(({ code, amount, base }) => ({
        code,
        amountMinor: BigInt(amount),
        baseMinor: BigInt(base),
      })),
    }));
  }
}
