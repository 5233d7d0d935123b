import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { administer, createDatabase } from '../../src/foundation/database/server-admin.js';
import { EmbeddedPostgres } from '../../src/foundation/embedded-postgres/embedded-postgres.js';
import { migrateAll } from '../../src/sandbox/launch/migrate-all.js';
import { archiveLog, killServer, startFromBackup, waitForArchive } from './postgres-pair.js';

// A base backup and the write-ahead log that was archived since bring the record back to a moment, after the server is lost.

let folder: string;
let server: EmbeddedPostgres;
let restored: EmbeddedPostgres | undefined;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'point-in-time-'));
  server = await EmbeddedPostgres.start({ folder: join(folder, 'first'), durable: true });
  await createDatabase(server.url('postgres'), 'drill');
  await migrateAll(server.url('drill'));
}, 120_000);
afterEach(async () => {
  await restored?.stop();
  await server.stop();
  await rm(folder, { recursive: true, force: true });
}, 120_000);

const onServer = (statement: string) => administer(server.url('drill'), statement);
const connect = (name: string) =>
  onServer(`
    INSERT INTO connector.installation (id, platform_company_id, company_name, state, created_at)
    VALUES (gen_random_uuid(), gen_random_uuid(), '${name}', 'active', now())`);

it('restores what was committed until a moment, and nothing after it', async () => {
  const archive = await archiveLog(server);
  await connect('before the backup');
  let moment = '';
  restored = await startFromBackup(server, join(folder, 'second'), join(folder, 'first'), async (copy) => {
    await connect('after the backup');
    const [row] = await onServer(`SELECT clock_timestamp()::text AS now`);
    moment = String(row?.['now']);
    await delay(100);
    await connect('a mistake');
    await waitForArchive(server, archive);
    await killServer(server);
    await writeFile(join(copy, 'recovery.signal'), '');
    await appendFile(
      join(copy, 'postgresql.auto.conf'),
      `restore_command = 'cp ${archive}/%f %p'\nrecovery_target_time = '${moment}'\nrecovery_target_action = 'promote'\narchive_mode = off\n`,
    );
  });
  while ((await administer(restored.url('drill'), 'SELECT pg_is_in_recovery() AS yes'))[0]?.['yes'] === true) {
    await delay(100);
  }
  const rows = await administer(
    restored.url('drill'),
    'SELECT company_name FROM connector.installation ORDER BY created_at',
  );
  expect(rows.map((row) => row['company_name'])).toEqual(['before the backup', 'after the backup']);
  // The audit log of what came back is whole.
  const [audit] = await administer(
    restored.url('drill'),
    'SELECT count(*)::int AS entries FROM connector.audit_entry JOIN connector.audit_head USING (installation_id, position, hash)',
  );
  expect(audit).toEqual({ entries: 2 });
}, 180_000);
