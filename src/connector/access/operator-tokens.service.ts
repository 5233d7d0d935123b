import { Injectable } from '@nestjs/common';
import { sha256 } from '../../foundation/crypto/sha256.js';
import { sql } from '../../foundation/database/sql.js';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';

/** A use is recorded at most this often. */
const USE_RECORDED_EVERY_SECONDS = 60;

/** Tokens of the operator's people and scripts, each with a name. `npm run operator` makes and revokes them. */
@Injectable()
export class OperatorTokensService {
  constructor(private readonly tenantDatabase: TenantDatabase) {}

  /** @returns whose token it is; undefined for one that is unknown or, from the moment on, revoked or replaced */
  async findName(token: string): Promise<string | undefined> {
    return this.findNameOf(sha256(token));
  }

  /** As `findName`. @param hash of the token */
  async findNameOf(hash: Buffer): Promise<string | undefined> {
    return this.tenantDatabase.withoutInstallation('find operator token', async (tx) => {
      const found = await tx.maybeOne<{ name: string }>(sql`
        SELECT name FROM operator_token WHERE token_hash = ${hash} AND revoked_at IS NULL`);
      if (found !== undefined) {
        await tx.execute(sql`
          UPDATE operator_token SET last_used_at = clock_timestamp()
          WHERE name = ${found.name} AND revoked_at IS NULL AND (last_used_at IS NULL
            OR last_used_at <= clock_timestamp() - make_interval(secs => ${USE_RECORDED_EVERY_SECONDS}))`);
      }
      return found?.name;
    });
  }
}
