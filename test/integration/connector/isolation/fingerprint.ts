import type pg from 'pg';

/** Of every table that has rows of installations, besides the one of installations itself. */
export async function tenantTables(owner: pg.Client): Promise<readonly string[]> {
  const { rows } = await owner.query<{ table_name: string }>(
    `SELECT table_name FROM information_schema.columns
     WHERE table_schema = 'connector' AND (column_name = 'installation_id' OR table_name = 'installation')
     GROUP BY table_name ORDER BY table_name`,
  );
  return rows.map((row) => row.table_name);
}

/** Over everything of these installations, table by table, except when a token was used last. */
export async function fingerprintOf(
  owner: pg.Client,
  installationIds: readonly string[],
): Promise<Readonly<Record<string, string>>> {
  const fingerprint: Record<string, string> = {};
  for (const table of await tenantTables(owner)) {
    const column = table === 'installation' ? 'id' : 'installation_id';
    const { rows } = await owner.query<{ digest: string }>(
      `SELECT md5(coalesce(string_agg(row, ',' ORDER BY row), '')) AS digest
       FROM (SELECT (to_jsonb(t) - 'last_used_at')::text AS row FROM ${table} t WHERE ${column} = ANY ($1)) rows`,
      [installationIds],
    );
    fingerprint[table] = rows[0]?.digest ?? '';
  }
  return fingerprint;
}
