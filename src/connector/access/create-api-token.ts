import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { newSecretText } from '../../foundation/crypto/secret-text.js';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import type { Tx } from '../../foundation/database/transaction.js';
import type { InstallationId } from '../../kernel/ids.js';
import { ApiTokenRepository } from './api-token.repository.js';
import { includesRole, type Role } from './domain/role.js';
import { MemberRepository } from './member.repository.js';

/** Keeps the list short enough to be reviewed. */
const MAX_TOKENS = 100;
const PREFIX_LENGTH = 8;

export interface RequestedApiToken {
  readonly role: Role;
  /** Its purpose, for people. */
  readonly label: string;
  /** Days until it expires. */
  readonly days: number;
}

/** The creator of a token: a member, a script with a token of a member, or the operator. */
export interface TokenCreator {
  readonly role: Role;
  readonly memberId: string | undefined;
  /** Token of the creating request; undefined for a session, and for the operator. */
  readonly token: { readonly id: string; readonly expiresAt: Date } | undefined;
}

export type CreatedApiToken =
  | {
      readonly outcome: 'created';
      readonly id: string;
      /** Returned only now. */
      readonly token: string;
      readonly role: Role;
      readonly expiresAt: Date;
    }
  /** Its role is above its creator's. */
  | { readonly outcome: 'above-creator' }
  /** The installation does not exist, or was uninstalled. */
  | { readonly outcome: 'not-installed' }
  /** The creator's token was revoked, or the creator removed, meanwhile. */
  | { readonly outcome: 'creator-revoked' }
  | { readonly outcome: 'too-many'; readonly most: number };

/** Creates an API token, for automation. */
@Injectable()
export class CreateApiToken {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly apiTokenRepository: ApiTokenRepository,
    private readonly memberRepository: MemberRepository,
  ) {}

  /**
   * The token itself is returned once: only its hash is stored.
   * @param creator whose role and, with a token, whose expiry the new token does not exceed
   */
  async createToken(
    installationId: InstallationId,
    requested: RequestedApiToken,
    creator: TokenCreator,
  ): Promise<CreatedApiToken> {
    if (!includesRole(creator.role, requested.role)) {
      return { outcome: 'above-creator' };
    }
    const token = `cat_${newSecretText()}`;
    const created = {
      ...requested,
      id: randomUUID(),
      token,
      prefix: token.slice(0, PREFIX_LENGTH),
      madeBy: creator.memberId,
      madeWith: creator.token,
    };
    return this.tenantDatabase.inInstallation('create API token', installationId, async (tx) => {
      await this.memberRepository.lock(tx, installationId);
      if (!(await this.memberRepository.lockActiveInstallation(tx, installationId))) {
        return { outcome: 'not-installed' };
      }
      if (!(await this.isStillThere(tx, installationId, creator))) {
        return { outcome: 'creator-revoked' };
      }
      if ((await this.apiTokenRepository.countActive(tx, installationId)) >= MAX_TOKENS) {
        return { outcome: 'too-many', most: MAX_TOKENS };
      }
      const expiresAt = await this.apiTokenRepository.insert(tx, installationId, created);
      return { outcome: 'created', id: created.id, token, role: requested.role, expiresAt };
    });
  }

  private async isStillThere(
    tx: Tx,
    installationId: InstallationId,
    { memberId, token }: TokenCreator,
  ): Promise<boolean> {
    return (
      (token === undefined || (await this.apiTokenRepository.lockExisting(tx, installationId, token.id))) &&
      (memberId === undefined || (await this.memberRepository.isMember(tx, installationId, memberId)))
    );
  }
}
