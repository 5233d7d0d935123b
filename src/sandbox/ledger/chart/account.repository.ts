import { Injectable } from '@nestjs/common';
import { sql } from '../../../foundation/database/sql.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import type { ListRepository, WritableRepository } from '../companies/company-master-data.js';
import type { PageStart } from '../http/page.js';
import type { AccountDto } from './account.dto.js';

@Injectable()
export class AccountRepository implements ListRepository<AccountDto>, WritableRepository<AccountDto> {
  readonly subject = 'accounts';
  readonly sortedBy = ['code'] as const;
  readonly locksCompany = true;

  async upsert(tx: Tx, companyId: string, accounts: readonly AccountDto[]): Promise<void> {
    await tx.execute(sql`
      INSERT INTO account (company_id, code, external_id, name, type, active)
      SELECT ${companyId}::uuid, new.code, COALESCE(new."externalId", new.code), new.name, new.type, new.active
      FROM jsonb_to_recordset(${JSON.stringify(accounts)}::jsonb)
        AS new (code text, "externalId" text, name text, type text, active boolean)
      ORDER BY new.code
      ON CONFLICT (company_id, code) DO UPDATE SET external_id = EXCLUDED.external_id, name = EXCLUDED.name,
        type = EXCLUDED.type, active = EXCLUDED.active`);
  }

  async page(tx: Tx, companyId: string, start: PageStart): Promise<readonly AccountDto[]> {
    return tx.rows(sql`
      SELECT code, external_id AS "externalId", name, type, active
      FROM account WHERE company_id = ${companyId} AND code > ${start.after[0]} ORDER BY code LIMIT ${start.rows}`);
  }
}
