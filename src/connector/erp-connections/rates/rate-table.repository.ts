import { Injectable } from '@nestjs/common';
import { sql } from '../../../foundation/database/sql.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import { sha256Hex } from '../../../foundation/crypto/sha256.js';
import type { InstallationId } from '../../../kernel/ids.js';
import type { ExchangeRate } from '../../bookkeeping/item/bookkeeping-context.js';
import type { RateRequest } from '../../erp/erp-ledger.js';

/** The rates of an installation, as they were uploaded. */
export interface RateTable {
  /** From 1; grows with every upload. */
  readonly version: number;
  readonly rates: readonly ExchangeRate[];
  readonly uploadedBy: string;
  readonly uploadedAt: Date;
}

@Injectable()
export class RateTableRepository {
  /** @returns undefined before the first upload */
  async find(tx: Tx, installationId: InstallationId): Promise<RateTable | undefined> {
    return tx.maybeOne<RateTable>(sql`
      SELECT version, rates, uploaded_by AS "uploadedBy", uploaded_at AS "uploadedAt" FROM rate_table
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

  /**
   * In the place of the version before.
   * @returns false when another upload came after the version before was read
   */
  async saveVersion(tx: Tx, installationId: InstallationId, table: RateTable): Promise<boolean> {
    const { version, rates, uploadedBy, uploadedAt } = table;
    const text = JSON.stringify(rates);
    const saved = await tx.execute(sql`
      INSERT INTO rate_table AS kept (installation_id, version, rates, number_of_rates, digest, uploaded_by, uploaded_at)
      SELECT ${installationId}::uuid, ${version}::integer, ${text}::jsonb, ${rates.length}::integer,
        ${sha256Hex(text)}::text, ${uploadedBy}::text, ${uploadedAt}::timestamptz
      WHERE ${version}::integer = 1 OR EXISTS (SELECT FROM rate_table WHERE installation_id = ${installationId})
      ON CONFLICT (installation_id) DO UPDATE SET version = EXCLUDED.version, rates = EXCLUDED.rates,
        number_of_rates = EXCLUDED.number_of_rates, digest = EXCLUDED.digest, uploaded_by = EXCLUDED.uploaded_by,
        uploaded_at = EXCLUDED.uploaded_at
        WHERE kept.version = EXCLUDED.version - 1`);
    return saved === 1;
  }
}
