import type pg from 'pg';

const LEASES = [
  ['company_lease', 'expires_at'],
  ['sync_run', 'lease_until'],
  ['reconciliation_run', 'lease_until'],
] as const;

/**
 * Does at once what time does after 10 or 30 s: what a dead worker had in hand may be taken by another. Only where the process is
 * dead for certain.
 * @param installationIds whose leases
 */
export async function endLeases(database: pg.ClientBase, installationIds: readonly string[]): Promise<void> {
  for (const [table, until] of LEASES) {
    await database.query(
      `UPDATE connector.${table} SET ${until} = now() WHERE installation_id = ANY($1::uuid[]) AND ${until} > now()`,
      [installationIds],
    );
  }
}
