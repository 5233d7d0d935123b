import { Injectable } from '@nestjs/common';
import { sql } from '../../../foundation/database/sql.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import type { PageStart } from '../http/page.js';
import type { CompanyDto, StoredCompanyDto } from './company.dto.js';

const COLUMNS = sql`
  id, name, registration_number AS "registrationNumber", functional_currency AS "functionalCurrency",
  time_zone AS "timeZone", country, idempotency, idempotency_seconds AS "idempotencySeconds",
  search_lag_seconds AS "searchLagSeconds",
  (SELECT coalesce(jsonb_object_agg(list, revision::text), '{}') FROM list_revision WHERE company_id = company.id) AS revisions`;

@Injectable()
export class CompanyRepository {
  async exists(tx: Tx, companyId: string): Promise<boolean> {
    return (await tx.maybeOne(sql`SELECT FROM company WHERE id = ${companyId}`)) !== undefined;
  }

  /**
   * Postings, vendor creation and changes of chart or periods of this company wait until the transaction ends, so that
   * what was checked stays true and no deadlock arises.
   */
  async lock(tx: Tx, companyId: string): Promise<void> {
    await tx.execute(sql`SELECT FROM company WHERE id = ${companyId} FOR NO KEY UPDATE`);
  }

  /** @returns false when the company exists with another functional currency, which never changes */
  async upsert(tx: Tx, companyId: string, company: CompanyDto): Promise<boolean> {
    const written = await tx.execute(sql`
      INSERT INTO company
        (id, name, registration_number, functional_currency, time_zone, country, idempotency, idempotency_seconds,
         search_lag_seconds)
      VALUES (${companyId}, ${company.name}, ${company.registrationNumber ?? null}, ${company.functionalCurrency},
        ${company.timeZone}, ${company.country ?? null}, ${company.idempotency}, ${company.idempotencySeconds ?? null},
        ${company.searchLagSeconds})
      ON CONFLICT (id) DO UPDATE SET name = EXCLUDED.name, registration_number = EXCLUDED.registration_number,
        time_zone = EXCLUDED.time_zone, country = EXCLUDED.country, idempotency = EXCLUDED.idempotency,
        idempotency_seconds = EXCLUDED.idempotency_seconds, search_lag_seconds = EXCLUDED.search_lag_seconds
      WHERE company.functional_currency = EXCLUDED.functional_currency`);
    return written === 1;
  }

  async page(tx: Tx, start: PageStart, onlyId: string | undefined): Promise<readonly StoredCompanyDto[]> {
    return tx.rows(sql`
      SELECT ${COLUMNS} FROM company
      WHERE id::text > ${start.after[0]} AND (${onlyId ?? null}::uuid IS NULL OR id = ${onlyId ?? null})
      ORDER BY id::text LIMIT ${start.rows}`);
  }

  async find(tx: Tx, companyId: string): Promise<StoredCompanyDto> {
    return tx.one(sql`
      SELECT ${COLUMNS} FROM company WHERE id = ${companyId}`);
  }
}
