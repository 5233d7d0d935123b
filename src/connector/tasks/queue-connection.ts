// How pg-boss is set up: its connection, the queue of each kind, and how a queue that is not there is recognized.
import { PgBoss } from 'pg-boss';
import { sqlState } from '../../foundation/database/database-error.js';
import { APP_ROLE } from '../../foundation/database/tenant-database.js';
import { clientThatPlansOnce } from '../../foundation/database/planning-client.js';
import { queryTimeouts } from '../../foundation/database/timeout-aware-client.js';
import { QUEUE_SCHEMA } from './install-queue-schema.js';

const RETRIES = 8;
const RETRY_DELAY_SECONDS = 2;
const MAX_RETRY_DELAY_SECONDS = 60;
/** A run of a whole job fits into the platform's hour; a dead worker is detected by its lease, not by this limit. */
const EXPIRE_SECONDS = 3_600;
const HEARTBEAT_SECONDS = 10;
/** How often a worker looks for tasks whose heartbeat has stopped: what a killed one had just taken goes on within 20 s. */
const SUPERVISE_SECONDS = 4;
/** Done tasks are of no use: what happened stands in the features' tables. */
const DONE_RETENTION_SECONDS = 3_600;
/** What the queue asks most, with one text for each kind of task: to plan how tasks are taken and ended takes ten times as long as to do it. */
const TAKES_OR_ENDS_TASKS = /^\s*WITH\s+(?:next|results) AS/;
/** Goes on to the driver: without it a connection that has gone silent would be waited for and handed out for ever (F7). */
const CONNECTION = {
  Client: clientThatPlansOnce((text) => TAKES_OR_ENDS_TASKS.test(text)),
  ...queryTimeouts(12_000),
  connectionTimeoutMillis: 5_000,
};

export interface QueueOptions {
  /** Address of the database. */
  readonly url: string;
  /** Every kind of task there is. */
  readonly kinds: readonly string[];
  /** True in workers, which then also retry tasks whose worker went silent. */
  readonly supervise: boolean;
}

/**
 * Connects, and creates the queues that are missing.
 * @param onError receives errors between calls
 * @throws the driver's error when the schema is not there or the database is away
 */
export async function openQueue(
  { url, supervise, kinds }: QueueOptions,
  onError: (error: Error) => void,
): Promise<PgBoss> {
  const boss = new PgBoss({
    connectionString: url,
    // A plan that is kept may be older than what the queue holds; left to itself, PostgreSQL makes a new one nearly each time, and
    // compiles those that read a whole table all the same.
    options: `-c role=${APP_ROLE} -c enable_seqscan=off -c plan_cache_mode=force_generic_plan -c jit=off`,
    application_name: 'connector-tasks',
    schema: QUEUE_SCHEMA,
    max: 4,
    ...CONNECTION,
    migrate: false,
    createSchema: false,
    schedule: false,
    supervise,
    superviseIntervalSeconds: SUPERVISE_SECONDS,
    // Below the interval, so that a look that comes a moment early is not left out.
    monitorIntervalSeconds: SUPERVISE_SECONDS - 1,
    useListenNotify: supervise,
  });
  boss.on('error', (emitted) => {
    onError(errorOf(emitted));
  });
  try {
    await boss.start();
    await createQueues(boss, kinds);
    return boss;
  } catch (error) {
    await boss.stop({ graceful: false }).catch(() => undefined);
    throw error;
  }
}

/** Creates the queues that are missing: usually none, which is one question instead of a transaction for each kind. */
export async function createQueues(boss: PgBoss, kinds: readonly string[]): Promise<void> {
  const existing = new Set((await boss.getQueues([...kinds])).map(({ name }) => name));
  for (const kind of kinds.filter((name) => !existing.has(name))) {
    await boss.createQueue(kind, {
      // At most one waiting task per key, while another of the same key may run: a wake-up is never lost and never piles up.
      policy: 'short',
      retryLimit: RETRIES,
      retryDelay: RETRY_DELAY_SECONDS,
      retryBackoff: true,
      retryDelayMax: MAX_RETRY_DELAY_SECONDS,
      expireInSeconds: EXPIRE_SECONDS,
      deleteAfterSeconds: DONE_RETENTION_SECONDS,
      heartbeatSeconds: HEARTBEAT_SECONDS,
      notify: true,
    });
  }
}

/** pg-boss emits what its own loops have met as an object with the properties of the error. */
function errorOf(emitted: object): Error {
  return emitted instanceof Error ? emitted : Object.assign(new Error(), emitted);
}

/** The schema or a table of it is not there, in the words of PostgreSQL or of pg-boss. */
export function isMissing(error: unknown): boolean {
  const state = sqlState(error);
  const isUninstalled = error instanceof Error && error.message === 'pg-boss is not installed';
  return isUninstalled || state === '3F000' || state === '42P01';
}
