import { Injectable } from '@nestjs/common';
import { sql } from '../../../foundation/database/sql.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import { sha256Hex } from '../../../foundation/crypto/sha256.js';
import type { InstallationId } from '../../../kernel/ids.js';
import type { ExchangeRate } from '../../bookkeeping/item/bookkeeping-context.js';
import type { RateRequest } from '../../erp/erp-ledger.js';

/** The rates of an installation, as they were uploaded. */
export interface RateTable {
  readonly rates: readonly ExchangeRate[];
  readonly uploadedBy: string;
  readonly uploadedAt: Date;
}

@Injectable()
export class RateTableRepository {
  /** @returns undefined before the first upload */
  async find(tx: Tx, installationId: InstallationId): Promise<RateTable | undefined> {
    return tx.maybeOne<RateTable>(sql`
      SELECT rates, uploaded_by AS "uploadedBy", uploaded_at AS "uploadedAt" FROM rate_table
      WHERE installation_id = ${installationId}`);
  }

  async findRates(
    tx: Tx,
    installationId: InstallationId,
    { currencies, from, to }: RateRequest,
  ): Promise<readonly ExchangeRate[]> {
    return tx.rows<ExchangeRate>(sql`
      SELECT rate->>'from' AS "from", rate->>'to' AS "to", rate->>'date' AS date, rate->>'rate' AS rate
      FROM rate_table, jsonb_array_elements(rates) AS rate
      WHERE installation_id = ${installationId} AND rate->>'from' = ANY(${[...currencies]}::text[])
        AND rate->>'date' BETWEEN ${from} AND ${to}`);
  }

  /** In the place of what was uploaded before. */
  async upsert(tx: Tx, installationId: InstallationId, { rates, uploadedBy, uploadedAt }: RateTable): Promise<void> {
    const text = JSON.stringify(rates);
    await tx.execute(sql`
      INSERT INTO rate_table AS kept (installation_id, rates, number_of_rates, digest, uploaded_by, uploaded_at)
      VALUES (${installationId}, ${text}::jsonb, ${rates.length}, ${sha256Hex(text)}, ${uploadedBy}, ${uploadedAt})
      ON CONFLICT (installation_id) DO UPDATE SET rates = EXCLUDED.rates, number_of_rates = EXCLUDED.number_of_rates,
        digest = EXCLUDED.digest, uploaded_by = EXCLUDED.uploaded_by, uploaded_at = EXCLUDED.uploaded_at`);
  }
}
