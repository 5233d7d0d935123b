import { join } from 'node:path';
import { createDatabase, dropDatabase } from '../build/foundation/database/server-admin.js';
import { EmbeddedPostgres } from '../build/foundation/embedded-postgres/embedded-postgres.js';
import { migrateAll } from '../build/sandbox/launch/migrate-all.js';

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

/** The same on a PostgreSQL of its own, durable as in production, which stops afterwards. */
export async function onOwnServer(work) {
  const server = await EmbeddedPostgres.start({ folder: join('.data', 'bench-postgres'), durable: true });
  try {
    return await onFreshDatabase(server, work);
  } finally {
    await server.stop();
  }
}
