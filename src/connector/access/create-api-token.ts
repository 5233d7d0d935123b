import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { newSecretText } from '../../foundation/crypto/secret-text.js';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import type { InstallationId } from '../../kernel/ids.js';
import { ApiTokenRepository } from './api-token.repository.js';
import { includesRole, type Role } from './domain/role.js';
import { MemberRepository } from './member.repository.js';

/** Keeps the list short enough to be looked through. */
const MOST_TOKENS = 100;
const PREFIX_LENGTH = 8;

export interface WantedApiToken {
  readonly role: Role;
  /** What it is for. */
  readonly label: string;
  /** Days until it ends. */
  readonly days: number;
}

/** Who makes a token: a member, a script with a token of theirs, or the operator. */
export interface TokenMaker {
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
    private readonly database: TenantDatabase,
    private readonly tokens: ApiTokenRepository,
    private readonly members: MemberRepository,
  ) {}

  async run(
    installationId: InstallationId,
    wanted: WantedApiToken,
    maker: TokenMaker,
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
    return this.database.inInstallation('create API token', installationId, async (tx) => {
      await this.members.lock(tx, installationId);
      if (!(await this.members.holdInstallation(tx, installationId))) {
        return { outcome: 'not-installed' };
      }
      if (maker.token !== undefined && !(await this.tokens.hold(tx, installationId, maker.token.id))) {
        return { outcome: 'maker-revoked' };
      }
      if ((await this.tokens.countLiving(tx, installationId)) >= MOST_TOKENS) {
        return { outcome: 'too-many', most: MOST_TOKENS };
      }
      const expiresAt = await this.tokens.insert(tx, installationId, created);
      return { outcome: 'created', id: created.id, token, role: wanted.role, expiresAt };
    });
  }
}
