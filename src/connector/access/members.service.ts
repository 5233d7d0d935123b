import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import type { Tx } from '../../foundation/database/transaction.js';
import type { InstallationId } from '../../kernel/ids.js';
import { ChangeMember, type MemberChange } from './change-member.js';
import type { Role } from './domain/role.js';
import { MemberRepository, type Member, type MemberPosition, type Person } from './member.repository.js';

export type { MemberChange } from './change-member.js';
export type { Member, MemberPosition } from './member.repository.js';

/** Who may come in, and as what. */
@Injectable()
export class MembersService {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly memberRepository: MemberRepository,
    private readonly changeMember: ChangeMember,
  ) {}

  /** Oldest first. */
  async list(
    installationId: InstallationId,
    after: MemberPosition | undefined,
    limit: number,
  ): Promise<readonly Member[]> {
    return this.tenantDatabase.inInstallation('list members', installationId, (tx) =>
      this.memberRepository.list(tx, installationId, after, limit),
    );
  }

  async find(installationId: InstallationId, memberId: string): Promise<Member | undefined> {
    return this.tenantDatabase.inInstallation('find member', installationId, (tx) =>
      this.memberRepository.find(tx, installationId, memberId),
    );
  }

  /** In the caller's transaction: nobody else becomes a member, or changes who is what, until it ends. */
  async lock(tx: Tx, installationId: InstallationId): Promise<void> {
    await this.memberRepository.lock(tx, installationId);
  }

  /**
   * In the caller's transaction, under `lock`: who connects the company holds the platform's consent for it, and is an
   * admin whatever they were before.
   */
  async makeAdmin(tx: Tx, installationId: InstallationId, person: Person): Promise<void> {
    const memberId = await this.memberRepository.recordSignIn(tx, installationId, person);
    if (memberId === undefined) {
      await this.memberRepository.insert(tx, installationId, { ...person, id: randomUUID(), role: 'admin' });
    } else {
      await this.memberRepository.setRole(tx, installationId, memberId, 'admin');
    }
  }

  /** Acts on the member's sessions and tokens from their next request on; the last admin stays one. */
  async setRole(installationId: InstallationId, memberId: string, role: Role): Promise<MemberChange> {
    return this.changeMember.changeMember(installationId, memberId, role);
  }

  /** Ends the member's sessions and tokens as well. Who signs in again begins as a viewer. */
  async remove(installationId: InstallationId, memberId: string): Promise<MemberChange> {
    return this.changeMember.changeMember(installationId, memberId, undefined);
  }
}
