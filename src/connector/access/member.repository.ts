import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { sql } from '../../foundation/database/sql.js';
import type { Tx } from '../../foundation/database/transaction.js';
import type { InstallationId } from '../../kernel/ids.js';
import type { Role } from './domain/role.js';

/** A person as the platform identifies them. */
export interface Person {
  /** The platform's id of the person, which never changes. */
  readonly subject: string;
  /** Display name; undefined where the platform gives none. */
  readonly name: string | undefined;
}

@Injectable()
export class MemberRepository {
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

  async isEmpty(tx: Tx, installationId: InstallationId): Promise<boolean> {
    const rows = await tx.rows(sql`SELECT 1 FROM member WHERE installation_id = ${installationId} LIMIT 1`);
    return rows.length === 0;
  }

  /** Records the sign-in of a member. @returns the member's id; undefined for a person who is no member yet */
  async recordSignIn(tx: Tx, installationId: InstallationId, person: Person): Promise<string | undefined> {
    const row = await tx.maybeOne<{ id: string }>(sql`
      UPDATE member SET signed_in_at = clock_timestamp(), display_name = coalesce(${person.name ?? null}, display_name)
      WHERE installation_id = ${installationId} AND subject = ${person.subject}
      RETURNING id`);
    return row?.id;
  }

  async insert(
    tx: Tx,
    installationId: InstallationId,
    member: Person & { readonly id: string; readonly role: Role },
  ): Promise<void> {
    // Truncated to milliseconds, the precision of the list's cursors.
    await tx.execute(sql`
      INSERT INTO member (installation_id, id, subject, display_name, role, created_at, signed_in_at)
      VALUES (${installationId}, ${member.id}, ${member.subject}, ${member.name ?? null}, ${member.role},
        date_trunc('milliseconds', clock_timestamp()), clock_timestamp())`);
  }

  /**
   * Under `lock`: the person who connects a company that has no admin holds the platform's consent for it, and becomes the
   * first one. Where there is an admin, connecting again changes nobody's role.
   */
  async makeFirstAdmin(tx: Tx, installationId: InstallationId, person: Person): Promise<void> {
    if ((await this.findUpToTwoAdmins(tx, installationId)).length > 0) {
      return;
    }
    const memberId = await this.recordSignIn(tx, installationId, person);
    await (memberId === undefined
      ? this.insert(tx, installationId, { ...person, id: randomUUID(), role: 'admin' })
      : this.setRole(tx, installationId, memberId, 'admin'));
  }

  /** @returns ids of at most two admins: enough to know whether one is the last */
  async findUpToTwoAdmins(tx: Tx, installationId: InstallationId): Promise<readonly string[]> {
    const rows = await tx.rows<{ id: string }>(sql`
      SELECT id FROM member WHERE installation_id = ${installationId} AND role = 'admin' ORDER BY id LIMIT 2`);
    return rows.map(({ id }) => id);
  }

  /** @returns false when the member does not exist */
  async setRole(tx: Tx, installationId: InstallationId, memberId: string, role: Role): Promise<boolean> {
    const changed = await tx.execute(sql`
      UPDATE member SET role = ${role} WHERE installation_id = ${installationId} AND id = ${memberId}`);
    return changed === 1;
  }

  /** Deletes the member with all sessions and tokens. @returns false when the member does not exist */
  async delete(tx: Tx, installationId: InstallationId, memberId: string): Promise<boolean> {
    const deleted = await tx.execute(sql`
      DELETE FROM member WHERE installation_id = ${installationId} AND id = ${memberId}`);
    return deleted === 1;
  }
}
