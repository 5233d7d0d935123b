import { Injectable } from '@nestjs/common';
import { sql } from '../../../foundation/database/sql.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import type { ListRepository, WritableRepository } from '../companies/company-master-data.js';
import type { PageStart } from '../http/page.js';
import type { RateDto, RateQuery } from './rate.dto.js';

@Injectable()
export class RateRepository implements ListRepository<RateDto, RateQuery>, WritableRepository<RateDto> {
  readonly subject = 'exchange-rates';
  readonly sortedBy = ['from', 'to', 'date'] as const;

  async upsert(tx: Tx, companyId: string, rates: readonly RateDto[]): Promise<void> {
    await tx.execute(sql`
      INSERT INTO exchange_rate (company_id, from_currency, to_currency, rated_on, rate)
      SELECT ${companyId}::uuid, new."from", new."to", new."date", new.rate
      FROM jsonb_to_recordset(${JSON.stringify(rates)}::jsonb)
        AS new ("from" text, "to" text, "date" date, rate numeric)
      ORDER BY new."from", new."to", new."date"
      ON CONFLICT (company_id, from_currency, to_currency, rated_on) DO UPDATE SET rate = EXCLUDED.rate`);
  }

  async page(tx: Tx, companyId: string, start: PageStart, query: RateQuery): Promise<readonly RateDto[]> {
    const [from, to, date] = start.after;
    return tx.rows(sql`
      SELECT from_currency AS "from", to_currency AS "to", rated_on AS "date", rate
      FROM exchange_rate
      WHERE company_id = ${companyId}
        AND (${query.from ?? null}::text IS NULL OR from_currency = ${query.from ?? null})
        AND (${query.to ?? null}::text IS NULL OR to_currency = ${query.to ?? null})
        AND rated_on BETWEEN COALESCE(${query.since ?? null}::date, '-infinity')
          AND COALESCE(${query.until ?? null}::date, 'infinity')
        AND (from_currency, to_currency, rated_on::text) > (${from}, ${to}, ${date})
      ORDER BY from_currency, to_currency, rated_on LIMIT ${start.rows}`);
  }
}
