// The database of a launch: on the embedded PostgreSQL or the server of DATABASE_URL, persistent or fresh.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import {
  assertReachable,
  createDatabase,
  dropDatabase,
  hasDatabase,
  withDatabase,
} from '../../foundation/database/server-admin.js';
import { EmbeddedPostgres } from '../../foundation/embedded-postgres/embedded-postgres.js';

export interface LaunchDatabase {
  readonly url: string;
  /** Restarts the embedded server after a crash. */
  ensureRunning(): Promise<void>;
  /** Drops a fresh database and stops the embedded server unless another process uses it. */
  close(): Promise<void>;
}

const PERSISTENT_DATABASE = 'connector';

/**
 * @param dataFolder home of the embedded cluster
 * @param outside address of an outside PostgreSQL, whose user may create schemas, roles and (for `fresh`) databases
 * @throws ConfigurationError when it cannot be reached, or refuses the user
 */
export async function openLaunchDatabase(
  dataFolder: string,
  outside: string | undefined,
  fresh: boolean,
): Promise<LaunchDatabase> {
  if (outside === undefined) {
    return embedded(dataFolder, fresh);
  }
  await assertReachable(outside);
  return fresh ? temporaryExternalDatabase(outside) : persistentExternalDatabase(outside);
}

async function embedded(dataFolder: string, fresh: boolean): Promise<LaunchDatabase> {
  const server = await EmbeddedPostgres.start({ folder: join(dataFolder, 'postgres'), durable: true });
  const name = fresh ? freshName() : PERSISTENT_DATABASE;
  if (fresh || !(await hasDatabase(server.url('postgres'), name))) {
    await createDatabase(server.url('postgres'), name);
  }
  return {
    url: server.url(name),
    ensureRunning: () => server.ensureRunning(),
    async close() {
      if (fresh) {
        await dropDatabase(server.url('postgres'), name);
      }
      await server.stop();
    },
  };
}

function persistentExternalDatabase(url: string): LaunchDatabase {
  return { url, ensureRunning: () => Promise.resolve(), close: () => Promise.resolve() };
}

async function temporaryExternalDatabase(outside: string): Promise<LaunchDatabase> {
  const name = freshName();
  await createDatabase(outside, name);
  return {
    ...persistentExternalDatabase(withDatabase(outside, name)),
    close: () => dropDatabase(outside, name),
  };
}

function freshName(): string {
  return `once_${randomBytes(6).toString('hex')}`;
}
