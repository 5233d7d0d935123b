import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { newSecretText } from '../../foundation/crypto/secret-text.js';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import type { InstallationId } from '../../kernel/ids.js';
import { MemberRepository, type Person } from './member.repository.js';
import { SessionRepository } from './session.repository.js';

/** Lets a person in whom the platform has vouched for. */
@Injectable()
export class SignIn {
  constructor(
    private readonly database: TenantDatabase,
    private readonly members: MemberRepository,
    private readonly sessions: SessionRepository,
  ) {}

  /**
   * @returns id of a session that did not exist before, for the browser's cookie; undefined when the installation was
   * uninstalled meanwhile
   */
  async run(installationId: InstallationId, person: Person): Promise<string | undefined> {
    const id = newSecretText();
    return this.database.inInstallation('sign in', installationId, async (tx) => {
      await this.members.lock(tx, installationId);
      if (!(await this.members.holdInstallation(tx, installationId))) {
        return undefined;
      }
      let memberId = await this.members.recognize(tx, installationId, person);
      if (memberId === undefined) {
        memberId = randomUUID();
        // Whoever connected the company is its admin already, where the platform has named them.
        const role = (await this.members.isEmpty(tx, installationId)) ? 'admin' : 'viewer';
        await this.members.insert(tx, installationId, { ...person, id: memberId, role });
      }
      await this.sessions.deleteOver(tx, installationId);
      await this.sessions.insert(tx, installationId, { id, memberId });
      return id;
    });
  }
}
