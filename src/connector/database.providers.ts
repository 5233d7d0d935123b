import { join } from 'node:path';
import type { Provider } from '@nestjs/common';
import { ConfigurationError } from '../foundation/config/load-config.js';
import { isDatabaseUnavailable, sqlState } from '../foundation/database/database-error.js';
import { findLoginProblems, findPostureProblems } from '../foundation/database/database-posture.js';
import { assertReachable, createDatabase, hasDatabase, unusableSentence } from '../foundation/database/server-admin.js';
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
const LOGIN_NEEDED =
  'DATABASE_URL: takes a login that owns nothing; the owner is for migrate and operator (docs/runbook.md, Start and stop)';
const OWNER_NEEDED =
  'this command takes the owner of the schema, as the migration step does, not the login of API and worker';
const PERMISSION_DENIED = '42501';

interface Addresses {
  /** Where transactions go. */
  readonly url: string;
  readonly isPooled: boolean;
  /** Where what needs a session of its own goes: the queue, which listens. */
  readonly directUrl: string;
}

const ADDRESSES = Symbol('addresses of the database');

export const DATABASE_PROVIDERS: readonly Provider[] = [
  {
    provide: ADDRESSES,
    inject: [ConnectorConfig],
    useFactory: async ({ databaseUrl, databaseDirectUrl }: ConnectorConfig): Promise<Addresses> => {
      const url = databaseUrl ?? (await embeddedDatabaseUrl());
      return { url, isPooled: databaseDirectUrl !== undefined, directUrl: databaseDirectUrl ?? url };
    },
  },
  { provide: TenantDatabase, inject: [ADDRESSES, ConnectorProgram], useFactory: connectDatabase },
  {
    // Shutdown hooks run from the dependent to its dependency: with the database injected, the queue stops before it closes.
    provide: TaskQueue,
    inject: [ADDRESSES, ConnectorProgram, TenantDatabase],
    useFactory: ({ directUrl }: Addresses, { role, logger }: ConnectorProgram) =>
      TaskQueue.start({ url: directUrl, kinds: TASKS.map(({ kind }) => kind), supervise: role === 'worker', logger }),
  },
];

/**
 * @throws ConfigurationError for a database that refuses us or has not our tables; in production, with everything that makes it unsafe
 * @throws Error that names the setting when the database does not respond: a later start may find it
 */
async function connectDatabase(
  { url, isPooled }: Addresses,
  { config, role }: ConnectorProgram,
): Promise<TenantDatabase> {
  const applicationName = `connector-${role}`;
  const explain = (error: unknown) => {
    throw explainedStart(url, error);
  };
  const database = await TenantDatabase.connect({ url, isPooled, applicationName, poolSize: POOL_SIZE }).catch(explain);
  try {
    await database.withoutInstallation('look for the tables', assertTables).catch(explain);
    await assertSafe(database, config);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** @throws ConfigurationError in production, with everything that makes the database unsafe */
async function assertSafe(database: TenantDatabase, config: ConnectorConfig): Promise<void> {
  if (!config.production) {
    return;
  }
  const problems = await database.withoutInstallation('check database posture', async (tx) => {
    const ofLogin = await findLoginProblems(tx);
    return [...(await findPostureProblems(tx)), ...ofLogin, ...(ofLogin.length === 0 ? [] : [LOGIN_NEEDED])];
  });
  if (problems.length > 0) {
    throw new ConfigurationError(problems);
  }
}

/** From the catalog, which every login may read. @throws ConfigurationError when our tables are not there */
export async function assertTables(tx: Tx): Promise<void> {
  const found = await tx.rows(sql`
    SELECT 1 FROM pg_class JOIN pg_namespace schema ON schema.oid = relnamespace
    WHERE schema.nspname = 'connector' AND relname = 'installation'`);
  if (found.length === 0) {
    throw new ConfigurationError([NEVER_MIGRATED]);
  }
}

function explainedStart(url: string, error: unknown): Error {
  if (error instanceof ConfigurationError) {
    return error;
  }
  if (isRoleMissing(error)) {
    return new ConfigurationError([NEVER_MIGRATED]);
  }
  const sentence = unusableSentence(url, 'DATABASE_URL', error);
  return isDatabaseUnavailable(error) ? new Error(sentence, { cause: error }) : new ConfigurationError([sentence]);
}

/**
 * What a command of the owner says that was given another login.
 * @returns the error as it is when it is about something else
 */
export function explainedRefusal(error: unknown, { databaseDirectUrl }: ConnectorConfig): unknown {
  if (!(error instanceof Error) || sqlState(error) !== PERMISSION_DENIED) {
    return error;
  }
  const variable = databaseDirectUrl === undefined ? 'DATABASE_URL' : 'DATABASE_DIRECT_URL';
  return new ConfigurationError([`${variable}: ${error.message}: ${OWNER_NEEDED}`]);
}

/** The migration step makes it, once for a server. */
function isRoleMissing(error: unknown): boolean {
  return error instanceof Error && error.message.includes(`role "${APP_ROLE}" does not exist`);
}

/**
 * Where a command that does one thing and ends works, past a pooler.
 * @throws ConfigurationError when that database cannot be used
 */
export async function findDirectUrl({ databaseUrl, databaseDirectUrl }: ConnectorConfig): Promise<string> {
  const url = databaseDirectUrl ?? databaseUrl;
  if (url === undefined) {
    return embeddedDatabaseUrl();
  }
  await assertReachable(url, databaseDirectUrl === undefined ? 'DATABASE_URL' : 'DATABASE_DIRECT_URL');
  return url;
}

/** In development an unset DATABASE_URL means the embedded server, which is started, or used if it runs already. */
async function embeddedDatabaseUrl(): Promise<string> {
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
