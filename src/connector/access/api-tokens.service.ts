import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import type { InstallationId } from '../../kernel/ids.js';
import { ApiTokenRepository, type ApiToken } from './api-token.repository.js';
import {
  CreateApiToken,
  type CreatedApiToken,
  type TokenMaker,
  type WantedApiToken,
} from './create-api-token.js';
import { lowerRole, type Role } from './domain/role.js';

export type { ApiToken } from './api-token.repository.js';
export type { CreatedApiToken, TokenMaker, WantedApiToken } from './create-api-token.js';

/** A token somebody came with. */
export interface PresentedApiToken {
  readonly installationId: InstallationId;
  readonly id: string;
  readonly role: Role;
  readonly expiresAt: Date;
  /** The member it belongs to; undefined: the operator made it. */
  readonly memberId: string | undefined;
}

/** Keys for automation. */
@Injectable()
export class ApiTokensService {
  constructor(
    private readonly database: TenantDatabase,
    private readonly tokens: ApiTokenRepository,
    private readonly creating: CreateApiToken,
  ) {}

  /** Whose token this is and what it may do now, which is never more than its maker; undefined for none of ours. */
  async find(token: string): Promise<PresentedApiToken | undefined> {
    const installationId = await this.database.acrossInstallations('find API token', (tx) =>
      this.tokens.findInstallation(tx, token),
    );
    if (installationId === undefined) {
      return undefined;
    }
    const found = await this.database.inInstallation('check API token', installationId, async (tx) => {
      const valid = await this.tokens.findValid(tx, token);
      if (valid !== undefined) {
        await this.tokens.noteUse(tx, valid.id);
      }
      return valid;
    });
    return (
      found && {
        installationId,
        id: found.id,
        role: found.makerRole === null ? found.role : lowerRole(found.role, found.makerRole),
        expiresAt: found.expiresAt,
        memberId: found.madeBy ?? undefined,
      }
    );
  }

  /**
   * The token itself is in the answer and nowhere else: only its hash is stored.
   * @param maker a token cannot do or outlive more than who makes it
   */
  async create(
    installationId: InstallationId,
    wanted: WantedApiToken,
    maker: TokenMaker,
  ): Promise<CreatedApiToken> {
    return this.creating.run(installationId, wanted, maker);
  }

  /** Newest first; all of them, which are at most a hundred. */
  async list(installationId: InstallationId): Promise<readonly ApiToken[]> {
    return this.database.inInstallation('list API tokens', installationId, (tx) =>
      this.tokens.list(tx, installationId),
    );
  }

  /** It and those made with it are refused from the next request on. @returns false when there is no such token */
  async revoke(installationId: InstallationId, id: string): Promise<boolean> {
    return this.database.inInstallation('revoke API token', installationId, (tx) =>
      this.tokens.delete(tx, installationId, id),
    );
  }
}
