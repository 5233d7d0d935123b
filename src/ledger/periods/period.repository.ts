import { Injectable } from '@nestjs/common';
import { sql } from '../../foundation/database/sql.js';
import type { Tx } from '../../foundation/database/transaction.js';
import type { PageStart } from '../http/page.js';
import type { PeriodDto } from './period.dto.js';

@Injectable()
export class PeriodRepository {
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

  async page(tx: Tx, companyId: string, start: PageStart): Promise<readonly PeriodDto[]> {
    return tx.rows(sql`
      SELECT fiscal_year AS "fiscalYear", starts_on AS "from", ends_on AS "to", state
      FROM fiscal_period
      WHERE company_id = ${companyId} AND starts_on::text > ${start.after[0]}
      ORDER BY starts_on LIMIT ${start.rows}`);
  }
}
