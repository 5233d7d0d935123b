import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { randomBytes, randomUUID } from 'node:crypto';
import pg from 'pg';
import { migrateConnector } from '../../../../src/connector/migrate-connector.js';
import { sql } from '../../../../src/foundation/database/sql.js';
import { TenantDatabase } from '../../../../src/foundation/database/tenant-database.js';
import { toInstallationId } from '../../../../src/kernel/ids.js';
import { createTestDatabase, type TestDatabase } from '../../../support/test-database.js';

// In production the schema's owner is no superuser: row-level security binds the triggers' functions too.

const OWNER = `plain_owner_${randomBytes(4).toString('hex')}`;

let server: TestDatabase;
let admin: pg.Client;
let database: TenantDatabase;

beforeAll(async () => {
  server = await createTestDatabase();
  admin = new pg.Client({ connectionString: server.url });
  await admin.connect();
  await admin.query('DROP SCHEMA connector, pgboss CASCADE');
  await admin.query(`CREATE ROLE ${OWNER} LOGIN NOINHERIT PASSWORD 'plain' IN ROLE connector_app, connector_scheduler`);
  const { rows } = await admin.query<{ name: string }>('SELECT current_database() AS name');
  await admin.query(`GRANT CREATE ON DATABASE ${rows[0]?.name ?? ''} TO ${OWNER}`);
  const address = new URL(server.url);
  address.username = OWNER;
  address.password = 'plain';
  await migrateConnector(address.toString());
  database = await TenantDatabase.connect({
    url: address.toString(),
    applicationName: 'plain-owner',
    poolSize: 2,
  });
});
afterAll(async () => {
  await database.close();
  await admin.query(`DROP OWNED BY ${OWNER}`);
  await admin.query(`DROP ROLE ${OWNER}`);
  await admin.end();
  await server.drop();
});

it('changes are recorded, and the log refuses changes by its owner', async () => {
  const id = toInstallationId(randomUUID());
  await database.inInstallation('connect', id, (tx) =>
    tx.execute(sql`
      INSERT INTO installation (id, platform_company_id, company_name, state, created_at)
      VALUES (${id}, ${randomUUID()}, 'Example', 'active', now())`),
  );
  const entries = await database.inInstallation('read', id, (tx) =>
    tx.rows(sql`SELECT position, actor, object, action FROM audit_entry`),
  );
  expect(entries).toEqual([{ position: 1n, actor: 'system connect', object: 'installation', action: 'created' }]);
  await admin.query(`SET ROLE ${OWNER}`);
  for (const statement of [
    'UPDATE connector.audit_entry SET actor = $1',
    'DELETE FROM connector.audit_entry WHERE actor <> $1',
  ]) {
    await expect(admin.query(statement, ['me'])).rejects.toThrow('append-only');
  }
  await admin.query('RESET ROLE');
});
