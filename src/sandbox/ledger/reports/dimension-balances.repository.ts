import { Injectable } from '@nestjs/common';
import { sql } from '../../../foundation/database/sql.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import type { PageStart } from '../http/page.js';
import type { DimensionBalanceDto, DimensionBalancesQuery } from './dimension-balances.dto.js';

/** Adds up posted lines by the value they carry of one dimension. */
@Injectable()
export class DimensionBalancesRepository {
  /** @returns undefined when the company has no such dimension */
  async functionalCurrency(tx: Tx, companyId: string, dimension: string): Promise<string | undefined> {
    const row = await tx.maybeOne<{ readonly currency: string }>(sql`
      SELECT functional_currency AS currency FROM dimension JOIN company ON company.id = dimension.company_id
      WHERE dimension.company_id = ${companyId} AND code = ${dimension}`);
    return row?.currency;
  }

  async page(
    tx: Tx,
    companyId: string,
    { dimension, from, to }: Pick<DimensionBalancesQuery, 'dimension' | 'from' | 'to'>,
    start: PageStart,
  ): Promise<readonly DimensionBalanceDto[]> {
    const [value = '', accountCode = '', currency = ''] = start.after;
    return tx.rows(sql`
      WITH moved AS (
        SELECT coalesce(line.dimensions ->> ${dimension}::text, '') AS value, line.account_code, entry.currency,
          sum(greatest(amount_minor, 0)) AS debit, sum(greatest(-amount_minor, 0)) AS credit, sum(amount_minor) AS balance,
          sum(base_minor) AS base
        FROM journal_entry entry JOIN journal_line line ON line.entry_id = entry.id
        WHERE entry.company_id = ${companyId} AND entry.state = 'posted'
          AND entry.posting_date BETWEEN COALESCE(${from ?? null}::date, '-infinity')
            AND COALESCE(${to ?? null}::date, 'infinity')
        GROUP BY 1, 2, 3
      )
      SELECT NULLIF(moved.value, '') AS value, dimension_value.name AS "valueName", account.code AS "accountCode",
        account.name AS "accountName", account.type AS "accountType", moved.currency, debit AS "debitMinor",
        credit AS "creditMinor", balance AS "balanceMinor", base AS "baseBalanceMinor"
      FROM moved
      JOIN account ON account.company_id = ${companyId} AND account.code = moved.account_code
      LEFT JOIN dimension_value ON dimension_value.company_id = ${companyId}
        AND dimension_value.dimension_code = ${dimension} AND dimension_value.code = moved.value
      WHERE (moved.value, account.code, moved.currency) > (${value}, ${accountCode}, ${currency})
      ORDER BY moved.value, account.code, moved.currency LIMIT ${start.rows}`);
  }
}
