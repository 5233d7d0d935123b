import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { isSameSecret, newSecretText } from '../../../foundation/crypto/secret-text.js';
import { sha256 } from '../../../foundation/crypto/sha256.js';
import { Database } from '../../../foundation/database/database.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import { GrantRepository, type TokenKind } from './grant.repository.js';

const SECONDS: Readonly<Record<TokenKind, number>> = { code: 60, access: 900, refresh: 30 * 86_400 };

/** As RFC 6749 §5.1 names its members. */
export interface TokenResponse {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly token_type: 'Bearer';
  readonly expires_in: number;
}

/** Gives out codes for a person's consent, and tokens for codes and refresh tokens. */
@Injectable()
export class IssueTokens {
  constructor(
    private readonly database: Database,
    private readonly grantRepository: GrantRepository,
  ) {}

  /**
   * @param apiKey of the company that the person opens; deleting it ends what was given here
   * @returns a code for a minute; undefined for a key that opens no company
   */
  async giveCode(apiKey: string, codeChallenge: string): Promise<string | undefined> {
    return this.database.inTransaction('oauth.consent', async (tx) => {
      await this.grantRepository.deleteExpired(tx);
      const grantId = await this.grantRepository.insert(tx, sha256(apiKey), codeChallenge);
      return grantId === undefined ? undefined : this.give(tx, grantId, 'code');
    });
  }

  /** @returns undefined for a code that is unknown, was used, or belongs to another verifier (RFC 7636 §4.6) */
  async exchangeCode(code: string, verifier: string): Promise<TokenResponse | undefined> {
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    return this.exchange('code', code, (codeChallenge) => isSameSecret(codeChallenge, challenge));
  }

  /**
   * Each refresh token is good for one refresh. One that comes again is in two hands: the grant ends (RFC 9700 §4.14.2).
   * @returns undefined where nothing is given
   */
  async refresh(refreshToken: string): Promise<TokenResponse | undefined> {
    return this.exchange('refresh', refreshToken, () => true);
  }

  private async exchange(
    kind: TokenKind,
    token: string,
    isHolder: (codeChallenge: string) => boolean,
  ): Promise<TokenResponse | undefined> {
    return this.database.inTransaction(`oauth.${kind}`, async (tx) => {
      const used = await this.grantRepository.use(tx, kind, sha256(token));
      if (used === undefined) {
        return undefined;
      }
      if (used.isReused || !isHolder(used.codeChallenge)) {
        await this.grantRepository.delete(tx, used.grantId);
        return undefined;
      }
      return {
        access_token: await this.give(tx, used.grantId, 'access'),
        refresh_token: await this.give(tx, used.grantId, 'refresh'),
        token_type: 'Bearer',
        expires_in: SECONDS.access,
      };
    });
  }

  private async give(tx: Tx, grantId: string, kind: TokenKind): Promise<string> {
    const token = `ledger_${kind}_${newSecretText()}`;
    await this.grantRepository.insertToken(tx, grantId, { kind, digest: sha256(token), seconds: SECONDS[kind] });
    return token;
  }
}
