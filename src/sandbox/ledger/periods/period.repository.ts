import { Injectable } from '@nestjs/common';
import { sql } from '../../../foundation/database/sql.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import type { ListRepository, WritableRepository } from '../companies/company-master-data.js';
import type { PageStart } from '../http/page.js';
import type { FiscalYearDto, PeriodDto } from './period.dto.js';

/** More years than any company keeps books of. */
const MAX_YEARS = 500;

@Injectable()
export class PeriodRepository implements ListRepository<PeriodDto>, WritableRepository<PeriodDto> {
  readonly subject = 'periods';
  readonly sortedBy = ['from'] as const;
  readonly locksCompany = true;

  async upsert(tx: Tx, companyId: string, periods: readonly PeriodDto[]): Promise<void> {
    await tx.execute(sql`
      INSERT INTO fiscal_year (company_id, year)
      SELECT DISTINCT ${companyId}::uuid, year FROM unnest(${periods.map((p) => p.fiscalYear)}::int[]) AS new (year)
      ON CONFLICT (company_id, year) DO NOTHING`);
    await tx.execute(sql`
      INSERT INTO fiscal_period (company_id, starts_on, ends_on, fiscal_year, state)
      SELECT ${companyId}::uuid, new."from", new."to", new."fiscalYear", new.state
      FROM jsonb_to_recordset(${JSON.stringify(periods)}::jsonb)
        AS new ("from" date, "to" date, "fiscalYear" int, state text)
      ON CONFLICT (company_id, starts_on) DO UPDATE
        SET ends_on = EXCLUDED.ends_on, fiscal_year = EXCLUDED.fiscal_year, state = EXCLUDED.state`);
  }

  /** @returns false when no period starts on that day */
  async setState(tx: Tx, companyId: string, startsOn: string, state: PeriodDto['state']): Promise<boolean> {
    const changed = await tx.execute(sql`
      UPDATE fiscal_period SET state = ${state} WHERE company_id = ${companyId} AND starts_on = ${startsOn}`);
    return changed === 1;
  }

  /** @returns false when the company has no period in that year */
  async setYearState(tx: Tx, companyId: string, year: number, state: PeriodDto['state']): Promise<boolean> {
    const changed = await tx.execute(sql`
      UPDATE fiscal_period SET state = ${state} WHERE company_id = ${companyId} AND fiscal_year = ${year}`);
    return changed > 0;
  }

  /** Newest first. */
  async years(tx: Tx, companyId: string): Promise<readonly FiscalYearDto[]> {
    const rows = await tx.rows<Omit<FiscalYearDto, 'lastEntryNumber'> & { readonly last: bigint }>(sql`
      SELECT year, min(starts_on) AS "from", max(ends_on) AS "to",
        CASE WHEN bool_and(state = 'closed') THEN 'closed' ELSE 'open' END AS state, last_entry_number AS last
      FROM fiscal_year JOIN fiscal_period ON fiscal_period.company_id = fiscal_year.company_id AND fiscal_year = year
      WHERE fiscal_year.company_id = ${companyId}
      GROUP BY fiscal_year.company_id, year ORDER BY year DESC LIMIT ${MAX_YEARS}`);
    return rows.map(({ last, ...row }) => ({ ...row, lastEntryNumber: Number(last) }));
  }

  async page(tx: Tx, companyId: string, start: PageStart): Promise<readonly PeriodDto[]> {
    return tx.rows(sql`
      SELECT fiscal_year AS "fiscalYear", starts_on AS "from", ends_on AS "to", state
      FROM fiscal_period
      WHERE company_id = ${companyId} AND starts_on::text > ${start.after[0]}
      ORDER BY starts_on LIMIT ${start.rows}`);
  }
}
