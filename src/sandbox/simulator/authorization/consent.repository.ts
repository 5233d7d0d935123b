import { Injectable } from '@nestjs/common';
import { sql } from '../../../foundation/database/sql.js';
import type { Tx } from '../../../foundation/database/transaction.js';

export interface NewConsent {
  readonly grantId: string;
  readonly installationId: string;
  /** Null: all companies of the organization that the installation is for. */
  readonly companyId: string | null;
}

export interface Consent {
  readonly installationId: string;
  /** URN of the company or organization. */
  readonly resource: string;
}

@Injectable()
export class ConsentRepository {
  async add(tx: Tx, consent: NewConsent): Promise<void> {
    await tx.execute(sql`
      INSERT INTO consent (grant_id, installation_id, company_id)
      VALUES (${consent.grantId}, ${consent.installationId}, ${consent.companyId})`);
  }

  async find(tx: Tx, grantId: string): Promise<Consent | undefined> {
    return tx.maybeOne<Consent>(sql`
      SELECT consent.installation_id AS "installationId", installation.resource
      FROM consent JOIN installation ON installation.id = consent.installation_id
      WHERE consent.grant_id = ${grantId}`);
  }
}
