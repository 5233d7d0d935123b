import { Injectable } from '@nestjs/common';
import { sql } from '../../../foundation/database/sql.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import { Clock } from '../../../kernel/clock.js';
import { localDateIn } from '../../../kernel/local-date.js';

export interface CompanyDay {
  /** `YYYY-MM-DD`. */
  readonly date: string;
  readonly functionalCurrency: string;
}

/** The day of a report: as requested, or today. */
@Injectable()
export class CompanyDayRepository {
  constructor(private readonly clock: Clock) {}

  /** @param wanted `YYYY-MM-DD`; today in the company's time zone when absent */
  async day(tx: Tx, companyId: string, wanted: string | undefined): Promise<CompanyDay> {
    const { timeZone, functionalCurrency } = await tx.one<{
      readonly timeZone: string;
      readonly functionalCurrency: string;
    }>(sql`
      SELECT time_zone AS "timeZone", functional_currency AS "functionalCurrency" FROM company WHERE id = ${companyId}`);
    return { date: wanted ?? localDateIn(this.clock.now(), timeZone), functionalCurrency };
  }
}
