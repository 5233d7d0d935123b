import { Injectable } from '@nestjs/common';
import { sql } from '../../foundation/database/sql.js';
import type { Tx } from '../../foundation/database/transaction.js';

export interface Consent {
  readonly grantId: string;
  readonly installationId: string;
  readonly companyId: string;
}

@Injectable()
export class ConsentRepository {
  async add(tx: Tx, consent: Consent): Promise<void> {
    await tx.execute(sql`
      INSERT INTO consent (grant_id, installation_id, company_id)
      VALUES (${consent.grantId}, ${consent.installationId}, ${consent.companyId})`);
  }

  async find(tx: Tx, grantId: string): Promise<Consent | undefined> {
    return tx.maybeOne<Consent>(sql`
      SELECT grant_id AS "grantId", installation_id AS "installationId", company_id AS "companyId"
      FROM consent WHERE grant_id = ${grantId}`);
  }
}
