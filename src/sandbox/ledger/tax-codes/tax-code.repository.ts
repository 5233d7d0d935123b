import { Injectable } from '@nestjs/common';
import { sql } from '../../../foundation/database/sql.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import type { ListRepository, WritableRepository } from '../companies/company-master-data.js';
import type { PageStart } from '../http/page.js';
import type { TaxCodeDto } from './tax-code.dto.js';

@Injectable()
export class TaxCodeRepository implements ListRepository<TaxCodeDto>, WritableRepository<TaxCodeDto> {
  readonly subject = 'tax-codes';
  readonly sortedBy = ['code'] as const;

  async upsert(tx: Tx, companyId: string, taxCodes: readonly TaxCodeDto[]): Promise<void> {
    await tx.execute(sql`
      INSERT INTO tax_code
        (company_id, code, external_id, name, rate, input_account_code, output_account_code, deductible, active)
      SELECT ${companyId}::uuid, new.code, COALESCE(new."externalId", new.code), new.name, new.rate,
        new."inputAccountCode", new."outputAccountCode", new.deductible, new.active
      FROM jsonb_to_recordset(${JSON.stringify(taxCodes)}::jsonb)
        AS new (code text, "externalId" text, name text, rate numeric, "inputAccountCode" text,
          "outputAccountCode" text, deductible numeric, active boolean)
      ORDER BY new.code
      ON CONFLICT (company_id, code) DO UPDATE SET external_id = EXCLUDED.external_id, name = EXCLUDED.name,
        rate = EXCLUDED.rate, input_account_code = EXCLUDED.input_account_code,
        output_account_code = EXCLUDED.output_account_code, deductible = EXCLUDED.deductible, active = EXCLUDED.active`);
  }

  async page(tx: Tx, companyId: string, start: PageStart): Promise<readonly TaxCodeDto[]> {
    return tx.rows(sql`
      SELECT code, external_id AS "externalId", name, rate, input_account_code AS "inputAccountCode",
        output_account_code AS "outputAccountCode", deductible, active
      FROM tax_code WHERE company_id = ${companyId} AND code > ${start.after[0]} ORDER BY code LIMIT ${start.rows}`);
  }
}
