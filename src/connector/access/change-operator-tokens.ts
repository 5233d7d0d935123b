import { sha256 } from '../../foundation/crypto/sha256.js';
import { newSecretText } from '../../foundation/crypto/secret-text.js';
import type { Database } from '../../foundation/database/database.js';
import { sql } from '../../foundation/database/sql.js';
import type { Tx } from '../../foundation/database/transaction.js';

const NAME = /^[a-z0-9][a-z0-9.-]{0,39}$/;
const PREFIX_LENGTH = 8;
const LIST_PAGE = 1_000;

/** What is known of an operator's token: never the token. */
export interface OperatorTokenSummary {
  readonly name: string;
  readonly prefix: string;
  readonly createdAt: Date;
  readonly rotatedAt: Date | null;
  /** Accurate to the minute. */
  readonly lastUsedAt: Date | null;
  readonly revokedAt: Date | null;
}

export type OperatorTokenChange =
  /** `token` is returned only now: its hash is stored. */
  | { readonly outcome: 'made'; readonly token: string }
  | { readonly outcome: 'revoked' }
  | { readonly outcome: 'invalid-name' }
  /** In use, or of a person whose token was revoked: a name in the audit log means one person or script. */
  | { readonly outcome: 'name-taken' }
  | { readonly outcome: 'unknown' };

/**
 * Makes, lists, replaces and revokes tokens of the operator, with the rights of the schema's owner. Each change counts from the next
 * request on, and a trigger records it.
 */
export class ChangeOperatorTokens {
  /** @param actor who changes them, for `operator_token_entry` */
  constructor(
    private readonly database: Database,
    private readonly actor: string,
  ) {}

  /** @param name of a person or a script: small letters, digits, points and hyphens, at most 40 */
  async add(name: string): Promise<OperatorTokenChange> {
    if (!NAME.test(name)) {
      return { outcome: 'invalid-name' };
    }
    return this.change(async (tx) => {
      const { token, hash, prefix } = newToken();
      const added = await tx.execute(sql`
        INSERT INTO operator_token (name, token_hash, prefix, created_at)
        VALUES (${name}, ${hash}, ${prefix}, clock_timestamp()) ON CONFLICT (name) DO NOTHING`);
      return added === 1 ? { outcome: 'made', token } : { outcome: 'name-taken' };
    });
  }

  /** Replaces the token at once. */
  async rotate(name: string): Promise<OperatorTokenChange> {
    return this.change(async (tx) => {
      const { token, hash, prefix } = newToken();
      const changed = await tx.execute(sql`
        UPDATE operator_token SET token_hash = ${hash}, prefix = ${prefix}, rotated_at = clock_timestamp()
        WHERE name = ${name} AND revoked_at IS NULL`);
      return changed === 1 ? { outcome: 'made', token } : { outcome: 'unknown' };
    });
  }

  async revoke(name: string): Promise<OperatorTokenChange> {
    return this.change(async (tx) => {
      const changed = await tx.execute(sql`
        UPDATE operator_token SET revoked_at = clock_timestamp() WHERE name = ${name} AND revoked_at IS NULL`);
      return { outcome: changed === 1 ? 'revoked' : 'unknown' };
    });
  }

  /** All of them by name, those that were revoked too; read page by page. */
  async *list(): AsyncGenerator<OperatorTokenSummary> {
    for (let after = ''; ;) {
      const page = await this.database.inTransaction('list operator tokens', (tx) =>
        tx.rows<OperatorTokenSummary>(sql`
          SELECT name, prefix, created_at AS "createdAt", rotated_at AS "rotatedAt", last_used_at AS "lastUsedAt",
            revoked_at AS "revokedAt"
          FROM operator_token WHERE name > ${after} ORDER BY name LIMIT ${LIST_PAGE}`),
      );
      yield* page;
      const last = page.at(-1);
      if (last === undefined) {
        return;
      }
      after = last.name;
    }
  }

  private async change(work: (tx: Tx) => Promise<OperatorTokenChange>): Promise<OperatorTokenChange> {
    return this.database.inTransaction('change operator tokens', async (tx) => {
      await tx.execute(sql`SELECT set_config('app.actor', ${this.actor}, true)`);
      return work(tx);
    });
  }
}

function newToken(): { readonly token: string; readonly hash: Buffer; readonly prefix: string } {
  const token = `cot_${newSecretText()}`;
  return { token, hash: sha256(token), prefix: token.slice(0, PREFIX_LENGTH) };
}
