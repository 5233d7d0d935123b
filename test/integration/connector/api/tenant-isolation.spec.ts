import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { DataKeyRepository } from '../../../../src/connector/installations/credentials/data-key.repository.js';
import { sql } from '../../../../src/foundation/database/sql.js';
import {
  startConnectorApp,
  storeInstallation,
  type ConnectorUnderTest,
  type StoredInstallation,
} from '../../../support/connector-app.js';

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

describe('row-level security', () => {
  it('lets a transaction see its own installation only, and nothing without one', async () => {
    const { database } = connector.runtime;
    const seen = await database.inInstallation('mine', mine.id, (tx) => tx.rows(sql`SELECT id FROM installation`));
    expect(seen).toEqual([{ id: mine.id }]);
    expect(await database.withoutInstallation('nobody', (tx) => tx.rows(sql`SELECT id FROM installation`))).toEqual([]);
    expect(
      await database.withoutInstallation('nobody', (tx) => tx.rows(sql`SELECT installation_id FROM credential`)),
    ).toEqual([]);
  });

  it('does not carry over to the next user of a connection', async () => {
    const { database } = connector.runtime;
    for (let round = 0; round < 30; round += 1) {
      await database.inInstallation('mine', mine.id, (tx) => tx.execute(sql`SELECT 1`));
      expect(await database.withoutInstallation('nobody', (tx) => tx.rows(sql`SELECT id FROM installation`))).toEqual(
        [],
      );
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

  it('lets the scheduler see which installations are due, and no secret', async () => {
    const { database } = connector.runtime;
    expect(await database.acrossInstallations('ids', (tx) => tx.rows(sql`SELECT id FROM installation`))).toHaveLength(
      2,
    );
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

describe('stored data', () => {
  it('of credentials is sealed and can be decrypted for its own installation only', async () => {
    const { rows } = await admin.query<{ access_token: string }>(
      'SELECT access_token FROM connector.credential ORDER BY 1',
    );
    expect(rows.every((row) => row.access_token.startsWith('v2.') && !row.access_token.includes('access-'))).toBe(true);
    const [ours, theirs] = [await dataKeyOf(mine), await dataKeyOf(other)];
    const sealed = ours.seal('credential.access_token', 'secret');
    expect(ours.unseal('credential.access_token', sealed)).toBe('secret');
    expect(() => theirs.unseal('credential.access_token', sealed)).toThrow('cannot be decrypted');
    expect(() => ours.unseal('credential.refresh_token', sealed)).toThrow('cannot be decrypted');
  });

  it('of a mapping version or an accepted notification cannot be changed by the application', async () => {
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
