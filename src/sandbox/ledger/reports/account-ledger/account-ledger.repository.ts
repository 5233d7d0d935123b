import { Injectable } from '@nestjs/common';
import { sql } from '../../../../foundation/database/sql.js';
import type { Tx } from '../../../../foundation/database/transaction.js';
import type { CurrencyBalance } from '../domain/running-balance.js';
import type { LedgerLineDto } from './account-ledger.dto.js';

/** The requested lines: those of one account, dated from the first day to the last. */
export interface LedgerScope {
  readonly companyId: string;
  readonly accountCode: string;
  readonly state: 'posted' | 'all';
  /** `YYYY-MM-DD`, or `-infinity`. */
  readonly from: string;
  /** `YYYY-MM-DD`, or `infinity`. */
  readonly to: string;
}

/** The position of a line in the ledger of its account: the sort key. */
export interface LedgerPosition {
  /** `YYYY-MM-DD`. */
  readonly postingDate: string;
  /** In the series of its fiscal year; drafts share a number above all others. */
  readonly sequence: string;
  readonly entryId: string;
  readonly lineNo: string;
}

/** The sort key of drafts, which have no number: they come last on their day. */
export const DRAFT_SEQUENCE = 9223372036854775807n;

export interface LedgerLine extends Omit<
  LedgerLineDto,
  'number' | 'amountMinor' | 'baseMinor' | 'balanceMinor' | 'baseBalanceMinor'
> {
  readonly fiscalYear: number;
  readonly sequence: bigint | null;
  readonly amountMinor: bigint;
  readonly baseMinor: bigint;
}

export interface LedgerAccount {
  readonly accountCode: string;
  readonly accountName: string;
  readonly accountType: string;
  readonly functionalCurrency: string;
}

/** Sums are text, because they may exceed 64 bits. */
type BalanceRow = Readonly<Record<keyof CurrencyBalance, string>>;

/** Balances of one account come from its turnover; lines are read for one page, and for the day on which it starts. */
@Injectable()
export class AccountLedgerRepository {
  async account(tx: Tx, companyId: string, code: string): Promise<LedgerAccount | undefined> {
    return tx.maybeOne(sql`
      SELECT code AS "accountCode", account.name AS "accountName", type AS "accountType",
        functional_currency AS "functionalCurrency"
      FROM account JOIN company ON company.id = account.company_id
      WHERE company_id = ${companyId} AND code = ${code}`);
  }

  /** @param at a day, `YYYY-MM-DD` or an infinity, and whether its lines count */
  async balance(
    tx: Tx,
    scope: LedgerScope,
    at: { readonly day: string; readonly included: boolean },
  ): Promise<readonly CurrencyBalance[]> {
    const rows = await tx.rows<BalanceRow>(sql`
      SELECT currency, sum(debit_minor - credit_minor) AS "balanceMinor",
        sum(base_debit_minor - base_credit_minor) AS "baseBalanceMinor"
      FROM turnover_through(${scope.companyId}::uuid, ${at.day}::date - ${at.included ? 0 : 1}::integer)
      WHERE account_code = ${scope.accountCode} AND (state = 'posted' OR ${scope.state} = 'all')
      GROUP BY currency
      HAVING sum(debit_minor) <> 0 OR sum(credit_minor) <> 0 OR sum(base_debit_minor) <> 0 OR sum(base_credit_minor) <> 0
      ORDER BY currency`);
    return rows.map(toBalance);
  }

  /** The sum of the lines of a day up to a position, that line included. */
  async movementOfDay(tx: Tx, scope: LedgerScope, last: LedgerPosition): Promise<readonly CurrencyBalance[]> {
    const rows = await tx.rows<BalanceRow>(sql`
      SELECT currency, sum(amount_minor) AS "balanceMinor", sum(base_minor) AS "baseBalanceMinor"
      FROM journal_entry entry JOIN journal_line line ON line.entry_id = entry.id
      WHERE entry.company_id = ${scope.companyId} AND account_code = ${scope.accountCode}
        AND (state = 'posted' OR (${scope.state} = 'all' AND state = 'draft'))
        AND posting_date = ${last.postingDate}::date
        AND (coalesce(number, ${DRAFT_SEQUENCE}), entry.id, line_no)
          <= (${last.sequence}::bigint, ${last.entryId}::uuid, ${last.lineNo}::integer)
      GROUP BY currency`);
    return rows.map(toBalance);
  }

  /**
   * @param after the last line seen, undefined at the start
   * @param limit most lines to read
   */
  async lines(
    tx: Tx,
    scope: LedgerScope,
    after: LedgerPosition | undefined,
    limit: number,
  ): Promise<readonly LedgerLine[]> {
    const { postingDate, sequence, entryId, lineNo } = after ?? BEFORE_ALL;
    // The turnover has the days on which the account moved; the query skips all other days.
    return tx.rows(sql`
      SELECT entry.posting_date AS "postingDate", entry.id AS "entryId", entry.fiscal_year AS "fiscalYear",
        entry.number AS sequence, line.line_no AS "lineNo",
        CASE WHEN EXISTS (SELECT FROM journal_entry reversal WHERE reversal.reverses_id = entry.id)
          THEN 'reversed' ELSE entry.state END AS state,
        entry.role, entry.document_date AS "documentDate", entry.document_number AS "documentNumber", entry.description,
        ARRAY(SELECT DISTINCT other.account_code FROM journal_line other
          WHERE other.entry_id = entry.id AND (other.amount_minor > 0 OR other.base_minor > 0)
            <> (line.amount_minor > 0 OR line.base_minor > 0) ORDER BY other.account_code) AS "counterAccounts",
        line.vendor_number AS "vendorNumber",
        (SELECT name FROM vendor WHERE vendor.company_id = entry.company_id AND vendor.number = line.vendor_number)
          AS "vendorName",
        line.employee, entry.currency, line.amount_minor AS "amountMinor", line.base_minor AS "baseMinor"
      FROM (SELECT DISTINCT starts_on FROM account_turnover
            WHERE company_id = ${scope.companyId} AND (state = 'posted' OR ${scope.state} = 'all') AND grain = 'day'
              AND starts_on BETWEEN greatest(${scope.from}::date, ${postingDate}::date) AND ${scope.to}::date
              AND account_code = ${scope.accountCode}) day
      JOIN journal_entry entry ON entry.company_id = ${scope.companyId} AND entry.posting_date = day.starts_on
        AND (entry.state = 'posted' OR (${scope.state} = 'all' AND entry.state = 'draft'))
      JOIN journal_line line ON line.entry_id = entry.id AND line.account_code = ${scope.accountCode}
      WHERE (entry.posting_date, coalesce(entry.number, ${DRAFT_SEQUENCE}), entry.id, line.line_no)
        > (${postingDate}::date, ${sequence}::bigint, ${entryId}::uuid, ${lineNo}::integer)
      ORDER BY entry.posting_date, coalesce(entry.number, ${DRAFT_SEQUENCE}), entry.id, line.line_no LIMIT ${limit}`);
  }
}

const BEFORE_ALL: LedgerPosition = {
  postingDate: '-infinity',
  sequence: '0',
  entryId: '00000000-0000-0000-0000-000000000000',
  lineNo: '0',
};

function toBalance({ currency, balanceMinor, baseBalanceMinor }: BalanceRow): CurrencyBalance {
  return { currency, balanceMinor: BigInt(balanceMinor), baseBalanceMinor: BigInt(baseBalanceMinor) };
}
