import { createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import type { InstallationId } from '../../kernel/ids.js';
import { SessionRepository, type OwnSession, type SessionMember } from './session.repository.js';

export interface Session extends SessionMember {
  readonly installationId: InstallationId;
  /** Token that the forms of this session must send. */
  readonly csrfToken: string;
}

/** Finds and ends sessions. */
@Injectable()
export class SessionsService {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly sessionRepository: SessionRepository,
  ) {}

  /** The session, with the member's present role. @returns undefined for one that is unknown or over */
  async find(sessionId: string): Promise<Session | undefined> {
    const installationId = await this.installationOf(sessionId);
    if (installationId === undefined) {
      return undefined;
    }
    const member = await this.tenantDatabase.inInstallation('check session', installationId, async (tx) => {
      const found = await this.sessionRepository.findValid(tx, sessionId);
      if (found !== undefined) {
        await this.sessionRepository.recordUse(tx, sessionId);
      }
      return found;
    });
    return member && { ...member, installationId, csrfToken: csrfTokenOf(sessionId) };
  }

  /** Whether it is still valid. Checking does not count as use: a session that is only checked expires. */
  async isValid(sessionId: string): Promise<boolean> {
    const installationId = await this.installationOf(sessionId);
    return (
      installationId !== undefined &&
      (await this.tenantDatabase.readOnce('look at session', installationId, (tx) =>
        this.sessionRepository.findValid(tx, sessionId),
      )) !== undefined
    );
  }

  async end(sessionId: string): Promise<void> {
    const installationId = await this.installationOf(sessionId);
    if (installationId !== undefined) {
      await this.tenantDatabase.inInstallation('end session', installationId, (tx) =>
        this.sessionRepository.delete(tx, sessionId),
      );
    }
  }

  /**
   * A member's own sessions, newest first, at most a hundred.
   * @param memberId undefined for a caller that is no member: a token of the operator's
   * @param current id of the requesting session
   */
  async list(
    installationId: InstallationId,
    memberId: string | undefined,
    current: string | undefined,
  ): Promise<readonly OwnSession[]> {
    return memberId === undefined
      ? []
      : this.tenantDatabase.readOnce('list sessions', installationId, (tx) =>
          this.sessionRepository.listOwn(tx, installationId, memberId, current),
        );
  }

  /** @returns false when the member has no such session */
  async endOwn(installationId: InstallationId, memberId: string | undefined, id: string): Promise<boolean> {
    return (
      memberId !== undefined &&
      this.tenantDatabase.inInstallation('end own session', installationId, (tx) =>
        this.sessionRepository.deleteOwn(tx, installationId, memberId, id),
      )
    );
  }

  /** @param current id of the session that stays @returns how many were ended */
  async endOthers(
    installationId: InstallationId,
    memberId: string | undefined,
    current: string | undefined,
  ): Promise<number> {
    return memberId === undefined
      ? 0
      : this.tenantDatabase.inInstallation('end other sessions', installationId, (tx) =>
          this.sessionRepository.deleteOthers(tx, installationId, memberId, current),
        );
  }

  private async installationOf(sessionId: string): Promise<InstallationId | undefined> {
    return this.tenantDatabase.readOnceAcross('find session', (tx) =>
      this.sessionRepository.findInstallation(tx, sessionId),
    );
  }
}

/**
 * The token in our pages' forms. It is derived from the session's id, which no other site knows, and does not reveal it.
 */
function csrfTokenOf(sessionId: string): string {
  return createHmac('sha256', sessionId).update('csrf').digest('base64url');
}
