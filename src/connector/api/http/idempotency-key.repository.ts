import { Injectable } from '@nestjs/common';
import { sha256 } from '../../../foundation/crypto/sha256.js';
import { sql } from '../../../foundation/database/sql.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import type { InstallationId } from '../../../kernel/ids.js';

const RETENTION = '24 hours';
/** No request takes as long: whoever began it was killed. */
const MAX_REQUEST_DURATION = '5 minutes';

/** A key as it stands with somebody else's request. */
export interface KnownKey {
  readonly fingerprint: Buffer;
  /** Sealed; null while that request is under way. */
  readonly answer: string | null;
  /** Until a request that never ended counts as killed, and is run again; at least one. */
  readonly secondsLeft: number;
}

/** Which requests with an Idempotency-Key were made, and what they were answered. */
@Injectable()
export class IdempotencyKeyRepository {
  /** @returns the number of this attempt, or undefined when the key is taken: read it then */
  async claim(
    tx: Tx,
    owner: InstallationId | undefined,
    key: string,
    fingerprint: Buffer,
  ): Promise<number | undefined> {
    const { table, columns, values } = keyScopeOf(owner, key);
    const row = await tx.maybeOne<{ attempt: number }>(sql`
      INSERT INTO ${table} AS known (${columns}, fingerprint, attempt, begun_at, expires_at)
      VALUES (${values}, ${fingerprint}, 1, clock_timestamp(), clock_timestamp() + ${RETENTION}::interval)
      ON CONFLICT (${columns}) DO UPDATE
        SET fingerprint = EXCLUDED.fingerprint, attempt = known.attempt + 1, begun_at = EXCLUDED.begun_at,
          expires_at = EXCLUDED.expires_at, answer = NULL
        WHERE known.answer IS NULL AND known.fingerprint = EXCLUDED.fingerprint
          AND known.begun_at < clock_timestamp() - ${MAX_REQUEST_DURATION}::interval
      RETURNING attempt`);
    return row?.attempt;
  }

  async find(tx: Tx, owner: InstallationId | undefined, key: string): Promise<KnownKey | undefined> {
    const { table, columns, values } = keyScopeOf(owner, key);
    return tx.maybeOne<KnownKey>(sql`
      SELECT fingerprint, answer,
        greatest(1, ceil(extract(epoch FROM begun_at + ${MAX_REQUEST_DURATION}::interval - clock_timestamp())))::int
          AS "secondsLeft"
      FROM ${table} WHERE (${columns}) = (${values})`);
  }

  async storeResponse(
    tx: Tx,
    owner: InstallationId | undefined,
    key: string,
    { attempt, answer }: { readonly attempt: number; readonly answer: string },
  ): Promise<void> {
    const { table, columns, values } = keyScopeOf(owner, key);
    await tx.execute(sql`
      UPDATE ${table} SET answer = ${answer} WHERE (${columns}) = (${values}) AND attempt = ${attempt}`);
  }

  /** Nothing came of it: the key is as good as new. */
  async release(tx: Tx, owner: InstallationId | undefined, key: string, attempt: number): Promise<void> {
    const { table, columns, values } = keyScopeOf(owner, key);
    await tx.execute(sql`DELETE FROM ${table} WHERE (${columns}) = (${values}) AND attempt = ${attempt}`);
  }

  async deleteExpired(tx: Tx, owner: InstallationId | undefined): Promise<void> {
    await (owner === undefined
      ? tx.execute(sql`DELETE FROM operator_idempotency_key WHERE expires_at <= clock_timestamp()`)
      : tx.execute(sql`
          DELETE FROM idempotency_key WHERE installation_id = ${owner} AND expires_at <= clock_timestamp()`));
  }
}

/** Where a key stands: with its installation, or with the operator's where there is none. */
function keyScopeOf(owner: InstallationId | undefined, key: string) {
  const hash = sha256(key);
  return owner === undefined
    ? { table: sql`operator_idempotency_key`, columns: sql`key_hash`, values: sql`${hash}` }
    : {
        table: sql`idempotency_key`,
        columns: sql`installation_id, key_hash`,
        values: sql`${owner}, ${hash}`,
      };
}
