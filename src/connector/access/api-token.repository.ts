import { Injectable } from '@nestjs/common';
import { sha256 } from '../../foundation/crypto/sha256.js';
import { sql } from '../../foundation/database/sql.js';
import type { Tx } from '../../foundation/database/transaction.js';
import { toInstallationId, type InstallationId } from '../../kernel/ids.js';
import type { Role } from './domain/role.js';

/** A use is recorded at most this often. */
const USE_RECORDED_EVERY_SECONDS = 60;

export interface NewApiToken {
  readonly id: string;
  /** The token itself; only its hash and its first characters are stored. */
  readonly token: string;
  readonly prefix: string;
  readonly role: Role;
  readonly label: string;
  readonly days: number;
  /** The member who created it; undefined for the operator. */
  readonly madeBy: string | undefined;
  /** The token it was created with, and with which it ends at the latest; undefined where a session created it. */
  readonly madeWith: { readonly id: string; readonly expiresAt: Date } | undefined;
}

/** What people may see of a token: never the token. */
export interface ApiToken {
  readonly id: string;
  readonly prefix: string | null;
  readonly role: Role;
  readonly label: string;
  readonly madeBy: string | null;
  readonly madeWith: string | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  /** Accurate to the minute. */
  readonly lastUsedAt: Date | null;
}

export interface ValidApiToken {
  readonly id: string;
  readonly role: Role;
  readonly expiresAt: Date;
  readonly madeBy: string | null;
  /** Present role of the member who created it; null for the operator. */
  readonly creatorRole: Role | null;
}

@Injectable()
export class ApiTokenRepository {
  /** Over all tenants: the installation of a token. */
  async findInstallation(tx: Tx, token: string): Promise<InstallationId | undefined> {
    const row = await tx.maybeOne<{ installation_id: string }>(sql`
      SELECT installation_id FROM api_token WHERE token_hash = ${sha256(token)}`);
    return row && toInstallationId(row.installation_id);
  }

  async findValid(tx: Tx, token: string): Promise<ValidApiToken | undefined> {
    return tx.maybeOne<ValidApiToken>(sql`
      SELECT t.id, t.role, t.expires_at AS "expiresAt", t.made_by AS "madeBy", m.role AS "creatorRole"
      FROM api_token t
      JOIN installation i ON i.id = t.installation_id AND i.state <> 'uninstalled'
      LEFT JOIN member m ON m.installation_id = t.installation_id AND m.id = t.made_by
      WHERE t.token_hash = ${sha256(token)} AND t.expires_at > clock_timestamp()
        -- Created while its creator was being removed.
        AND m.removed_at IS NULL`);
  }

  async recordUse(tx: Tx, id: string): Promise<void> {
    await tx.execute(sql`
      UPDATE api_token SET last_used_at = clock_timestamp()
      WHERE id = ${id} AND (last_used_at IS NULL
        OR last_used_at <= clock_timestamp() - make_interval(secs => ${USE_RECORDED_EVERY_SECONDS}))`);
  }

  /** @returns when it expires */
  async insert(tx: Tx, installationId: InstallationId, created: NewApiToken): Promise<Date> {
    const row = await tx.one<{ expires_at: Date }>(sql`
      INSERT INTO api_token (id, installation_id, token_hash, prefix, role, label, made_by, made_with, created_at,
        expires_at)
      VALUES (${created.id}, ${installationId}, ${sha256(created.token)}, ${created.prefix}, ${created.role},
        ${created.label}, ${created.madeBy ?? null}, ${created.madeWith?.id ?? null}, clock_timestamp(),
        least(clock_timestamp() + make_interval(days => ${created.days}), ${created.madeWith?.expiresAt ?? null}::timestamptz))
      RETURNING expires_at`);
    return row.expires_at;
  }

  /** @returns whether it exists; then it cannot be deleted until the transaction ends */
  async lockExisting(tx: Tx, installationId: InstallationId, id: string): Promise<boolean> {
    const rows = await tx.rows(sql`
      SELECT 1 FROM api_token WHERE installation_id = ${installationId} AND id = ${id} FOR KEY SHARE`);
    return rows.length === 1;
  }

  /** Deletes the expired tokens. @returns the number of the others */
  async countActive(tx: Tx, installationId: InstallationId): Promise<number> {
    await tx.execute(sql`
      DELETE FROM api_token WHERE installation_id = ${installationId} AND expires_at <= clock_timestamp()`);
    const { count } = await tx.one<{ count: number }>(sql`
      SELECT count(*)::int AS count FROM api_token WHERE installation_id = ${installationId}`);
    return count;
  }

  /** Newest first. */
  async list(tx: Tx, installationId: InstallationId): Promise<readonly ApiToken[]> {
    return tx.rows<ApiToken>(sql`
      SELECT id, prefix, role, label, made_by AS "madeBy", made_with AS "madeWith", created_at AS "createdAt",
        expires_at AS "expiresAt", last_used_at AS "lastUsedAt"
      FROM api_token WHERE installation_id = ${installationId} ORDER BY created_at DESC, id`);
  }

  /** Deletes the token and those created with it. @returns false when it does not exist */
  async delete(tx: Tx, installationId: InstallationId, id: string): Promise<boolean> {
    const deleted = await tx.execute(
      sql`DELETE FROM api_token WHERE installation_id = ${installationId} AND id = ${id}`,
    );
    return deleted === 1;
  }
}
