import { Injectable } from '@nestjs/common';
import { sql } from '../../foundation/database/sql.js';
import type { Tx } from '../../foundation/database/transaction.js';

export interface QuotaUsage {
  /** Requests booked in this minute, these included. */
  readonly used: number;
  /** Milliseconds until the minute is over. */
  readonly endsInMs: number;
}

/** Requests booked by all processes. A key's minute begins with its first booking, by the database's clock. */
@Injectable()
export class RequestQuotaRepository {
  /** @param requests how many to book; they count even where the limit is exceeded */
  async consume(tx: Tx, keyHash: Buffer, requests: number): Promise<QuotaUsage> {
    return tx.one<QuotaUsage>(sql`
      INSERT INTO request_quota AS known (key_hash, used, ends_at)
      VALUES (${keyHash}, ${requests}, clock_timestamp() + interval '1 minute')
      ON CONFLICT (key_hash) DO UPDATE SET
        used = EXCLUDED.used + CASE WHEN known.ends_at > clock_timestamp() THEN known.used ELSE 0 END,
        ends_at = CASE WHEN known.ends_at > clock_timestamp() THEN known.ends_at ELSE EXCLUDED.ends_at END
      RETURNING used, extract(epoch FROM ends_at - clock_timestamp())::float8 * 1000 AS "endsInMs"`);
  }

  async deleteExpired(tx: Tx): Promise<void> {
    await tx.execute(sql`DELETE FROM request_quota WHERE ends_at <= clock_timestamp()`);
  }
}
