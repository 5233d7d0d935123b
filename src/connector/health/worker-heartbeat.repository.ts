import { sql } from '../../foundation/database/sql.js';
import type { Tx } from '../../foundation/database/transaction.js';

/** Over all tenants: a worker has just run a scheduled task. */
export async function recordWorkerHeartbeat(tx: Tx): Promise<void> {
  await tx.execute(sql`
    INSERT INTO worker_heartbeat (last_beat_at) VALUES (clock_timestamp())
    ON CONFLICT (singleton) DO UPDATE SET last_beat_at = EXCLUDED.last_beat_at`);
}

/** @returns seconds since a worker was last there; undefined when there never was one */
export async function secondsSinceWorkerHeartbeat(tx: Tx): Promise<number | undefined> {
  const row = await tx.maybeOne<{ seconds: number }>(sql`
    SELECT extract(epoch FROM clock_timestamp() - last_beat_at)::float8 AS seconds FROM worker_heartbeat`);
  return row?.seconds;
}
