import { Injectable } from '@nestjs/common';
import { sql } from '../../foundation/database/sql.js';
import type { Tx } from '../../foundation/database/transaction.js';
import type {
  TotalDto,
  TrialBalanceDto,
  TrialBalanceQuery,
  TrialBalanceRowDto,
} from './trial-balance.dto.js';

@Injectable()
export class TrialBalanceRepository {
  async compute(tx: Tx, companyId: string, query: TrialBalanceQuery): Promise<TrialBalanceDto> {
    const rows = await this.rows(tx, companyId, query);
    const { entries, functionalCurrency } = await tx.one<{ entries: bigint; functionalCurrency: string }>(sql`
      SELECT functional_currency AS "functionalCurrency",
        (SELECT count(*) FROM journal_entry
          WHERE company_id = ${companyId} AND (state = 'posted' OR ${query.state} = 'all')
            AND posting_date <= COALESCE(${query.date ?? null}::date, 'infinity')) AS entries
      FROM company WHERE id = ${companyId}`);
    const currencies = [...new Set(rows.map((row) => row.currency))].sort();
    return {
      date: query.date ?? null,
      state: query.state,
      entries: Number(entries),
      rows,
      totals: currencies.map((currency) =>
        total(
          currency,
          rows.filter((row) => row.currency === currency),
        ),
      ),
      baseTotal: total(
        functionalCurrency,
        rows.map((row) => ({ debitMinor: row.baseDebitMinor, creditMinor: row.baseCreditMinor })),
      ),
    };
  }

  private async rows(
    tx: Tx,
    companyId: string,
    query: TrialBalanceQuery,
  ): Promise<readonly TrialBalanceRowDto[]> {
    return tx.rows(sql`
      SELECT account.code AS "accountCode", account.name AS "accountName", account.type AS "accountType", currency,
        sum(greatest(amount_minor, 0)) AS "debitMinor", sum(greatest(-amount_minor, 0)) AS "creditMinor",
        sum(amount_minor) AS "balanceMinor", sum(greatest(base_minor, 0)) AS "baseDebitMinor",
        sum(greatest(-base_minor, 0)) AS "baseCreditMinor", sum(base_minor) AS "baseBalanceMinor"
      FROM journal_entry entry
      JOIN journal_line line ON line.entry_id = entry.id
      JOIN account ON account.company_id = line.company_id AND account.code = line.account_code
      WHERE entry.company_id = ${companyId} AND (entry.state = 'posted' OR ${query.state} = 'all')
        AND entry.posting_date <= COALESCE(${query.date ?? null}::date, 'infinity')
      GROUP BY account.code, account.name, account.type, currency
      ORDER BY account.code, currency`);
  }
}

function total(currency: string, rows: readonly Pick<TotalDto, 'debitMinor' | 'creditMinor'>[]): TotalDto {
  return {
    currency,
    debitMinor: rows.reduce((sum, row) => sum + BigInt(row.debitMinor), 0n).toString(),
    creditMinor: rows.reduce((sum, row) => sum + BigInt(row.creditMinor), 0n).toString(),
  };
}
