// The database of a start: the embedded PostgreSQL or the one of DATABASE_URL, the kept data or a fresh database.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import pg from 'pg';
import { EmbeddedPostgres } from '../foundation/embedded-postgres/embedded-postgres.js';

export interface LaunchDatabase {
  readonly url: string;
  /** Brings the embedded server back when it died. */
  ensureRunning(): Promise<void>;
  /** Drops a fresh database and stops the embedded server unless somebody else uses it. */
  close(): Promise<void>;
}

const KEPT_DATABASE = 'connector';

/**
 * @param dataFolder home of the embedded cluster
 * @param outside address of an outside PostgreSQL, whose user may create schemas, roles and (for `fresh`) databases
 */
export async function openLaunchDatabase(
  dataFolder: string,
  outside: string | undefined,
  fresh: boolean,
): Promise<LaunchDatabase> {
  return outside === undefined
    ? embedded(dataFolder, fresh)
    : fresh
      ? freshOutside(outside)
      : keptOutside(outside);
}

async function embedded(dataFolder: string, fresh: boolean): Promise<LaunchDatabase> {
  const server = await EmbeddedPostgres.start({ folder: join(dataFolder, 'postgres'), durable: true });
  const name = fresh ? freshName() : KEPT_DATABASE;
  if (fresh || !(await server.hasDatabase(name))) {
    await server.createDatabase(name);
  }
  return {
    url: server.url(name),
    ensureRunning: () => server.ensureRunning(),
    async close() {
      if (fresh) {
        await server.dropDatabase(name);
      }
      await server.stop();
    },
  };
}

function keptOutside(url: string): LaunchDatabase {
  return { url, ensureRunning: () => Promise.resolve(), close: () => Promise.resolve() };
}

async function freshOutside(outside: string): Promise<LaunchDatabase> {
  const name = freshName();
  await administer(outside, `CREATE DATABASE ${pg.escapeIdentifier(name)}`);
  const address = new URL(outside);
  address.pathname = `/${name}`;
  return {
    ...keptOutside(address.toString()),
    close: () => administer(outside, `DROP DATABASE IF EXISTS ${pg.escapeIdentifier(name)} WITH (FORCE)`),
  };
}

async function administer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

function freshName(): string {
  return `once_${randomBytes(6).toString('hex')}`;
}
