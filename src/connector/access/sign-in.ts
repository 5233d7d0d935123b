import { Injectable } from '@nestjs/common';
import { newSecretText } from '../../foundation/crypto/secret-text.js';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import type { InstallationId } from '../../kernel/ids.js';
import { MemberRepository, type Person } from './member.repository.js';
import { SessionRepository } from './session.repository.js';

export type StartedSession =
  /** `id`: of the session, for the browser's cookie. */
  | { readonly outcome: 'started'; readonly id: string }
  /** The installation was uninstalled meanwhile. */
  | { readonly outcome: 'not-connected' }
  /** The person was removed, and no admin has invited them since. */
  | { readonly outcome: 'removed' };

/** From where a person signs in. */
export interface SignInOrigin {
  /** In words, see `deviceOf`. */
  readonly device: string;
  /** IP address. */
  readonly address: string;
}

/** Signs in a person whom the platform has authenticated. */
@Injectable()
export class SignIn {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly memberRepository: MemberRepository,
    private readonly sessionRepository: SessionRepository,
  ) {}

  /** @param authenticatedSecondsAgo how long before the person was authenticated, where the platform says so */
  async startSession(
    installationId: InstallationId,
    person: Person,
    place: SignInOrigin,
    authenticatedSecondsAgo = 0,
  ): Promise<StartedSession> {
    const id = newSecretText();
    return this.tenantDatabase.inInstallation('sign in', installationId, async (tx) => {
      await this.memberRepository.lock(tx, installationId);
      if (!(await this.memberRepository.lockActiveInstallation(tx, installationId))) {
        return { outcome: 'not-connected' };
      }
      const memberId = await this.memberRepository.admit(tx, installationId, person);
      if (memberId === undefined) {
        return { outcome: 'removed' };
      }
      await this.sessionRepository.deleteExpired(tx, installationId);
      await this.sessionRepository.insert(tx, installationId, { ...place, id, memberId, authenticatedSecondsAgo });
      return { outcome: 'started', id };
    });
  }
}
