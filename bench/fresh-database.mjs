import { createDatabase, dropDatabase } from '../dist/foundation/database/server-admin.js';
import { migrateAll } from '../dist/sandbox/launch/migrate-all.js';

/** Runs `work` with the address of an empty, migrated database, which goes afterwards. */
export async function onFreshDatabase(server, work) {
  const name = `bench_${process.pid}`;
  await createDatabase(server.url('postgres'), name);
  try {
    const url = server.url(name);
    await migrateAll(url);
    return await work(url);
  } finally {
    await dropDatabase(server.url('postgres'), name);
  }
}
