import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import type { InstallationId } from '../../kernel/ids.js';
import { leavesNoAdmin } from './domain/last-admin.js';
import type { Role } from './domain/role.js';
import { MemberRepository } from './member.repository.js';

export type MemberChange =
  | 'changed'
  | 'unknown'
  /** The caller was removed, or is no admin any more, since the request came: nothing was changed. */
  | 'caller-no-admin'
  /** No admin would be left to assign roles: nothing was changed. */
  | 'last-admin';

/** Changes a member's role or removes the member, from the next request on. Giving a removed member a role is the invitation. */
@Injectable()
export class ChangeMember {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly memberRepository: MemberRepository,
  ) {}

  /**
   * @param role undefined: remove the member, with all sessions and tokens
   * @param callerId the member who changes it; undefined for a token that the operator created
   */
  async changeMember(
    installationId: InstallationId,
    memberId: string,
    role: Role | undefined,
    callerId: string | undefined,
  ): Promise<MemberChange> {
    return this.tenantDatabase.inInstallation('change member', installationId, async (tx) => {
      await this.memberRepository.lock(tx, installationId);
      // Of two admins who remove each other at the same time, one stays.
      if (callerId !== undefined && !(await this.memberRepository.isAdmin(tx, installationId, callerId))) {
        return 'caller-no-admin';
      }
      if (leavesNoAdmin(await this.memberRepository.findUpToTwoAdmins(tx, installationId), memberId, role)) {
        return 'last-admin';
      }
      const exists =
        role === undefined
          ? await this.memberRepository.remove(tx, installationId, memberId)
          : await this.memberRepository.setRole(tx, installationId, memberId, role);
      return exists ? 'changed' : 'unknown';
    });
  }
}
