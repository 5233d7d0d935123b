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
  /** That the person has chosen; null: as the browser prefers. */
  readonly language: string | null;
  /** Whether the person has signed in within the last quarter of an hour. */
  readonly signedInRecently: boolean;
}

/** A session as its own person sees it. */
export interface OwnSession {
  readonly id: string;
  /** In words. */
  readonly device: string;
  /** IP address of the sign-in. */
  readonly address: string;
  readonly createdAt: Date;
  /** Accurate to the minute. */
  readonly lastUsedAt: Date;
  /** Whether it is the one of the request. */
  readonly current: boolean;
}

export interface NewSession {
  /** For the browser's cookie; of it a hash is stored. */
  readonly id: string;
  readonly memberId: string;
  readonly device: string;
  readonly address: string;
  /** How long before the person has really given a password or the like, as the platform says. */
  readonly authenticatedSecondsAgo: number;
}

/** What a session in another installation takes over. */
export interface EndedSession extends Pick<NewSession, 'device' | 'address'> {
  readonly endsAt: Date;
}

/** The most sessions that a list shows. */
const MAX_LISTED = 100;

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
      SELECT m.id AS "memberId", m.display_name AS "displayName", m.role, m.language,
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

  /** It counts as recent, and lasts, from when the person was authenticated; at most by the quarter of an hour after which it is not recent. */
  async insert(tx: Tx, installationId: InstallationId, session: NewSession): Promise<void> {
    const before = Math.min(Math.max(session.authenticatedSecondsAgo, 0), RECENT_MINUTES * 60);
    await tx.execute(sql`
      INSERT INTO member_session (installation_id, id_hash, member_id, used_at, ends_at, device, from_ip)
      VALUES (${installationId}, ${sha256(session.id)}, ${session.memberId}, clock_timestamp(),
        clock_timestamp() + make_interval(hours => ${MAX_LIFETIME_HOURS}, secs => ${-before}), ${session.device},
        ${session.address})`);
  }

  /** Ends a session that goes on in another installation. @returns undefined when it has ended already */
  async take(tx: Tx, sessionId: string): Promise<EndedSession | undefined> {
    return tx.maybeOne<EndedSession>(sql`
      DELETE FROM member_session WHERE id_hash = ${sha256(sessionId)} AND ends_at > clock_timestamp()
      RETURNING device, from_ip AS address, ends_at AS "endsAt"`);
  }

  /** It lasts no longer than the one before, and does not count as recent. */
  async insertContinued(
    tx: Tx,
    installationId: InstallationId,
    session: EndedSession & Pick<NewSession, 'id' | 'memberId'>,
  ): Promise<void> {
    await tx.execute(sql`
      INSERT INTO member_session (installation_id, id_hash, member_id, used_at, ends_at, device, from_ip)
      VALUES (${installationId}, ${sha256(session.id)}, ${session.memberId}, clock_timestamp(),
        LEAST(${session.endsAt}::timestamptz, clock_timestamp() + make_interval(hours => ${MAX_LIFETIME_HOURS}, mins => ${-RECENT_MINUTES})),
        ${session.device}, ${session.address})`);
  }

  /**
   * Those that are not over, newest first.
   * @param current id of the requesting session
   */
  async listOwn(
    tx: Tx,
    installationId: InstallationId,
    memberId: string,
    current: string | undefined,
  ): Promise<readonly OwnSession[]> {
    return tx.rows<OwnSession>(sql`
      SELECT public_id AS id, device, from_ip AS address, ends_at - make_interval(hours => ${MAX_LIFETIME_HOURS}) AS "createdAt",
        used_at AS "lastUsedAt", id_hash = ${sha256(current ?? '')} AS current
      FROM member_session
      WHERE installation_id = ${installationId} AND member_id = ${memberId} AND ends_at > clock_timestamp()
        AND used_at > clock_timestamp() - make_interval(mins => ${IDLE_MINUTES})
      ORDER BY ends_at DESC, public_id LIMIT ${MAX_LISTED}`);
  }

  /** @returns whether the member has such a session */
  async deleteOwn(tx: Tx, installationId: InstallationId, memberId: string, id: string): Promise<boolean> {
    const deleted = await tx.execute(sql`
      DELETE FROM member_session
      WHERE installation_id = ${installationId} AND member_id = ${memberId} AND public_id = ${id}`);
    return deleted === 1;
  }

  /** @returns how many there were */
  async deleteOthers(
    tx: Tx,
    installationId: InstallationId,
    memberId: string,
    current: string | undefined,
  ): Promise<number> {
    return tx.execute(sql`
      DELETE FROM member_session
      WHERE installation_id = ${installationId} AND member_id = ${memberId} AND id_hash <> ${sha256(current ?? '')}`);
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
