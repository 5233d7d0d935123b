import type pg from 'pg';
import { queryTimeouts, TimeoutAwareClient } from './timeout-aware-client.js';

/** Advisory locks of processes that keep others away from their data. */
const LOCK_CLASS = 51_966;

export type ExclusiveUse = { readonly release: () => Promise<void> } | { readonly heldBy: string };

/**
 * Keeps other processes away from parts of a database. The database holds the claim, so that it ends with this process however
 * that ends.
 * @param url address of the database itself, not of a pool that lends its connections out by transaction
 * @param name what the others see, at most 63 bytes
 * @param parts numbers whose meaning the callers share
 * @returns the name of another process that has one of the parts
 */
export async function takeExclusiveUse(url: string, name: string, parts: readonly number[]): Promise<ExclusiveUse> {
  const client = new TimeoutAwareClient({
    connectionString: url,
    connectionTimeoutMillis: 5_000,
    application_name: name,
    ...queryTimeouts(10_000),
  });
  // The database may be restarted below the programs; then the claim is lost, and nothing else.
  client.on('error', () => undefined);
  await client.connect();
  for (const part of parts) {
    const { rows } = await client.query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1, $2) AS taken', [
      LOCK_CLASS,
      part,
    ]);
    if (rows[0]?.taken !== true) {
      const heldBy = await findHolder(client, part);
      await client.end();
      return { heldBy };
    }
  }
  return { release: () => client.end() };
}

async function findHolder(client: pg.Client, part: number): Promise<string> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT application_name AS name FROM pg_locks JOIN pg_stat_activity USING (pid)
     WHERE locktype = 'advisory' AND granted AND classid = $1 AND objid = $2
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    [LOCK_CLASS, part],
  );
  return rows[0]?.name ?? 'another process';
}
