import { sql } from '../../foundation/database/sql.js';
import type { Tx } from '../../foundation/database/transaction.js';

/** What is counted over all tenants, each under the name its gauge has in `fleet-gauges.ts`. */
export type FigureName =
  | 'openJobs'
  | 'oldestJobSeconds'
  | 'nearestEndSeconds'
  | 'outboxWaiting'
  | 'outboxOldestSeconds'
  | 'uncertainPostings'
  | 'installations'
  | 'openSyncRuns'
  | 'openReconciliationRuns'
  | 'openDiscrepancies'
  | 'alertMessagesWaiting'
  | 'heartbeatAgeSeconds';

export interface Figure {
  readonly figure: FigureName;
  /** Value of the gauge's one label; empty where it has none. */
  readonly label: string;
  readonly value: number;
}

/**
 * Over all tenants, by the scheduler's role: counts and ages, never whose. Every branch reads an index of what is open,
 * or a table with a row per tenant.
 */
export async function readFleetFigures(tx: Tx): Promise<readonly Figure[]> {
  await tx.execute(sql`SET LOCAL statement_timeout = '2s'`);
  return tx.rows<Figure>(sql`
    WITH job AS (
      SELECT state, detected_at, expires_at FROM export_job WHERE state IN ('detected', 'running', 'verdict_decided')
    ), waiting AS (
      SELECT created_at FROM outbox WHERE delivered_at IS NULL
    ), figure (figure, label, value) AS (
      SELECT 'openJobs', state, count(*) FROM job GROUP BY state
      UNION ALL SELECT 'oldestJobSeconds', state, extract(epoch FROM clock_timestamp() - min(detected_at)) FROM job GROUP BY state
      UNION ALL SELECT 'nearestEndSeconds', '', extract(epoch FROM min(expires_at) - clock_timestamp()) FROM job
      UNION ALL SELECT 'outboxWaiting', '', count(*) FROM waiting
      UNION ALL SELECT 'outboxOldestSeconds', '', extract(epoch FROM clock_timestamp() - min(created_at)) FROM waiting
      UNION ALL SELECT 'uncertainPostings', '', count(*) FROM uncertain_posting
      UNION ALL SELECT 'installations', state, count(*) FROM installation GROUP BY state
      UNION ALL SELECT 'openSyncRuns', state, count(*) FROM sync_run WHERE state IN ('requested', 'running') GROUP BY state
      UNION ALL SELECT 'openReconciliationRuns', state, count(*) FROM reconciliation_run
        WHERE state IN ('requested', 'running') GROUP BY state
      UNION ALL SELECT 'openDiscrepancies', class, count(*) FROM discrepancy WHERE state = 'open' GROUP BY class
      UNION ALL SELECT 'alertMessagesWaiting', '', count(*) FROM alert_message WHERE sent_at IS NULL AND given_up_at IS NULL
      UNION ALL SELECT 'heartbeatAgeSeconds', 'intake', extract(epoch FROM clock_timestamp() - last_beat_at) FROM intake_heartbeat
      UNION ALL SELECT 'heartbeatAgeSeconds', 'worker', extract(epoch FROM clock_timestamp() - last_beat_at) FROM worker_heartbeat
    )
    SELECT figure, label, value::float8 AS value FROM figure WHERE value IS NOT NULL`);
}
