import { Injectable } from '@nestjs/common';
import { sql } from '../../foundation/database/sql.js';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import { toInstallationId, type InstallationId } from '../../kernel/ids.js';
import type { Role } from './domain/role.js';
import { MEMBERSHIP_DAYS } from './member.repository.js';

/** The most companies that a person's list shows. */
const MAX_MEMBERSHIPS = 50;

/** A person who has signed in to an installation. */
export interface Member {
  readonly id: string;
  readonly subject: string;
  readonly displayName: string | null;
  readonly role: Role;
  readonly createdAt: Date;
  readonly signedInAt: Date;
  /** Null for all who may sign in. */
  readonly removedAt: Date | null;
}

/** A company that a person works for. */
export interface Membership {
  readonly installationId: InstallationId;
  readonly companyName: string;
  readonly connection: 'authorized' | 'active' | 'needs_reauthorization';
  readonly role: Role;
}

/** Sort key in the list of members. */
export interface MemberPosition {
  readonly createdAt: Date;
  readonly id: string;
}

/** Reads members, each call in a transaction of its own. */
@Injectable()
export class MemberReader {
  constructor(private readonly tenantDatabase: TenantDatabase) {}

  /**
   * @param after last member of the page before; undefined for the first page
   * @returns at most `limit` members, oldest first
   */
  async list(
    installationId: InstallationId,
    after: MemberPosition | undefined,
    limit: number,
  ): Promise<readonly Member[]> {
    return this.tenantDatabase.readOnce('list members', installationId, (tx) =>
      tx.rows<Member>(sql`
        SELECT id, subject, display_name AS "displayName", role, created_at AS "createdAt", signed_in_at AS "signedInAt",
          removed_at AS "removedAt"
        FROM member
        WHERE installation_id = ${installationId}
          AND (${after === undefined} OR (created_at, id) > (${after?.createdAt ?? null}::timestamptz, ${after?.id ?? null}::uuid))
        ORDER BY created_at, id LIMIT ${limit}`),
    );
  }

  async hasAdmin(installationId: InstallationId): Promise<boolean> {
    const found = await this.tenantDatabase.readOnce('find admin', installationId, (tx) =>
      tx.maybeOne(sql`
        SELECT FROM member WHERE installation_id = ${installationId} AND role = 'admin' AND removed_at IS NULL LIMIT 1`),
    );
    return found !== undefined;
  }

  /** @returns undefined for an id that does not exist */
  async find(installationId: InstallationId, memberId: string): Promise<Member | undefined> {
    return this.tenantDatabase.readOnce('find member', installationId, (tx) =>
      tx.maybeOne<Member>(sql`
        SELECT id, subject, display_name AS "displayName", role, created_at AS "createdAt", signed_in_at AS "signedInAt",
          removed_at AS "removedAt"
        FROM member WHERE installation_id = ${installationId} AND id = ${memberId}`),
    );
  }

  /**
   * The companies that a person works for, by name: of those to which they have signed in within 30 days, the platform has said so.
   * @param memberId undefined for a token: then only the installation itself
   */
  async membershipsOf(installationId: InstallationId, memberId: string | undefined): Promise<readonly Membership[]> {
    const subject = memberId === undefined ? undefined : (await this.find(installationId, memberId))?.subject;
    const ids = await this.tenantDatabase.readOnceAcross('find own memberships', (tx) =>
      tx.rows<{ id: string }>(sql`
        SELECT installation_id AS id FROM member
        WHERE subject = ${subject ?? null} AND removed_at IS NULL
          AND signed_in_at > clock_timestamp() - make_interval(days => ${MEMBERSHIP_DAYS})
        ORDER BY installation_id LIMIT ${MAX_MEMBERSHIPS}`),
    );
    const memberships: Membership[] = [];
    for (const id of new Set([installationId, ...ids.map((row) => toInstallationId(row.id))])) {
      const found = await this.tenantDatabase.readOnce('read own membership', id, (tx) =>
        tx.maybeOne<Omit<Membership, 'installationId'>>(sql`
          SELECT company_name AS "companyName", state AS connection, coalesce(role, 'viewer') AS role
          FROM installation LEFT JOIN member ON member.installation_id = installation.id
            AND subject = ${subject ?? null} AND removed_at IS NULL
          WHERE installation.id = ${id} AND state <> 'uninstalled'`),
      );
      if (found !== undefined) {
        memberships.push({ installationId: id, ...found });
      }
    }
    return memberships.sort((one, other) => one.companyName.localeCompare(other.companyName));
  }
}
