import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import type { InstallationId } from '../../kernel/ids.js';
import { leavesNoAdmin } from './domain/last-admin.js';
import type { Role } from './domain/role.js';
import { MemberRepository } from './member.repository.js';

export type MemberChange =
  | 'changed'
  | 'unknown'
  /** Nobody could grant roles any more: nothing was changed. */
  | 'last-admin';

/** Gives a member another role, or takes membership away. It counts from the next request on. */
@Injectable()
export class ChangeMember {
  constructor(
    private readonly database: TenantDatabase,
    private readonly members: MemberRepository,
  ) {}

  /** @param role undefined: no member any more; sessions and tokens go along */
  async run(installationId: InstallationId, memberId: string, role: Role | undefined): Promise<MemberChange> {
    return this.database.inInstallation('change member', installationId, async (tx) => {
      await this.members.lock(tx, installationId);
      if (leavesNoAdmin(await this.members.someAdmins(tx, installationId), memberId, role)) {
        return 'last-admin';
      }
      const isThere =
        role === undefined
          ? await this.members.delete(tx, installationId, memberId)
          : await this.members.setRole(tx, installationId, memberId, role);
      return isThere ? 'changed' : 'unknown';
    });
  }
}
