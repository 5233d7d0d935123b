import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { sql } from '../../foundation/database/sql.js';
import type { Tx } from '../../foundation/database/transaction.js';
import { toInstallationId, type InstallationId } from '../../kernel/ids.js';

/** What a person or a script may do in one installation; each includes the ones before it. */
export type Role = 'viewer' | 'bookkeeper' | 'admin';

export interface NewApiToken {
  readonly id: string;
  /** The token itself; only its hash is stored. */
  readonly token: string;
  readonly role: Role;
  readonly label: string;
  readonly days: number;
}

@Injectable()
export class ApiTokenRepository {
  /** Over all tenants: whose token this is. The hash is looked up, so the time taken tells nothing about the token. */
  async findInstallation(tx: Tx, token: string): Promise<InstallationId | undefined> {
    const row = await tx.maybeOne<{ installation_id: string }>(sql`
      SELECT installation_id FROM api_token WHERE token_hash = ${hash(token)}`);
    return row && toInstallationId(row.installation_id);
  }

  async findValid(tx: Tx, token: string): Promise<{ readonly id: string; readonly role: Role } | undefined> {
    return tx.maybeOne(sql`
      SELECT id, role FROM api_token WHERE token_hash = ${hash(token)} AND expires_at > clock_timestamp()`);
  }

  async insert(tx: Tx, installationId: InstallationId, created: NewApiToken): Promise<Date> {
    const row = await tx.one<{ expires_at: Date }>(sql`
      INSERT INTO api_token (id, installation_id, token_hash, role, label, created_at, expires_at)
      VALUES (${created.id}, ${installationId}, ${hash(created.token)}, ${created.role}, ${created.label},
        clock_timestamp(), clock_timestamp() + make_interval(days => ${created.days}))
      RETURNING expires_at`);
    return row.expires_at;
  }
}

function hash(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
