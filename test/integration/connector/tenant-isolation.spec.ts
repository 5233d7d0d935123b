import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { DataKeyRepository } from '../../../src/connector/installations/data-key.repository.js';
import { sql } from '../../../src/foundation/database/sql.js';
import {
  startConnectorApp,
  storeInstallation,
  type ConnectorUnderTest,
  type StoredInstallation,
} from '../../support/connector-app.js';

let connector: ConnectorUnderTest;
let mine: StoredInstallation;
let other: StoredInstallation;
let admin: pg.Client;

beforeAll(async () => {
  connector = await startConnectorApp();
  mine = await storeInstallation(connector, 'Mine');
  other = await storeInstallation(connector, 'Other');
  admin = new pg.Client({ connectionString: connector.server.url });
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
  await connector.close();
});

async function dataKeyOf({ id }: StoredInstallation) {
  const { database, keys } = connector.runtime;
  return database.inInstallation('data key', id, (tx) => new DataKeyRepository(keys).find(tx, id));
}

async function tenantTables(): Promise<readonly string[]> {
  const { rows } = await admin.query<{ table_name: string }>(
    `SELECT table_name FROM information_schema.columns
     WHERE table_schema = 'connector' AND (column_name = 'installation_id' OR table_name = 'installation')
     GROUP BY table_name ORDER BY table_name`,
  );
  return rows.map((row) => row.table_name);
}

describe('row-level security', () => {
  it('is enabled and forced on every table of a tenant, with a check on what is written', async () => {
    for (const table of await tenantTables()) {
      const { rows } = await admin.query(
        `SELECT relrowsecurity, relforcerowsecurity,
           (SELECT count(*)::int FROM pg_policy WHERE polrelid = c.oid AND polqual IS NOT NULL AND polwithcheck IS NOT NULL) > 0 AS checked
         FROM pg_class c WHERE oid = ('connector.' || $1)::regclass`,
        [table],
      );
      expect({ table, ...rows[0] }).toEqual({
        table,
        relrowsecurity: true,
        relforcerowsecurity: true,
        checked: true,
      });
    }
  });

  it('binds the application’s role, which owns nothing', async () => {
    const { rows } = await admin.query(
      `SELECT rolsuper, rolbypassrls, (SELECT count(*)::int FROM pg_class WHERE relowner = r.oid) AS owned
       FROM pg_roles r WHERE rolname IN ('connector_app', 'connector_scheduler')`,
    );
    expect(rows).toEqual([
      { rolsuper: false, rolbypassrls: false, owned: 0 },
      { rolsuper: false, rolbypassrls: false, owned: 0 },
    ]);
  });

  it('shows a transaction its own installation only, and nothing without one', async () => {
    const { database } = connector.runtime;
    const seen = await database.inInstallation('mine', mine.id, (tx) =>
      tx.rows(sql`SELECT id FROM installation`),
    );
    expect(seen).toEqual([{ id: mine.id }]);
    expect(
      await database.withoutInstallation('nobody', (tx) => tx.rows(sql`SELECT id FROM installation`)),
    ).toEqual([]);
    expect(
      await database.withoutInstallation('nobody', (tx) =>
        tx.rows(sql`SELECT installation_id FROM credential`),
      ),
    ).toEqual([]);
  });

  it('does not carry over to the next user of a connection', async () => {
    const { database } = connector.runtime;
    for (let round = 0; round < 30; round += 1) {
      await database.inInstallation('mine', mine.id, (tx) => tx.execute(sql`SELECT 1`));
      expect(
        await database.withoutInstallation('nobody', (tx) => tx.rows(sql`SELECT id FROM installation`)),
      ).toEqual([]);
    }
  });

  it('refuses to write a row of another installation', async () => {
    const writing = connector.runtime.database.inInstallation('foreign write', mine.id, (tx) =>
      tx.execute(sql`
        INSERT INTO mapping_version (installation_id, version, settings, author, created_at)
        VALUES (${other.id}, 1, '{}', 'me', now())`),
    );
    await expect(writing).rejects.toThrow('row-level security');
    const updated = await connector.runtime.database.inInstallation('foreign update', mine.id, (tx) =>
      tx.execute(sql`UPDATE installation SET company_name = 'x' WHERE id = ${other.id}`),
    );
    expect(updated).toBe(0);
  });

  it('lets the scheduler see who has to be woken and no secret', async () => {
    const { database } = connector.runtime;
    expect(
      await database.acrossInstallations('ids', (tx) => tx.rows(sql`SELECT id FROM installation`)),
    ).toHaveLength(2);
    for (const statement of [
      sql`SELECT * FROM credential`,
      sql`SELECT secret FROM subscription`,
      sql`SELECT * FROM export_item`,
    ]) {
      await expect(database.acrossInstallations('secrets', (tx) => tx.rows(statement))).rejects.toThrow(
        'permission denied',
      );
    }
  });
});

describe('what is kept', () => {
  it('of credentials is sealed and opens for its own installation only', async () => {
    const { rows } = await admin.query<{ access_token: string }>(
      'SELECT access_token FROM connector.credential ORDER BY 1',
    );
    expect(
      rows.every((row) => row.access_token.startsWith('v2.') && !row.access_token.includes('access-')),
    ).toBe(true);
    const [ours, theirs] = [await dataKeyOf(mine), await dataKeyOf(other)];
    const sealed = ours.seal('credential.access_token', 'secret');
    expect(ours.unseal('credential.access_token', sealed)).toBe('secret');
    expect(() => theirs.unseal('credential.access_token', sealed)).toThrow('cannot be decrypted');
    expect(() => ours.unseal('credential.refresh_token', sealed)).toThrow('cannot be decrypted');
  });

  it('of a mapping version and an accepted notification cannot be changed by the application', async () => {
    for (const statement of [
      sql`UPDATE mapping_version SET author = 'x'`,
      sql`DELETE FROM mapping_version`,
      sql`UPDATE notification SET body = ''`,
      sql`DELETE FROM notification`,
      sql`TRUNCATE notification`,
      sql`DELETE FROM posting_intent`,
    ]) {
      await expect(
        connector.runtime.database.inInstallation('change', mine.id, (tx) => tx.execute(statement)),
      ).rejects.toThrow('permission denied');
    }
  });
});
