// What readiness looks at. Each reason has its section in docs/runbook.md.
import type { INestApplicationContext } from '@nestjs/common';
import { migrationNames } from '../foundation/database/migrate.js';
import { sql } from '../foundation/database/sql.js';
import { TenantDatabase } from '../foundation/database/tenant-database.js';
import { peersWithOpenCircuit } from '../foundation/http/http.metrics.js';
import { Clock } from '../kernel/clock.js';
import { Permanent } from '../kernel/faults.js';
import type { ConnectorProgram } from './connector-config.js';
import { filesFolderProblem } from './erp.providers.js';
import { startInternalServer, type InternalServer } from './health/internal-server.js';
import type { ReadinessCheck } from './health/readiness.js';
import { secondsSinceWorkerHeartbeat } from './health/worker-heartbeat.repository.js';
import { DataKeyRepository } from './installations/credentials/data-key.repository.js';
import { KeyRingService } from './installations/credentials/key-ring.service.js';
import { CONNECTOR_MIGRATIONS } from './migrate-connector.js';
import { TaskQueue } from './tasks/task-queue.js';

/** The sweep runs every 3 s; none for so long means that no worker runs scheduled tasks. */
const MAX_SILENCE_SECONDS = 60;

/** What readiness is read from. */
export interface ReadinessSources {
  readonly database: TenantDatabase;
  readonly tasks: TaskQueue;
  readonly keys: KeyRingService;
  /** Where the process puts batches of files as well; undefined: nowhere. */
  readonly filesFolder?: string | undefined;
}

/** Serves liveness, readiness and metrics of a process on its internal port. */
export async function serveHealth(
  app: INestApplicationContext,
  { config, role }: ConnectorProgram,
): Promise<InternalServer> {
  const database = app.get(TenantDatabase);
  // Workers close no batches.
  const filesFolder = role === 'api' ? config.erp.filesFolder : undefined;
  const sources = { database, tasks: app.get(TaskQueue), keys: app.get(KeyRingService), filesFolder };
  return startInternalServer({
    title: role === 'api' ? 'API process of the connector' : 'Worker process of the connector',
    host: config.host,
    port: config.internalPort,
    database,
    clock: app.get(Clock),
    checks: readinessChecks(sources, role),
  });
}

/** @param role a worker is vital for a worker only: without one the API still takes webhooks */
export function readinessChecks(
  { database, tasks, keys, filesFolder }: ReadinessSources,
  role: 'api' | 'worker',
): readonly ReadinessCheck[] {
  const dataKeys = new DataKeyRepository(keys);
  const wanted = once(() => migrationNames(CONNECTOR_MIGRATIONS));
  return [
    {
      name: 'database',
      isVital: true,
      find: () =>
        database.ping().then(
          () => undefined,
          () => 'does not answer',
        ),
    },
    // What is already there can be read all the same.
    { name: 'database writes', isVital: role === 'worker', find: () => Promise.resolve(writeProblem(database)) },
    { name: 'schema', isVital: true, find: async () => schemaProblem(database, await wanted()) },
    { name: 'key ring', isVital: true, find: () => keyProblem(database, dataKeys) },
    { name: 'worker', isVital: role === 'worker', find: () => silenceProblem(database) },
    { name: 'queue', isVital: false, find: () => Promise.resolve(queueProblem(tasks)) },
    { name: 'other systems', isVital: false, find: () => Promise.resolve(remoteProblem()) },
    ...(filesFolder === undefined
      ? []
      : [{ name: 'files folder', isVital: false, find: () => filesFolderProblem(filesFolder) }]),
  ];
}

/** The files belong to the code: they do not change while it runs. */
function once<T>(read: () => Promise<T>): () => Promise<T> {
  let kept: Promise<T> | undefined;
  return () => (kept ??= read());
}

function writeProblem(database: TenantDatabase): string | undefined {
  const reason = database.refusedWrites();
  return reason === undefined ? undefined : `refused a moment ago: ${reason}`;
}

async function schemaProblem(database: TenantDatabase, wanted: readonly string[]): Promise<string | undefined> {
  const applied = await database.withoutInstallation('read schema version', (tx) =>
    tx.rows<{ name: string }>(sql`SELECT name FROM migration`),
  );
  const known = new Set(applied.map(({ name }) => name));
  const missing = wanted.filter((name) => !known.has(name));
  return missing[0] === undefined
    ? undefined
    : `behind the code by ${missing.length.toString()} migrations, first ${missing[0]}`;
}

/** Each key of the ring that has wrapped something has to be there, and be the right one. */
async function keyProblem(database: TenantDatabase, dataKeys: DataKeyRepository): Promise<string | undefined> {
  const samples = await database.acrossInstallations('find data keys to try', (tx) =>
    dataKeys.findSamplePerRingKey(tx),
  );
  for (const { installationId, keyId } of samples) {
    try {
      await database.inInstallation('try data key', installationId, (tx) => dataKeys.find(tx, installationId));
    } catch (error) {
      if (!(error instanceof Permanent)) {
        throw error;
      }
      return `stored keys that "${keyId}" has wrapped cannot be opened`;
    }
  }
  return undefined;
}

async function silenceProblem(database: TenantDatabase): Promise<string | undefined> {
  const seconds = await database.acrossInstallations('look for workers', secondsSinceWorkerHeartbeat);
  if (seconds === undefined) {
    return 'none has been there yet';
  }
  return seconds > MAX_SILENCE_SECONDS ? `none for ${Math.round(seconds).toString()} s` : undefined;
}

function queueProblem(tasks: TaskQueue): string | undefined {
  return tasks.isUsable ? undefined : 'not usable, workers go on from the tables';
}

function remoteProblem(): string | undefined {
  const names = peersWithOpenCircuit();
  return names.length === 0 ? undefined : `left alone for a moment after failures: ${names.join(', ')}`;
}
