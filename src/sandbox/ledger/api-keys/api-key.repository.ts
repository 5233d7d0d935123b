import { Injectable } from '@nestjs/common';
import { sql } from '../../../foundation/database/sql.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import type { ApiKeyDto } from './api-key.dto.js';

@Injectable()
export class ApiKeyRepository {
  /** @param digest SHA-256 of the key */
  async insert(tx: Tx, companyId: string, digest: Buffer): Promise<ApiKeyDto> {
    return tx.one(sql`
      INSERT INTO api_key (company_id, digest) VALUES (${companyId}, ${digest}) RETURNING id, created_at AS "createdAt"`);
  }

  async list(tx: Tx, companyId: string): Promise<readonly ApiKeyDto[]> {
    return tx.rows(sql`SELECT id, created_at AS "createdAt" FROM api_key WHERE company_id = ${companyId} ORDER BY id`);
  }

  /** @returns false when the company has no such key */
  async delete(tx: Tx, companyId: string, keyId: string): Promise<boolean> {
    return (await tx.execute(sql`DELETE FROM api_key WHERE company_id = ${companyId} AND id = ${keyId}`)) === 1;
  }

  /** @returns id of the company that the key with this digest opens, or the access token that was given for a key */
  async findCompany(tx: Tx, digest: Buffer): Promise<string | undefined> {
    const row = await tx.maybeOne<{ readonly companyId: string }>(sql`
      SELECT company_id AS "companyId" FROM api_key WHERE digest = ${digest}
      UNION ALL
      SELECT api_key.company_id FROM oauth_token
        JOIN oauth_grant ON oauth_grant.id = oauth_token.grant_id JOIN api_key ON api_key.id = oauth_grant.api_key_id
      WHERE oauth_token.digest = ${digest} AND oauth_token.kind = 'access' AND oauth_token.expires_at > clock_timestamp()`);
    return row?.companyId;
  }
}
