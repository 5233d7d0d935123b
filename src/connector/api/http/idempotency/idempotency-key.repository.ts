import { Injectable } from '@nestjs/common';
import { sha256 } from '../../../../foundation/crypto/sha256.js';
import { sql } from '../../../../foundation/database/sql.js';
import type { Tx } from '../../../../foundation/database/transaction.js';
import type { InstallationId } from '../../../../kernel/ids.js';

const RETENTION = '24 hours';
/** No request takes as long: a request that is older was interrupted. */
const MAX_REQUEST_DURATION = '5 minutes';

/** A key that another request has claimed. */
export interface KnownKey {
  readonly fingerprint: Buffer;
  /** Sealed; null while that request is under way. */
  readonly answer: string | null;
  /** Until a request without an end counts as interrupted and may be repeated; at least one. */
  readonly secondsLeft: number;
}

/** Requests with an Idempotency-Key and their stored responses. */
@Injectable()
export class IdempotencyKeyRepository {
  /** @returns the number of this attempt, or undefined when the key is claimed: read it then */
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

  /** The request had no effect: the key may be used again. */
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

/** Table and key columns: of an installation, or of the operator. */
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
