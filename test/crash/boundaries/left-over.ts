import type pg from 'pg';

/** What is there some time after the last round: everything that is still under way, of any company. */
export async function leftOver(database: pg.Client): Promise<readonly string[]> {
  const { rows } = await database.query<{ text: string }>(
    `SELECT 'lease of ' || installation_id AS text FROM connector.company_lease WHERE expires_at > now()
     UNION ALL
     SELECT 'task ' || name || ' is ' || state || ' of ' || (data->>'installationId') || coalesce(': ' || left(output::text, 500), '')
     FROM pgboss.job
     WHERE data->>'installationId' IS NOT NULL AND (state = 'failed' OR state = 'active' AND started_on < now() - interval '5 seconds')
     UNION ALL
     SELECT 'idle in transaction: ' || left(query, 80) FROM pg_stat_activity
     WHERE datname = current_database() AND state = 'idle in transaction' AND state_change < now() - interval '5 seconds'`,
  );
  return rows.map(({ text }) => text);
}
