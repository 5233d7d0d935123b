import { Injectable } from '@nestjs/common';
import { sql } from '../../../foundation/database/sql.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import type { TrialBalanceQuery, TrialBalanceRowDto } from './trial-balance.dto.js';

/** Adds up the turnover per account; no line is read. */
@Injectable()
export class TrialBalanceRepository {
  /** How many entries the trial balance counts. */
  async countEntries(
    tx: Tx,
    companyId: string,
    query: TrialBalanceQuery,
  ): Promise<{ readonly entries: bigint; readonly functionalCurrency: string }> {
    return tx.one(sql`
      SELECT functional_currency AS "functionalCurrency",
        (SELECT coalesce(sum(entries), 0)::bigint FROM entry_count
          WHERE company_id = company.id AND (state = 'posted' OR ${query.state} = 'all')
            AND CASE grain WHEN 'month' THEN starts_on < date_trunc('month', wanted.day::timestamp)
                           ELSE starts_on BETWEEN date_trunc('month', wanted.day::timestamp) AND wanted.day END) AS entries
      FROM company, COALESCE(${query.date ?? null}::date, 'infinity') AS wanted (day)
      WHERE id = ${companyId}`);
  }

  async rows(tx: Tx, companyId: string, query: TrialBalanceQuery): Promise<readonly TrialBalanceRowDto[]> {
    // An account whose drafts were all posted or discarded has rows that add up to nothing.
    return tx.rows(sql`
      SELECT account.code AS "accountCode", account.name AS "accountName", account.type AS "accountType", currency,
        sum(debit_minor) AS "debitMinor", sum(credit_minor) AS "creditMinor",
        sum(debit_minor - credit_minor) AS "balanceMinor", sum(base_debit_minor) AS "baseDebitMinor",
        sum(base_credit_minor) AS "baseCreditMinor", sum(base_debit_minor - base_credit_minor) AS "baseBalanceMinor"
      FROM turnover_through(${companyId}::uuid, COALESCE(${query.date ?? null}::date, 'infinity')) turnover
      JOIN account ON account.company_id = turnover.company_id AND account.code = turnover.account_code
      WHERE state = 'posted' OR ${query.state} = 'all'
      GROUP BY account.code, account.name, account.type, currency
      HAVING sum(debit_minor) <> 0 OR sum(credit_minor) <> 0 OR sum(base_debit_minor) <> 0 OR sum(base_credit_minor) <> 0
      ORDER BY account.code, currency`);
  }
}
