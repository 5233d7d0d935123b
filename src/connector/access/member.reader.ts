import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import type { InstallationId } from '../../kernel/ids.js';
import { MemberRepository, type Member, type MemberPosition } from './member.repository.js';

/** Reads members, each call in a transaction of its own. */
@Injectable()
export class MemberReader {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly memberRepository: MemberRepository,
  ) {}

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
      this.memberRepository.list(tx, installationId, after, limit),
    );
  }

  /** @returns undefined for an id that does not exist */
  async find(installationId: InstallationId, memberId: string): Promise<Member | undefined> {
    return this.tenantDatabase.inInstallation('find member', installationId, (tx) =>
      this.memberRepository.find(tx, installationId, memberId),
    );
  }
}
