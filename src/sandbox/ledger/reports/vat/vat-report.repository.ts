import { Injectable } from '@nestjs/common';
import { sql } from '../../../../foundation/database/sql.js';
import type { Tx } from '../../../../foundation/database/transaction.js';
import type { PageStart } from '../../http/page.js';
import type { VatAccountDto, VatCodeDto, VatLineDto, VatLinesQuery, VatReportQuery } from './vat-report.dto.js';

export type VatLineRow = Omit<VatLineDto, 'number' | 'entryUrl'> & {
  readonly fiscalYear: number;
  /** Null for a draft. */
  readonly sequence: bigint | null;
};

type Scope = Pick<VatReportQuery, 'from' | 'to' | 'state'>;

/** Adds up what lines keep of their tax. Amounts are texts, whatever their size. */
@Injectable()
export class VatReportRepository {
  async functionalCurrency(tx: Tx, companyId: string): Promise<string> {
    const { functionalCurrency } = await tx.one<{ readonly functionalCurrency: string }>(sql`
      SELECT functional_currency AS "functionalCurrency" FROM company WHERE id = ${companyId}`);
    return functionalCurrency;
  }

  /** By code; what was posted without one comes last. */
  async codes(tx: Tx, companyId: string, { from, to, state }: Scope): Promise<readonly Omit<VatCodeDto, 'linesUrl'>[]> {
    return tx.rows(sql`
      SELECT line.tax_code AS "taxCode", tax_code.name, count(*)::integer AS lines,
        sum(base)::text AS "baseMinor", sum(tax)::text AS "taxMinor", sum(line.deductible)::text AS "deductibleMinor",
        sum(non_deductible)::text AS "nonDeductibleMinor", sum(reverse_charge_base)::text AS "reverseChargeBaseMinor",
        sum(reverse_charge_input)::text AS "reverseChargeInputMinor", sum(output_base)::text AS "outputBaseMinor",
        sum(output)::text AS "outputMinor"
      FROM vat_line line LEFT JOIN tax_code ON tax_code.company_id = line.company_id AND tax_code.code = line.tax_code
      WHERE line.company_id = ${companyId} AND posting_date BETWEEN ${from}::date AND ${to}::date
        AND (state = 'posted' OR ${state} = 'all')
      GROUP BY line.tax_code, tax_code.name ORDER BY line.tax_code`);
  }

  /**
   * The accounts of tax codes and those that a tax was posted to, where they moved. The movement is that of the trial
   * balance, so that the report is held against something that it was not made from.
   */
  async accounts(
    tx: Tx,
    companyId: string,
    { from, to, state }: Scope,
  ): Promise<readonly Omit<VatAccountDto, 'ledgerUrl'>[]> {
    return tx.rows(sql`
      WITH reported AS (
        SELECT account_code, sum(deductible - output) AS amount FROM vat_line
        WHERE company_id = ${companyId} AND posting_date BETWEEN ${from}::date AND ${to}::date
          AND (state = 'posted' OR ${state} = 'all') AND place <> 'expense'
        GROUP BY account_code),
      movement AS (
        SELECT account_code, sum(amount) AS amount FROM (
          SELECT account_code, state, base_debit_minor - base_credit_minor AS amount
            FROM turnover_through(${companyId}::uuid, ${to}::date)
          UNION ALL SELECT account_code, state, base_credit_minor - base_debit_minor
            FROM turnover_through(${companyId}::uuid, ${from}::date - 1)) turnover
        WHERE state = 'posted' OR ${state} = 'all' GROUP BY account_code)
      SELECT account.code AS "accountCode", account.name AS "accountName",
        coalesce(movement.amount, 0)::text AS "movementMinor", coalesce(reported.amount, 0)::text AS "reportedMinor",
        (coalesce(movement.amount, 0) - coalesce(reported.amount, 0))::text AS "differenceMinor"
      FROM account LEFT JOIN reported ON reported.account_code = account.code
      LEFT JOIN movement ON movement.account_code = account.code
      WHERE account.company_id = ${companyId}
        AND (reported.account_code IS NOT NULL OR movement.amount <> 0 AND EXISTS (SELECT FROM tax_code
          WHERE tax_code.company_id = account.company_id AND account.code IN (input_account_code, output_account_code)))
      ORDER BY account.code`);
  }

  /** By posting date, entry and line. */
  async lines(
    tx: Tx,
    companyId: string,
    query: VatLinesQuery,
    { rows, after }: PageStart,
  ): Promise<readonly VatLineRow[]> {
    const { from, to, state, taxCode = null, withoutCode = null } = query;
    const [day = '', entryId = '', lineNo = ''] = after;
    return tx.rows(sql`
      SELECT entry_id AS "entryId", fiscal_year AS "fiscalYear", number AS sequence, line_no AS "lineNo",
        posting_date AS "postingDate", document_date AS "documentDate", document_number AS "documentNumber", role,
        account_code AS "accountCode", tax_code AS "taxCode", place, reverse_charge AS "reverseCharge", rate::text,
        deductible_share::text AS deductible, currency, taxable_minor::text AS "entryTaxableMinor", tax_minor::text AS "entryTaxMinor",
        base::text AS "baseMinor", tax::text AS "taxMinor", deductible::text AS "deductibleMinor",
        non_deductible::text AS "nonDeductibleMinor", reverse_charge_base::text AS "reverseChargeBaseMinor",
        reverse_charge_input::text AS "reverseChargeInputMinor", output_base::text AS "outputBaseMinor",
        output::text AS "outputMinor"
      FROM vat_line
      WHERE company_id = ${companyId} AND posting_date BETWEEN ${from}::date AND ${to}::date
        AND (state = 'posted' OR ${state} = 'all')
        AND (${taxCode}::text IS NULL OR tax_code = ${taxCode}::text) AND (${withoutCode}::text IS NULL OR tax_code IS NULL)
        AND (posting_date, entry_id, line_no) > (COALESCE(NULLIF(${day}, '')::date, '-infinity'),
          COALESCE(NULLIF(${entryId}, '')::uuid, '00000000-0000-0000-0000-000000000000'), COALESCE(NULLIF(${lineNo}, '')::integer, 0))
      ORDER BY posting_date, entry_id, line_no LIMIT ${rows}`);
  }
}
