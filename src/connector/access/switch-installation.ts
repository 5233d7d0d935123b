import { Injectable } from '@nestjs/common';
import { newSecretText } from '../../foundation/crypto/secret-text.js';
import { actAs } from '../../foundation/database/actor.js';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import type { InstallationId } from '../../kernel/ids.js';
import { MemberReader } from './member.reader.js';
import { MemberRepository } from './member.repository.js';
import { SessionRepository } from './session.repository.js';

export type SwitchedInstallation =
  /** `id`: of the new session, for the browser's cookie. */
  | { readonly outcome: 'switched'; readonly id: string }
  /** Not one of the person's, whether it exists or not; or the session has ended meanwhile. */
  | { readonly outcome: 'unknown' };

/** Takes a person's session from one of their companies to another. */
@Injectable()
export class SwitchInstallation {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly memberReader: MemberReader,
    private readonly memberRepository: MemberRepository,
    private readonly sessionRepository: SessionRepository,
  ) {}

  /**
   * The old session ends, and the new one has another id and not a minute more to live. It does not count as a recent sign-in: what
   * needs one asks the platform, which knows whether the person still belongs to that company.
   * @param sessionId of the request
   */
  async switchTo(
    from: { readonly installationId: InstallationId; readonly memberId: string; readonly sessionId: string },
    to: InstallationId,
  ): Promise<SwitchedInstallation> {
    const subject = (await this.memberReader.find(from.installationId, from.memberId))?.subject;
    const memberId = await this.tenantDatabase.readOnce('find own membership', to, (tx) =>
      this.memberRepository.findRecent(tx, to, subject ?? ''),
    );
    if (memberId === undefined) {
      return { outcome: 'unknown' };
    }
    const ended = await this.tenantDatabase.inInstallation('leave installation', from.installationId, (tx) =>
      this.sessionRepository.take(tx, from.sessionId),
    );
    if (ended === undefined) {
      return { outcome: 'unknown' };
    }
    const id = newSecretText();
    const isMember = await this.tenantDatabase.inInstallation('switch installation', to, async (tx) => {
      // Removing and uninstalling end all sessions: one that came after them would count again with the person's return.
      await this.memberRepository.lock(tx, to);
      const isInstalled = await this.memberRepository.lockActiveInstallation(tx, to);
      if (!isInstalled || !(await this.memberRepository.isMember(tx, to, memberId))) {
        return false;
      }
      await actAs(tx, `person ${memberId}`);
      await this.sessionRepository.insertContinued(tx, to, { ...ended, id, memberId });
      return true;
    });
    if (!isMember) {
      return { outcome: 'unknown' };
    }
    return { outcome: 'switched', id };
  }
}
