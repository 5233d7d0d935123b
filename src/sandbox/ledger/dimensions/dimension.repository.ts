import { Injectable } from '@nestjs/common';
import { sql } from '../../../foundation/database/sql.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import type { ListRepository, WritableRepository } from '../companies/company-master-data.js';
import type { PageStart } from '../http/page.js';
import type { DimensionDto } from './dimension.dto.js';

@Injectable()
export class DimensionRepository implements ListRepository<DimensionDto>, WritableRepository<DimensionDto> {
  readonly subject = 'dimensions';
  readonly sortedBy = ['code'] as const;

  async upsert(tx: Tx, companyId: string, dimensions: readonly DimensionDto[]): Promise<void> {
    await tx.execute(sql`
      INSERT INTO dimension (company_id, code, name, active)
      SELECT ${companyId}::uuid, new.code, new.name, new.active
      FROM jsonb_to_recordset(${JSON.stringify(dimensions)}::jsonb) AS new (code text, name text, active boolean)
      ORDER BY new.code
      ON CONFLICT (company_id, code) DO UPDATE SET name = EXCLUDED.name, active = EXCLUDED.active`);
  }

  async page(tx: Tx, companyId: string, start: PageStart): Promise<readonly DimensionDto[]> {
    return tx.rows(sql`
      SELECT code, name, active
      FROM dimension WHERE company_id = ${companyId} AND code > ${start.after[0]} ORDER BY code LIMIT ${start.rows}`);
  }
}
