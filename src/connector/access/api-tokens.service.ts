import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import type { InstallationId } from '../../kernel/ids.js';
import { ApiTokenRepository, type ApiToken } from './api-token.repository.js';
import { lowerRole, type Role } from './domain/role.js';

/** The token of a request. */
export interface PresentedApiToken {
  readonly installationId: InstallationId;
  readonly id: string;
  readonly role: Role;
  readonly expiresAt: Date;
  /** The member who created it; undefined for the operator. */
  readonly memberId: string | undefined;
}

/** API tokens, for automation. */
@Injectable()
export class ApiTokensService {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly apiTokenRepository: ApiTokenRepository,
  ) {}

  /** The installation and present role of a token, at most its creator's. @returns undefined for one that is not valid */
  async find(token: string): Promise<PresentedApiToken | undefined> {
    const installationId = await this.tenantDatabase.readOnceAcross('find API token', (tx) =>
      this.apiTokenRepository.findInstallation(tx, token),
    );
    if (installationId === undefined) {
      return undefined;
    }
    const found = await this.tenantDatabase.inInstallation('check API token', installationId, async (tx) => {
      const valid = await this.apiTokenRepository.findValid(tx, token);
      if (valid !== undefined) {
        await this.apiTokenRepository.recordUse(tx, valid.id);
      }
      return valid;
    });
    return (
      found && {
        installationId,
        id: found.id,
        role: found.creatorRole === null ? found.role : lowerRole(found.role, found.creatorRole),
        expiresAt: found.expiresAt,
        memberId: found.madeBy ?? undefined,
      }
    );
  }

  /** Whether it still counts, without recording a use. */
  async isValid(installationId: InstallationId, token: string): Promise<boolean> {
    const found = await this.tenantDatabase.readOnce('look at API token', installationId, (tx) =>
      this.apiTokenRepository.findValid(tx, token),
    );
    return found !== undefined;
  }

  /** All tokens, at most a hundred, newest first. */
  async list(installationId: InstallationId): Promise<readonly ApiToken[]> {
    return this.tenantDatabase.readOnce('list API tokens', installationId, (tx) =>
      this.apiTokenRepository.list(tx, installationId),
    );
  }

  /** Revokes the token and those created with it, from the next request on. @returns false when it does not exist */
  async revoke(installationId: InstallationId, id: string): Promise<boolean> {
    return this.tenantDatabase.inInstallation('revoke API token', installationId, (tx) =>
      this.apiTokenRepository.delete(tx, installationId, id),
    );
  }
}
