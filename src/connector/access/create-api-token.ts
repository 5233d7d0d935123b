import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { newSecretText } from '../../foundation/crypto/secret-text.js';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import type { InstallationId } from '../../kernel/ids.js';
import { ApiTokenRepository } from './api-token.repository.js';
import { includesRole, type Role } from './domain/role.js';
import { MemberRepository } from './member.repository.js';

/** Keeps the list short enough to be looked through. */
const MAX_TOKENS = 100;
const PREFIX_LENGTH = 8;

export interface RequestedApiToken {
  readonly role: Role;
  /** What it is for. */
  readonly label: string;
  /** Days until it ends. */
  readonly days: number;
}

/** Who makes a token: a member, a script with a token of theirs, or the operator. */
export interface TokenCreator {
  readonly role: Role;
  readonly memberId: string | undefined;
  /** What the maker came with; undefined for a session, and for the operator. */
  readonly token: { readonly id: string; readonly expiresAt: Date } | undefined;
}

export type CreatedApiToken =
  | {
      readonly outcome: 'created';
      readonly id: string;
      /** Told only now. */
      readonly token: string;
      readonly role: Role;
      readonly expiresAt: Date;
    }
  /** It could do more than its maker. */
  | { readonly outcome: 'above-maker' }
  /** There is no such installation, or it was uninstalled. */
  | { readonly outcome: 'not-installed' }
  /** The token it was to be made with was revoked. */
  | { readonly outcome: 'maker-revoked' }
  | { readonly outcome: 'too-many'; readonly most: number };

/** Makes a key for automation. */
@Injectable()
export class CreateApiToken {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly apiTokenRepository: ApiTokenRepository,
    private readonly memberRepository: MemberRepository,
  ) {}

  /**
   * The token itself is returned once: only its hash is stored.
   * @param maker a token gets neither a higher role nor a longer life than its maker
   */
  async createToken(
    installationId: InstallationId,
    wanted: RequestedApiToken,
    maker: TokenCreator,
  ): Promise<CreatedApiToken> {
    if (!includesRole(maker.role, wanted.role)) {
      return { outcome: 'above-maker' };
    }
    const token = `cat_${newSecretText()}`;
    const created = {
      ...wanted,
      id: randomUUID(),
      token,
      prefix: token.slice(0, PREFIX_LENGTH),
      madeBy: maker.memberId,
      madeWith: maker.token,
    };
    return this.tenantDatabase.inInstallation('create API token', installationId, async (tx) => {
      await this.memberRepository.lock(tx, installationId);
      if (!(await this.memberRepository.lockActiveInstallation(tx, installationId))) {
        return { outcome: 'not-installed' };
      }
      if (
        maker.token !== undefined &&
        !(await this.apiTokenRepository.lockExisting(tx, installationId, maker.token.id))
      ) {
        return { outcome: 'maker-revoked' };
      }
      if ((await this.apiTokenRepository.countActive(tx, installationId)) >= MAX_TOKENS) {
        return { outcome: 'too-many', most: MAX_TOKENS };
      }
      const expiresAt = await this.apiTokenRepository.insert(tx, installationId, created);
      return { outcome: 'created', id: created.id, token, role: wanted.role, expiresAt };
    });
  }
}
