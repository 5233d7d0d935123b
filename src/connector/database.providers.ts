import { join } from 'node:path';
import type { Provider } from '@nestjs/common';
import { ConfigurationError } from '../foundation/config/load-config.js';
import { findLoginProblems, findPostureProblems } from '../foundation/database/database-posture.js';
import { createDatabase, hasDatabase } from '../foundation/database/server-admin.js';
import { sql } from '../foundation/database/sql.js';
import { APP_ROLE, TenantDatabase } from '../foundation/database/tenant-database.js';
import type { Tx } from '../foundation/database/transaction.js';
import { EmbeddedPostgres } from '../foundation/embedded-postgres/embedded-postgres.js';
import { ConnectorConfig, DEVELOPMENT_DATA, ConnectorProgram } from './connector-config.js';
import { TASKS } from './task-handlers.js';
import { TaskQueue } from './tasks/task-queue.js';

/** Name of the database inside the embedded PostgreSQL. */
const EMBEDDED_DATABASE = 'connector';
const POOL_SIZE = 20;

const NEVER_MIGRATED =
  'DATABASE_URL: the database was never migrated: run `npm run migrate` first (in an image: node dist/connector/migrate.js)';

const DATABASE_URL = Symbol('address of the database');

export const DATABASE_PROVIDERS: readonly Provider[] = [
  {
    provide: DATABASE_URL,
    inject: [ConnectorConfig],
    useFactory: ({ databaseUrl }: ConnectorConfig) => databaseUrl ?? embeddedDatabaseUrl(),
  },
  { provide: TenantDatabase, inject: [DATABASE_URL, ConnectorProgram], useFactory: connectDatabase },
  {
    // Shutdown hooks run from the dependent to its dependency: with the database injected, the queue stops before it closes.
    provide: TaskQueue,
    inject: [DATABASE_URL, ConnectorProgram, TenantDatabase],
    useFactory: (url: string, { role, logger }: ConnectorProgram) =>
      TaskQueue.start({ url, kinds: TASKS.map(({ kind }) => kind), supervise: role === 'worker', logger }),
  },
];

/** @throws ConfigurationError for a database without our tables; in production, with everything that makes it unsafe */
async function connectDatabase(url: string, { config, role }: ConnectorProgram): Promise<TenantDatabase> {
  const applicationName = `connector-${role}`;
  const database = await TenantDatabase.connect({ url, applicationName, poolSize: POOL_SIZE }).catch(
    (error: unknown) => {
      throw isRoleMissing(error) ? new ConfigurationError([NEVER_MIGRATED]) : error;
    },
  );
  if (!(await database.withoutInstallation('look for the tables', hasTables))) {
    await database.close();
    throw new ConfigurationError([NEVER_MIGRATED]);
  }
  if (config.production) {
    const problems = await database.withoutInstallation('check database posture', async (tx) => [
      ...(await findPostureProblems(tx)),
      ...(await findLoginProblems(tx)),
    ]);
    if (problems.length > 0) {
      await database.close();
      throw new ConfigurationError(problems);
    }
  }
  return database;
}

/** From the catalog, which every login may read. */
async function hasTables(tx: Tx): Promise<boolean> {
  const found = await tx.rows(sql`
    SELECT 1 FROM pg_class JOIN pg_namespace schema ON schema.oid = relnamespace
    WHERE schema.nspname = 'connector' AND relname = 'installation'`);
  return found.length > 0;
}

/** The migration step makes it, once for a server. */
function isRoleMissing(error: unknown): boolean {
  return error instanceof Error && error.message.includes(`role "${APP_ROLE}" does not exist`);
}

/** In development an unset DATABASE_URL means the embedded server, which is started, or used if it runs already. */
export async function embeddedDatabaseUrl(): Promise<string> {
  const server = await EmbeddedPostgres.start({
    folder: join(process.cwd(), DEVELOPMENT_DATA, 'postgres'),
    durable: true,
  });
  const administration = server.url('postgres');
  if (!(await hasDatabase(administration, EMBEDDED_DATABASE))) {
    await createDatabase(administration, EMBEDDED_DATABASE);
  }
  return server.url(EMBEDDED_DATABASE);
}
