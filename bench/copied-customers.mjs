// More customers like the one that was planted: the same rows under other installations, so that its lists are read from large tables.
import { performance } from 'node:perf_hooks';

/** What an export leaves, in an order that its keys do not ask for: checks are off. */
const TABLES = ['export_job', 'export_item', 'item_chunk', 'posting_intent', 'issue', 'failed_entry'];
const AT_ONCE = 10;

/**
 * @param client as the owner, who may switch triggers and foreign keys off for the session
 * @param count of customers to make
 * @returns how many items there are then, their size on disk in bytes with indexes, and how long it took in seconds
 */
export async function copyCustomers(client, count) {
  const began = performance.now();
  await client.query(`SET session_replication_role = replica`);
  for (let made = 0; made < count; made += AT_ONCE) {
    await client.query(`CREATE TEMP TABLE other AS SELECT gen_random_uuid() AS id FROM generate_series(1, $1::int)`, [
      Math.min(AT_ONCE, count - made),
    ]);
    for (const table of TABLES) {
      const { rows } = await client.query(
        `SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) AS columns FROM pg_attribute
         WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attname <> 'installation_id' AND attgenerated = ''
           AND attidentity = ''`,
        [table],
      );
      const { columns } = rows[0];
      await client.query(
        `INSERT INTO ${table} (installation_id, ${columns})
         SELECT other.id, ${columns.replace(/(^|, )/g, '$1one.')} FROM ${table} one CROSS JOIN other
         WHERE one.installation_id = (SELECT id FROM installation LIMIT 1)`,
      );
    }
    await client.query('DROP TABLE other');
    console.error(`lists: ${made + AT_ONCE} of ${count} more customers, ${seconds(began)} s`);
  }
  await client.query(`SET session_replication_role = origin`);
  await client.query('VACUUM ANALYZE');
  const { rows } = await client.query(
    `SELECT (SELECT count(*)::int FROM export_item) AS items, sum(pg_total_relation_size(one::regclass))::float8 AS bytes
     FROM unnest($1::text[]) AS one`,
    [TABLES],
  );
  return { ...rows[0], seconds: seconds(began) };
}

function seconds(began) {
  return Math.round((performance.now() - began) / 1_000);
}
