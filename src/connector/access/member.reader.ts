import { Injectable } from '@nestjs/common';
import { sql } from '../../foundation/database/sql.js';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import type { InstallationId } from '../../kernel/ids.js';
import type { Role } from './domain/role.js';

/** A person who has signed in to an installation. */
export interface Member {
  readonly id: string;
  readonly subject: string;
  readonly displayName: string | null;
  readonly role: Role;
  readonly createdAt: Date;
  readonly signedInAt: Date;
  /** Null for everybody who may sign in. */
  readonly removedAt: Date | null;
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
    return this.tenantDatabase.inInstallation('list members', installationId, (tx) =>
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
    return this.tenantDatabase.inInstallation('find admin', installationId, async (tx) => {
      const { found } = await tx.one<{ found: boolean }>(sql`
        SELECT EXISTS (SELECT FROM member
          WHERE installation_id = ${installationId} AND role = 'admin' AND removed_at IS NULL) AS found`);
      return found;
    });
  }

  /** @returns undefined for an id that does not exist */
  async find(installationId: InstallationId, memberId: string): Promise<Member | undefined> {
    return this.tenantDatabase.inInstallation('find member', installationId, (tx) =>
      tx.maybeOne<Member>(sql`
        SELECT id, subject, display_name AS "displayName", role, created_at AS "createdAt", signed_in_at AS "signedInAt",
          removed_at AS "removedAt"
        FROM member WHERE installation_id = ${installationId} AND id = ${memberId}`),
    );
  }
}
