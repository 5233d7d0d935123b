import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { sql } from '../../foundation/database/sql.js';
import type { Tx } from '../../foundation/database/transaction.js';
import type { InstallationId } from '../../kernel/ids.js';

const KEPT = '24 hours';
/** No request takes as long: whoever began it was killed. */
const LONGEST_REQUEST = '5 minutes';

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
    installationId: InstallationId,
    key: string,
    fingerprint: Buffer,
  ): Promise<number | undefined> {
    const row = await tx.maybeOne<{ attempt: number }>(sql`
      INSERT INTO idempotency_key AS known (installation_id, key_hash, fingerprint, attempt, begun_at, expires_at)
      VALUES (${installationId}, ${hash(key)}, ${fingerprint}, 1, clock_timestamp(),
        clock_timestamp() + ${KEPT}::interval)
      ON CONFLICT (installation_id, key_hash) DO UPDATE
        SET fingerprint = EXCLUDED.fingerprint, attempt = known.attempt + 1, begun_at = EXCLUDED.begun_at,
          expires_at = EXCLUDED.expires_at, answer = NULL
        WHERE known.answer IS NULL AND known.fingerprint = EXCLUDED.fingerprint
          AND known.begun_at < clock_timestamp() - ${LONGEST_REQUEST}::interval
      RETURNING attempt`);
    return row?.attempt;
  }

  async find(tx: Tx, installationId: InstallationId, key: string): Promise<KnownKey | undefined> {
    return tx.maybeOne<KnownKey>(sql`
      SELECT fingerprint, answer,
        greatest(1, ceil(extract(epoch FROM begun_at + ${LONGEST_REQUEST}::interval - clock_timestamp())))::int
          AS "secondsLeft"
      FROM idempotency_key
      WHERE installation_id = ${installationId} AND key_hash = ${hash(key)}`);
  }

  async keepAnswer(
    tx: Tx,
    installationId: InstallationId,
    key: string,
    { attempt, answer }: { readonly attempt: number; readonly answer: string },
  ): Promise<void> {
    await tx.execute(sql`
      UPDATE idempotency_key SET answer = ${answer}
      WHERE installation_id = ${installationId} AND key_hash = ${hash(key)} AND attempt = ${attempt}`);
  }

  /** Nothing came of it: the key is as good as new. */
  async giveBack(tx: Tx, installationId: InstallationId, key: string, attempt: number): Promise<void> {
    await tx.execute(sql`
      DELETE FROM idempotency_key
      WHERE installation_id = ${installationId} AND key_hash = ${hash(key)} AND attempt = ${attempt}`);
  }

  async forgetOld(tx: Tx, installationId: InstallationId): Promise<void> {
    await tx.execute(sql`
      DELETE FROM idempotency_key WHERE installation_id = ${installationId} AND expires_at <= clock_timestamp()`);
  }
}

function hash(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}
