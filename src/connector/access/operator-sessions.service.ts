import { Injectable } from '@nestjs/common';
import { sha256 } from '../../foundation/crypto/sha256.js';
import { newSecretText } from '../../foundation/crypto/secret-text.js';
import { sql } from '../../foundation/database/sql.js';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';

/** After this the browser must present the token again. */
export const OPERATOR_SESSION_SECONDS = 3_600;

/** Browsers in which an operator has typed a token. Stored are hashes of the id and of the token, so that it ends with its token. */
@Injectable()
export class OperatorSessionsService {
  constructor(private readonly tenantDatabase: TenantDatabase) {}

  /** @returns id of the session, which the browser gets as a cookie */
  async begin(token: string): Promise<string> {
    const id = newSecretText();
    await this.tenantDatabase.withoutInstallation('begin operator session', async (tx) => {
      await tx.execute(sql`DELETE FROM operator_session WHERE expires_at < clock_timestamp()`);
      await tx.execute(sql`
        INSERT INTO operator_session (id_hash, token_hash, expires_at)
        VALUES (${sha256(id)}, ${sha256(token)}, clock_timestamp() + make_interval(secs => ${OPERATOR_SESSION_SECONDS}))`);
    });
    return id;
  }

  /** @returns hash of the token that began it; undefined for a session that is unknown or over */
  async findTokenHash(id: string): Promise<Buffer | undefined> {
    return this.tenantDatabase.withoutInstallation('find operator session', async (tx) => {
      const row = await tx.maybeOne<{ token_hash: Buffer }>(sql`
        SELECT token_hash FROM operator_session WHERE id_hash = ${sha256(id)} AND expires_at > clock_timestamp()`);
      return row?.token_hash;
    });
  }

  async end(id: string): Promise<void> {
    await this.tenantDatabase.withoutInstallation('end operator session', (tx) =>
      tx.execute(sql`DELETE FROM operator_session WHERE id_hash = ${sha256(id)}`),
    );
  }
}
