import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { newSecretText } from '../../foundation/crypto/secret-text.js';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import type { InstallationId } from '../../kernel/ids.js';
import { MemberRepository, type Person } from './member.repository.js';
import { SessionRepository } from './session.repository.js';

/** Signs in a person whom the platform has authenticated. */
@Injectable()
export class SignIn {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly memberRepository: MemberRepository,
    private readonly sessionRepository: SessionRepository,
  ) {}

  /**
   * @returns the id of a new session, for the browser's cookie; undefined when the installation was uninstalled meanwhile
   */
  async startSession(installationId: InstallationId, person: Person): Promise<string | undefined> {
    const id = newSecretText();
    return this.tenantDatabase.inInstallation('sign in', installationId, async (tx) => {
      await this.memberRepository.lock(tx, installationId);
      if (!(await this.memberRepository.lockActiveInstallation(tx, installationId))) {
        return undefined;
      }
      let memberId = await this.memberRepository.recordSignIn(tx, installationId, person);
      if (memberId === undefined) {
        memberId = randomUUID();
        // The person who connected the company is its admin already, where the platform has named them.
        const role = (await this.memberRepository.isEmpty(tx, installationId)) ? 'admin' : 'viewer';
        await this.memberRepository.insert(tx, installationId, { ...person, id: memberId, role });
      }
      await this.sessionRepository.deleteExpired(tx, installationId);
      await this.sessionRepository.insert(tx, installationId, { id, memberId });
      return id;
    });
  }
}
