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
    private readonly tenantDatabase: TenantDatabase,
    private readonly memberRepository: MemberRepository,
  ) {}

  /** @param role undefined: no member any more; sessions and tokens go along */
  async changeMember(
    installationId: InstallationId,
    memberId: string,
    role: Role | undefined,
  ): Promise<MemberChange> {
    return this.tenantDatabase.inInstallation('change member', installationId, async (tx) => {
      await this.memberRepository.lock(tx, installationId);
      if (leavesNoAdmin(await this.memberRepository.findUpToTwoAdmins(tx, installationId), memberId, role)) {
        return 'last-admin';
      }
      const isThere =
        role === undefined
          ? await this.memberRepository.delete(tx, installationId, memberId)
          : await this.memberRepository.setRole(tx, installationId, memberId, role);
      return isThere ? 'changed' : 'unknown';
    });
  }
}
