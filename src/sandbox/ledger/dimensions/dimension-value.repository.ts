import { Injectable } from '@nestjs/common';
import { sql } from '../../../foundation/database/sql.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import type { ListRepository, WritableRepository } from '../companies/company-master-data.js';
import type { PageStart } from '../http/page.js';
import type { DimensionValueDto } from './dimension.dto.js';

@Injectable()
export class DimensionValueRepository
  implements ListRepository<DimensionValueDto>, WritableRepository<DimensionValueDto>
{
  readonly subject = 'dimension-values';
  readonly sortedBy = ['dimensionCode', 'code'] as const;

  async upsert(tx: Tx, companyId: string, values: readonly DimensionValueDto[]): Promise<void> {
    await tx.execute(sql`
      INSERT INTO dimension_value (company_id, dimension_code, code, name, active)
      SELECT ${companyId}::uuid, new."dimensionCode", new.code, new.name, new.active
      FROM jsonb_to_recordset(${JSON.stringify(values)}::jsonb)
        AS new ("dimensionCode" text, code text, name text, active boolean)
      ORDER BY new."dimensionCode", new.code
      ON CONFLICT (company_id, dimension_code, code) DO UPDATE SET name = EXCLUDED.name, active = EXCLUDED.active`);
  }

  async page(tx: Tx, companyId: string, start: PageStart): Promise<readonly DimensionValueDto[]> {
    return tx.rows(sql`
      SELECT dimension_code AS "dimensionCode", code, name, active
      FROM dimension_value
      WHERE company_id = ${companyId} AND (dimension_code, code) > (${start.after[0]}, ${start.after[1]})
      ORDER BY dimension_code, code LIMIT ${start.rows}`);
  }
}
