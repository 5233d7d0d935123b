import { createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import type { InstallationId } from '../../kernel/ids.js';
import { SessionRepository, type SessionMember } from './session.repository.js';

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

  async end(sessionId: string): Promise<void> {
    const installationId = await this.installationOf(sessionId);
    if (installationId !== undefined) {
      await this.tenantDatabase.inInstallation('end session', installationId, (tx) =>
        this.sessionRepository.delete(tx, sessionId),
      );
    }
  }

  private async installationOf(sessionId: string): Promise<InstallationId | undefined> {
    return this.tenantDatabase.acrossInstallations('find session', (tx) =>
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
