import { Injectable } from '@nestjs/common';
import { sha256 } from '../../foundation/crypto/sha256.js';
import { sql } from '../../foundation/database/sql.js';
import type { Tx } from '../../foundation/database/transaction.js';
import { toInstallationId, type InstallationId } from '../../kernel/ids.js';
import type { Role } from './domain/role.js';

const IDLE_MINUTES = 30;
/** Also for a session in use. */
const MAX_LIFETIME_HOURS = 8;
/** How long a sign-in counts as recent, which sensitive actions require (ASVS 5.0, 7.5.3). */
const RECENT_MINUTES = 15;
/** A use is recorded at most this often. */
const USE_RECORDED_EVERY_SECONDS = 60;

/** The member of a session, with the present role. */
export interface SessionMember {
  readonly memberId: string;
  readonly displayName: string | null;
  readonly role: Role;
  /** Whether the person has signed in within the last quarter of an hour. */
  readonly signedInRecently: boolean;
}

/** Sessions of people. All times are the database's: the clocks of processes differ. */
@Injectable()
export class SessionRepository {
  /** Over all tenants: the installation of a session. */
  async findInstallation(tx: Tx, sessionId: string): Promise<InstallationId | undefined> {
    const row = await tx.maybeOne<{ installation_id: string }>(sql`
      SELECT installation_id FROM member_session WHERE id_hash = ${sha256(sessionId)}`);
    return row && toInstallationId(row.installation_id);
  }

  /** @returns undefined for a session that is unknown, idle for too long or expired */
  async findValid(tx: Tx, sessionId: string): Promise<SessionMember | undefined> {
    return tx.maybeOne<SessionMember>(sql`
      SELECT m.id AS "memberId", m.display_name AS "displayName", m.role,
        s.ends_at > clock_timestamp() + make_interval(hours => ${MAX_LIFETIME_HOURS}, mins => ${-RECENT_MINUTES})
          AS "signedInRecently"
      FROM member_session s
      JOIN member m ON m.installation_id = s.installation_id AND m.id = s.member_id AND m.removed_at IS NULL
      JOIN installation i ON i.id = s.installation_id AND i.state <> 'uninstalled'
      WHERE s.id_hash = ${sha256(sessionId)} AND s.ends_at > clock_timestamp()
        AND s.used_at > clock_timestamp() - make_interval(mins => ${IDLE_MINUTES})`);
  }

  async recordUse(tx: Tx, sessionId: string): Promise<void> {
    await tx.execute(sql`
      UPDATE member_session SET used_at = clock_timestamp()
      WHERE id_hash = ${sha256(sessionId)}
        AND used_at <= clock_timestamp() - make_interval(secs => ${USE_RECORDED_EVERY_SECONDS})`);
  }

  async insert(
    tx: Tx,
    installationId: InstallationId,
    session: { readonly id: string; readonly memberId: string },
  ): Promise<void> {
    await tx.execute(sql`
      INSERT INTO member_session (installation_id, id_hash, member_id, used_at, ends_at)
      VALUES (${installationId}, ${sha256(session.id)}, ${session.memberId}, clock_timestamp(),
        clock_timestamp() + make_interval(hours => ${MAX_LIFETIME_HOURS}))`);
  }

  async delete(tx: Tx, sessionId: string): Promise<void> {
    await tx.execute(sql`DELETE FROM member_session WHERE id_hash = ${sha256(sessionId)}`);
  }

  async deleteExpired(tx: Tx, installationId: InstallationId): Promise<void> {
    await tx.execute(sql`
      DELETE FROM member_session
      WHERE installation_id = ${installationId} AND (ends_at <= clock_timestamp()
        OR used_at <= clock_timestamp() - make_interval(mins => ${IDLE_MINUTES}))`);
  }
}
