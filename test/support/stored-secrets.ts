import pg from 'pg';
import { DataKey } from '../../src/connector/installations/credentials/data-key.js';
import { KeyRingService, type SealedColumn } from '../../src/connector/installations/credentials/key-ring.service.js';
import { parseKeyRing } from '../../src/connector/installations/credentials/key-ring.js';
import { toInstallationId } from '../../src/kernel/ids.js';

/** What is secret in itself; the other sealed columns hold documents. */
const SECRET_COLUMNS: readonly SealedColumn[] = [
  'credential.access_token',
  'credential.refresh_token',
  'credential.erp_access_token',
  'credential.erp_refresh_token',
  'subscription.endpoint_token',
  'subscription.secret',
  'subscription.previous_secret',
  'subscription.header_value',
  'alert_setting.webhook_secret',
  'alert_setting.sealed_address',
  'erp_connection.sealed_secrets',
];

export interface Store {
  /** Kind and value of what was found sealed. */
  readonly secrets: readonly (readonly [string, string])[];
  /** Every row of every table of the connector and its queue, as text; bytes as hexadecimal digits. */
  readonly tables: ReadonlyMap<string, string>;
}

/** The keys themselves, as they are written in CREDENTIAL_KEYS. */
export function keyRingSecrets(ring = ''): readonly string[] {
  return ring.split(',').flatMap((entry) => entry.split(':')[1] ?? []);
}

/**
 * @param url of the user who may read everything
 * @param ring as in CREDENTIAL_KEYS; unset: nothing sealed is opened
 */
export async function readStore(url: string, ring?: string): Promise<Store> {
  const client = new pg.Client({ connectionString: url, options: '-c search_path=connector' });
  await client.connect();
  try {
    const keys = ring === undefined ? undefined : parseKeyRing(ring);
    const secrets = keys === undefined || typeof keys === 'string' ? [] : await open(client, new KeyRingService(keys));
    return { secrets, tables: await dump(client) };
  } finally {
    await client.end();
  }
}

async function open(client: pg.Client, ring: KeyRingService): Promise<readonly (readonly [string, string])[]> {
  const secrets: (readonly [string, string])[] = [];
  const wrapped = await client.query<{ id: string; key: string }>(
    'SELECT installation_id AS id, wrapped_key AS key FROM data_key',
  );
  const keys = new Map<string, DataKey>();
  for (const { id, key } of wrapped.rows) {
    const plain = orUndefined(() => ring.unseal('data_key.wrapped_key', id, key));
    if (plain !== undefined) {
      secrets.push(['data key', plain]);
      keys.set(id, new DataKey(toInstallationId(id), Buffer.from(plain, 'base64'), ring));
    }
  }
  // Without a key nothing that is sealed can be opened.
  for (const column of keys.size === 0 ? [] : SECRET_COLUMNS) {
    // Of the platform's tokens and those of ERPs each are sealed as what they are, in the same columns.
    const [table = '', name = ''] = column.replace('.erp_', '.').split('.');
    const { rows } = await client.query<{ id: string; sealed: string }>(
      `SELECT installation_id AS id, ${name} AS sealed FROM ${table} WHERE ${name} IS NOT NULL`,
    );
    for (const { id, sealed } of rows) {
      const plain = orUndefined(() => keys.get(id)?.unseal(column, sealed));
      secrets.push(...(plain === undefined ? [] : secretsIn(plain)).map((secret) => [column, secret] as const));
    }
  }
  return secrets;
}

/** Credentials of an ERP are sealed together, by their names. */
function secretsIn(plain: string): readonly string[] {
  const values: readonly unknown[] = plain.startsWith('{') ? Object.values(JSON.parse(plain) as object) : [plain];
  return values.filter((value) => typeof value === 'string');
}

/** Tests damage values, change keys and write what is not sealed. */
function orUndefined(work: () => string | undefined): string | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/** Most tables of a test are empty. The size of their files says so, for which the server need not learn what the tables consist of. */
async function dump(client: pg.Client): Promise<ReadonlyMap<string, string>> {
  const tables = await client.query<{ name: string; isEmpty: boolean }>(`
    SELECT format('%I.%I', nspname, relname) AS name,
      coalesce((pg_stat_file(pg_relation_filepath(pg_class.oid), true)).size = 0, false) AS "isEmpty"
    FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
    WHERE nspname IN ('connector', 'pgboss') AND relkind IN ('r', 'p')`);
  const found = new Map<string, string>();
  for (const { name, isEmpty } of tables.rows) {
    const { rows } = isEmpty
      ? { rows: [] }
      : await client.query<{ text: string }>(`SELECT t::text AS text FROM ${name} t`);
    found.set(name, rows.map(({ text }) => text).join('\n'));
  }
  return found;
}
