import { Injectable } from '@nestjs/common';
import { sql } from '../../../foundation/database/sql.js';
import type { Tx } from '../../../foundation/database/transaction.js';

export type TokenKind = 'code' | 'access' | 'refresh';

export interface UsedToken {
  readonly grantId: string;
  /** What the verifier of a code has to have as its SHA-256, in base64url. */
  readonly codeChallenge: string;
  /** Whether it had been used before. */
  readonly isReused: boolean;
}

/** What people have allowed the client, and what it was given for it: of each token a digest only. */
@Injectable()
export class GrantRepository {
  /** @param keyDigest SHA-256 of the key that the person has signed in with. @returns undefined for an unknown key */
  async insert(tx: Tx, keyDigest: Buffer, codeChallenge: string): Promise<string | undefined> {
    const row = await tx.maybeOne<{ readonly id: string }>(sql`
      INSERT INTO oauth_grant (api_key_id, code_challenge)
      SELECT id, ${codeChallenge} FROM api_key WHERE digest = ${keyDigest}
      RETURNING id`);
    return row?.id;
  }

  async insertToken(
    tx: Tx,
    grantId: string,
    token: { readonly kind: TokenKind; readonly digest: Buffer; readonly seconds: number },
  ): Promise<void> {
    await tx.execute(sql`
      INSERT INTO oauth_token (digest, grant_id, kind, expires_at)
      VALUES (${token.digest}, ${grantId}, ${token.kind}, clock_timestamp() + make_interval(secs => ${token.seconds}))`);
  }

  /** Uses a code or refresh token, once: of two uses at the same time the second one waits and is a reuse. */
  async use(tx: Tx, kind: TokenKind, digest: Buffer): Promise<UsedToken | undefined> {
    const found = await tx.maybeOne<{ readonly grantId: string; readonly isReused: boolean }>(sql`
      SELECT grant_id AS "grantId", used_at IS NOT NULL AS "isReused" FROM oauth_token
      WHERE digest = ${digest} AND kind = ${kind} AND expires_at > clock_timestamp() FOR UPDATE`);
    if (found === undefined) {
      return undefined;
    }
    await tx.execute(sql`UPDATE oauth_token SET used_at = clock_timestamp() WHERE digest = ${digest}`);
    const { codeChallenge } = await tx.one<{ readonly codeChallenge: string }>(sql`
      SELECT code_challenge AS "codeChallenge" FROM oauth_grant WHERE id = ${found.grantId}`);
    return { ...found, codeChallenge };
  }

  /** With all its tokens. */
  async delete(tx: Tx, grantId: string): Promise<void> {
    await tx.execute(sql`DELETE FROM oauth_grant WHERE id = ${grantId}`);
  }

  /** Tokens whose time is over, and grants that have no other ones. */
  async deleteExpired(tx: Tx): Promise<void> {
    await tx.execute(sql`DELETE FROM oauth_token WHERE expires_at < clock_timestamp()`);
    await tx.execute(sql`
      DELETE FROM oauth_grant WHERE NOT EXISTS (SELECT FROM oauth_token WHERE grant_id = oauth_grant.id)`);
  }
}
