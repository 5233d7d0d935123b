import { Injectable } from '@nestjs/common';
import { sql } from '../../../foundation/database/sql.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import { dimensionKey, type BooksView, type CheckedGroup } from './domain/check-group.js';

interface NamedRow {
  readonly code: string;
  readonly active: boolean;
}

/** Reads what a batch of groups refers to: one statement per kind, whatever the size of the batch. */
@Injectable()
export class BooksViewRepository {
  async load(
    tx: Tx,
    companyId: string,
    functionalCurrency: string,
    groups: readonly CheckedGroup[],
  ): Promise<BooksView> {
    const entries = groups.flatMap((group) => group.entries);
    const lines = entries.flatMap((entry) => entry.lines);
    const settlements = entries.flatMap((entry) => entry.settlement ?? []);
    return {
      functionalCurrency,
      accounts: await this.accounts(tx, companyId, [
        ...lines.map((line) => line.accountCode),
        ...settlements.flatMap((settlement) => settlement.realizedFxAccountCode ?? []),
      ]),
      vendors: await this.vendors(tx, companyId, [
        ...lines.flatMap((line) => line.vendorNumber ?? []),
        ...settlements.map((settlement) => settlement.vendorNumber),
      ]),
      taxCodes: await this.taxCodes(
        tx,
        companyId,
        lines.flatMap((line) => line.taxCode ?? []),
      ),
      dimensionValues: await this.dimensionValues(
        tx,
        companyId,
        lines.flatMap((line) => Object.keys(line.dimensions)),
      ),
      periods: await this.periods(
        tx,
        companyId,
        entries.map((entry) => entry.postingDate),
      ),
    };
  }

  async accounts(tx: Tx, companyId: string, codes: readonly string[]): Promise<BooksView['accounts']> {
    const rows = await tx.rows<NamedRow>(sql`
      SELECT code, active FROM account WHERE company_id = ${companyId} AND code = ANY(${distinct(codes)}::text[])`);
    return new Map(rows.map((row) => [row.code, row]));
  }

  private async vendors(tx: Tx, companyId: string, numbers: readonly string[]): Promise<BooksView['vendors']> {
    if (numbers.length === 0) {
      return new Map();
    }
    const rows = await tx.rows<{ readonly number: string; readonly usable: boolean }>(sql`
      SELECT number, NOT (blocked OR archived) AS usable
      FROM vendor WHERE company_id = ${companyId} AND number = ANY(${distinct(numbers)}::text[])`);
    return new Map(rows.map((row) => [row.number, row]));
  }

  private async taxCodes(tx: Tx, companyId: string, codes: readonly string[]): Promise<BooksView['taxCodes']> {
    if (codes.length === 0) {
      return new Map();
    }
    const rows = await tx.rows<NamedRow>(sql`
      SELECT code, active FROM tax_code WHERE company_id = ${companyId} AND code = ANY(${distinct(codes)}::text[])`);
    return new Map(rows.map((row) => [row.code, row]));
  }

  private async dimensionValues(
    tx: Tx,
    companyId: string,
    dimensions: readonly string[],
  ): Promise<BooksView['dimensionValues']> {
    if (dimensions.length === 0) {
      return new Map();
    }
    const rows = await tx.rows<NamedRow & { readonly dimension: string }>(sql`
      SELECT value.dimension_code AS dimension, value.code, value.active AND dimension.active AS active
      FROM dimension_value value JOIN dimension
        ON dimension.company_id = value.company_id AND dimension.code = value.dimension_code
      WHERE value.company_id = ${companyId} AND value.dimension_code = ANY(${distinct(dimensions)}::text[])`);
    return new Map(rows.map((row) => [dimensionKey(row.dimension, row.code), row]));
  }

  async periods(tx: Tx, companyId: string, dates: readonly string[]): Promise<BooksView['periods']> {
    const rows = await tx.rows<{
      readonly date: string;
      readonly open: boolean;
      readonly fiscalYear: number;
    }>(sql`
      SELECT wanted.day AS date, state = 'open' AS open, fiscal_year AS "fiscalYear"
      FROM unnest(${distinct(dates)}::date[]) AS wanted (day)
      JOIN fiscal_period ON company_id = ${companyId} AND wanted.day BETWEEN starts_on AND ends_on`);
    return new Map(rows.map((row) => [row.date, row]));
  }

  /**
   * @param days `YYYY-MM-DD`
   * @returns for each of them itself, or the first day after it that lies in an open period; without those that have none
   */
  async firstOpenDays(tx: Tx, companyId: string, days: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const rows = await tx.rows<{ readonly day: string; readonly openDay: string }>(sql`
      SELECT wanted.day, open.day AS "openDay"
      FROM unnest(${distinct(days)}::date[]) AS wanted (day)
      CROSS JOIN LATERAL (SELECT greatest(starts_on, wanted.day) AS day FROM fiscal_period
        WHERE company_id = ${companyId} AND state = 'open' AND ends_on >= wanted.day
        ORDER BY starts_on LIMIT 1) AS open`);
    return new Map(rows.map(({ day, openDay }) => [day, openDay]));
  }
}

function distinct(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)];
}
