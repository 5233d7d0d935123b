import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { actAs } from '../../foundation/database/actor.js';
import { sql } from '../../foundation/database/sql.js';
import type { Tx } from '../../foundation/database/transaction.js';
import { Mailer } from '../../foundation/mail/mailer.js';
import type { InstallationId } from '../../kernel/ids.js';
import type { Role } from './domain/role.js';

/** A person as the platform identifies them. */
export interface Person {
  /** The platform's id of the person, which never changes. */
  readonly subject: string;
  /** Display name; undefined where the platform gives none. */
  readonly name: string | undefined;
  /** Mail address; undefined where the platform gives none. */
  readonly mail?: string | undefined;
}

/** How long after a sign-in to a company a person may come to it from another one. */
export const MEMBERSHIP_DAYS = 30;

@Injectable()
export class MemberRepository {
  constructor(private readonly mailer: Mailer) {}

  /** Serializes changes of the installation's members and roles until the transaction ends. */
  async lock(tx: Tx, installationId: InstallationId): Promise<void> {
    await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`member ${installationId}`}, 0))`);
  }

  /**
   * Uninstalling waits for this transaction.
   * @returns whether the installation exists and is not uninstalled
   */
  async lockActiveInstallation(tx: Tx, installationId: InstallationId): Promise<boolean> {
    const row = await tx.maybeOne<{ state: string }>(sql`
      SELECT state FROM installation WHERE id = ${installationId} FOR SHARE`);
    return row !== undefined && row.state !== 'uninstalled';
  }

  /**
   * Under `lock`: records that a person whom the platform has authenticated has signed in, and acts as that person from now on. A new
   * person is a viewer.
   * @returns the member's id; undefined for a person who was removed
   */
  async admit(tx: Tx, installationId: InstallationId, person: Person): Promise<string | undefined> {
    const known = await tx.maybeOne<{ id: string; removed: boolean }>(sql`
      SELECT id, removed_at IS NOT NULL AS removed FROM member
      WHERE installation_id = ${installationId} AND subject = ${person.subject}`);
    const id = known?.id ?? randomUUID();
    await actAs(tx, `person ${id}`);
    if (known === undefined) {
      await this.insert(tx, installationId, { ...person, id });
    } else if (!known.removed) {
      await tx.execute(sql`
        UPDATE member SET signed_in_at = clock_timestamp(), display_name = coalesce(${person.name ?? null}, display_name),
          mail = coalesce(${this.mailOf(person)}, mail)
        WHERE installation_id = ${installationId} AND id = ${id}`);
    }
    return known?.removed === true ? undefined : id;
  }

  /** Kept only where it is of use. */
  private mailOf({ mail }: Person): string | null {
    return this.mailer.canSend ? (mail ?? null) : null;
  }

  private async insert(
    tx: Tx,
    installationId: InstallationId,
    member: Person & { readonly id: string },
  ): Promise<void> {
    // Truncated to milliseconds, the precision of the list's cursors.
    await tx.execute(sql`
      INSERT INTO member (installation_id, id, subject, display_name, mail, role, created_at, signed_in_at)
      VALUES (${installationId}, ${member.id}, ${member.subject}, ${member.name ?? null}, ${this.mailOf(member)}, 'viewer',
        date_trunc('milliseconds', clock_timestamp()), clock_timestamp())`);
  }

  /**
   * A person by the platform's id, who has signed in to this installation lately.
   * @returns the member's id; undefined for another person, and in an installation that is uninstalled
   */
  async findRecent(tx: Tx, installationId: InstallationId, subject: string): Promise<string | undefined> {
    const row = await tx.maybeOne<{ id: string }>(sql`
      SELECT member.id FROM member JOIN installation ON installation.id = member.installation_id AND state <> 'uninstalled'
      WHERE installation_id = ${installationId} AND subject = ${subject} AND removed_at IS NULL
        AND signed_in_at > clock_timestamp() - make_interval(days => ${MEMBERSHIP_DAYS})`);
    return row?.id;
  }

  /**
   * Under `lock`: makes a member the first admin. Where there is an admin nothing changes.
   * @returns whether the member is the first admin now
   */
  async makeFirstAdmin(tx: Tx, installationId: InstallationId, memberId: string): Promise<boolean> {
    const hasAdmin = (await this.findUpToTwoAdmins(tx, installationId)).length > 0;
    return !hasAdmin && this.setRole(tx, installationId, memberId, 'admin');
  }

  /** @returns ids of at most two admins: enough to know whether one is the last */
  async findUpToTwoAdmins(tx: Tx, installationId: InstallationId): Promise<readonly string[]> {
    const rows = await tx.rows<{ id: string }>(sql`
      SELECT id FROM member WHERE installation_id = ${installationId} AND role = 'admin' AND removed_at IS NULL
      ORDER BY id LIMIT 2`);
    return rows.map(({ id }) => id);
  }

  /** Under `lock`. @returns false for a person who was removed, too */
  async isMember(tx: Tx, installationId: InstallationId, memberId: string): Promise<boolean> {
    const rows = await tx.rows(sql`
      SELECT FROM member WHERE installation_id = ${installationId} AND id = ${memberId} AND removed_at IS NULL`);
    return rows.length === 1;
  }

  /** Under `lock`. @returns false for a person who was removed, too */
  async isAdmin(tx: Tx, installationId: InstallationId, memberId: string): Promise<boolean> {
    const rows = await tx.rows(sql`
      SELECT FROM member
      WHERE installation_id = ${installationId} AND id = ${memberId} AND role = 'admin' AND removed_at IS NULL`);
    return rows.length === 1;
  }

  /** A removed person is a member again. @returns false when the member does not exist */
  async setRole(tx: Tx, installationId: InstallationId, memberId: string, role: Role): Promise<boolean> {
    const changed = await tx.execute(sql`
      UPDATE member SET role = ${role}, removed_at = NULL
      WHERE installation_id = ${installationId} AND id = ${memberId}`);
    return changed === 1;
  }

  /** Ends all sessions and tokens of the member, too. @returns false when the member does not exist, or was removed before */
  async remove(tx: Tx, installationId: InstallationId, memberId: string): Promise<boolean> {
    const removed = await tx.execute(sql`
      UPDATE member SET removed_at = clock_timestamp(), mail = NULL
      WHERE installation_id = ${installationId} AND id = ${memberId} AND removed_at IS NULL`);
    await tx.execute(sql`
      DELETE FROM member_session WHERE installation_id = ${installationId} AND member_id = ${memberId}`);
    await tx.execute(sql`DELETE FROM api_token WHERE installation_id = ${installationId} AND made_by = ${memberId}`);
    return removed === 1;
  }
}
