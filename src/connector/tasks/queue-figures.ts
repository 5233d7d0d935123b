import { sql } from '../../foundation/database/sql.js';
import type { Tx } from '../../foundation/database/transaction.js';

/** One kind of task in one state. */
export interface QueueFigure {
  readonly kind: string;
  readonly state: 'waiting' | 'running' | 'failed';
  readonly tasks: number;
  /** Age of the oldest of them. */
  readonly oldestSeconds: number;
}

/**
 * What stands in the queue. Done tasks are not looked at; failed ones are kept for an hour.
 * @throws the driver's error, SQLSTATE 42P01 or 3F000 while the queue has no tables
 */
export async function readQueueFigures(tx: Tx): Promise<readonly QueueFigure[]> {
  await tx.execute(sql`SET LOCAL statement_timeout = '2s'`);
  return tx.rows<QueueFigure>(sql`
    SELECT name AS kind, CASE WHEN state = 'active' THEN 'running' WHEN state = 'failed' THEN 'failed' ELSE 'waiting' END AS state,
      count(*)::int AS tasks, extract(epoch FROM clock_timestamp() - min(created_on))::float8 AS "oldestSeconds"
    FROM pgboss.job WHERE state IN ('created', 'retry', 'active', 'failed') GROUP BY 1, 2`);
}
