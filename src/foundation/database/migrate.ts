import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { DataSource, MigrationExecutor, type MigrationInterface, type QueryRunner } from 'typeorm';
import { queryTimeouts, TimeoutAwareClient } from './timeout-aware-client.js';

export interface MigrationStep {
  /** Connection address of a user that may create schemas and roles. */
  readonly url: string;
  /** Schema the folder's files build; created when missing, and home of the record of what ran. */
  readonly schema: string;
  /** Folder of `<13-digit time>-<name>.sql` files. */
  readonly folder: string;
}

type MigrationClass = (new () => MigrationInterface) & { readonly migrationName: string };

/** The schema was built by files that are not ours, so our remaining ones do not fit it. */
export class UnknownMigrationsError extends Error {
  constructor(schema: string, unknown: readonly [oldest: string, ...others: string[]]) {
    const others = unknown.length > 1 ? ` and ${(unknown.length - 1).toString()} more` : '';
    super(
      `schema ${schema} was built by another version of the program: it has migrations that this version does not know ` +
        `(${unknown[0]}${others})`,
    );
    this.name = 'UnknownMigrationsError';
  }
}

const FILE_NAME = /^(\d{13})-([a-z0-9-]+)\.sql$/;
/** How long one process waits for the migrations of another. */
const LOCK_MS = 60_000;
const UP = '-- migrate:up';
const DOWN = '-- migrate:down';

/**
 * Brings a schema to the newest version. One migration step runs at a time over all processes (advisory lock), each
 * file in its own transaction.
 * @returns names of the migrations that ran now, oldest first.
 * @throws UnknownMigrationsError when files are left to run on a schema that other files have built.
 * @throws Error naming the file when one is misnamed, misses a part, or fails.
 */
export async function migrateUp(step: MigrationStep): Promise<readonly string[]> {
  return withMigrations(step, async (dataSource) => {
    await refuseForeignSchema(dataSource, step.schema);
    const done = await dataSource.runMigrations({ transaction: 'each' });
    return done.map((migration) => migration.name);
  });
}

/**
 * Takes back every migration of a schema, newest first, to prove that `down` works.
 * @internal
 */
export async function migrateDown(step: MigrationStep): Promise<void> {
  await withMigrations(step, async (dataSource, count) => {
    for (let done = 0; done < count; done += 1) {
      await dataSource.undoLastMigration({ transaction: 'each' });
    }
  });
}

/**
 * @param folder of `<13-digit time>-<name>.sql` files
 * @returns the names under which they are recorded once they ran, oldest first
 * @throws Error naming the file when one is misnamed or misses a part
 */
export async function migrationNames(folder: string): Promise<readonly string[]> {
  return (await readMigrations(folder)).map(({ migrationName }) => migrationName);
}

/** A schema that is only newer has nothing left to run: older code works on it. */
async function refuseForeignSchema(dataSource: DataSource, schema: string): Promise<void> {
  const ours = dataSource.migrations.map(({ name }) => name);
  const newestFirst = await new MigrationExecutor(dataSource).getExecutedMigrations();
  const recorded = newestFirst.map(({ name }) => name).toReversed();
  const [first, ...others] = recorded.filter((name) => !ours.includes(name));
  if (first !== undefined && ours.some((name) => !recorded.includes(name ?? ''))) {
    throw new UnknownMigrationsError(schema, [first, ...others]);
  }
}

async function withMigrations<T>(
  step: MigrationStep,
  work: (dataSource: DataSource, count: number) => Promise<T>,
): Promise<T> {
  const migrations = await readMigrations(step.folder);
  const lock = new TimeoutAwareClient({
    connectionString: step.url,
    connectionTimeoutMillis: 5_000,
    ...queryTimeouts(LOCK_MS + 10_000),
  });
  await lock.connect();
  try {
    await lock.query(`SET lock_timeout = ${LOCK_MS.toString()}`);
    await lock.query('SELECT pg_advisory_lock(hashtext($1))', [`migrate:${step.schema}`]);
    await lock.query(`CREATE SCHEMA IF NOT EXISTS ${pg.escapeIdentifier(step.schema)}`);
    const dataSource = new DataSource({
      type: 'postgres',
      url: step.url,
      schema: step.schema,
      migrations,
      migrationsTableName: 'migration',
      installExtensions: false,
      poolSize: 1,
      // A migration may take long; a server that is gone is noticed by the silence of its host.
      extra: { options: `-c search_path=${step.schema} -c TimeZone=UTC`, keepAlive: true },
    });
    await dataSource.initialize();
    try {
      return await work(dataSource, migrations.length);
    } finally {
      await dataSource.destroy();
    }
  } finally {
    // Ending the session gives the advisory lock back, also after an error.
    await lock.end();
  }
}

async function readMigrations(folder: string): Promise<MigrationClass[]> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(files.map(async (name) => toMigration(name, await readFile(join(folder, name), 'utf8'))));
}

function toMigration(fileName: string, text: string): MigrationClass {
  const match = FILE_NAME.exec(fileName);
  const [, time, subject] = match ?? [];
  const down = text.indexOf(DOWN);
  if (time === undefined || subject === undefined) {
    throw new Error(`migration ${fileName}: name it <13-digit time>-<kebab-case subject>.sql`);
  }
  if (!text.startsWith(UP) || down < 0) {
    throw new Error(`migration ${fileName}: needs a "${UP}" part first and a "${DOWN}" part after it`);
  }
  const upSql = text.slice(UP.length, down);
  const downSql = text.slice(down + DOWN.length);
  // With its text, so that a schema that another text of the same file has built is known as foreign. TypeORM reads the order from the
  // last 13 characters.
  const textHash = createHash('sha256').update(text).digest('hex').slice(0, 8);
  const migrationName = `${subject}-${textHash}-${time}`;
  return class implements MigrationInterface {
    static readonly migrationName = migrationName;
    readonly name = migrationName;

    async up(runner: QueryRunner): Promise<void> {
      await runner.query(upSql);
    }

    async down(runner: QueryRunner): Promise<void> {
      await runner.query(downSql);
    }
  };
}
