// Durable tasks on pg-boss. The queue only wakes workers: what there is to do stands in the features' own tables.
import { PgBoss, type Job } from 'pg-boss';
import type { z } from 'zod';
import { APP_ROLE } from '../../foundation/database/tenant-database.js';
import type { Tx } from '../../foundation/database/transaction.js';
import type { Logger } from '../../foundation/logging/logger.js';

export const QUEUE_SCHEMA = 'pgboss';

/** A kind of task and the shape of what it carries. Each feature defines its own; `task-handlers.ts` says who does it. */
export interface TaskDefinition<Payload extends object> {
  readonly kind: string;
  readonly payload: z.ZodType<Payload>;
  /** How many of this kind one process runs side by side. */
  readonly concurrency: number;
}

/** A definition together with what does it. */
export interface TaskHandler {
  readonly kind: string;
  readonly concurrency: number;
  /** @throws when the payload does not fit the definition or the work fails; the task is then tried again. */
  run(payload: unknown, signal: AbortSignal): Promise<void>;
}

/** Ties a definition to its use case with matching types. */
export function handler<Payload extends object>(
  task: TaskDefinition<Payload>,
  work: (payload: Payload, signal: AbortSignal) => Promise<void>,
): TaskHandler {
  return {
    kind: task.kind,
    concurrency: task.concurrency,
    run: (payload, signal) => work(task.payload.parse(payload), signal),
  };
}

const RETRIES = 8;
const RETRY_DELAY_SECONDS = 2;
const LONGEST_RETRY_DELAY_SECONDS = 60;
/** A run of a whole job fits into the platform's hour; the lease, not this limit, tells a dead worker. */
const EXPIRE_SECONDS = 3_600;
const HEARTBEAT_SECONDS = 10;
/** Done tasks are of no use: what happened stands in the features' tables. */
const KEEP_DONE_SECONDS = 3_600;

export class TaskQueue {
  private readonly stopping = new AbortController();

  private constructor(
    private readonly boss: PgBoss,
    private readonly logger: Logger,
  ) {}

  /**
   * Connects to the queue's schema, which the migration step made.
   * @param url address of the database
   * @param supervise true in workers, which then also retry tasks whose worker went silent
   */
  static async start(
    url: string,
    kinds: readonly string[],
    options: { readonly supervise: boolean; readonly logger: Logger },
  ): Promise<TaskQueue> {
    const boss = new PgBoss({
      connectionString: url,
      options: `-c role=${APP_ROLE}`,
      application_name: 'connector-tasks',
      schema: QUEUE_SCHEMA,
      max: 4,
      migrate: false,
      createSchema: false,
      schedule: false,
      supervise: options.supervise,
      useListenNotify: options.supervise,
    });
    boss.on('error', (error) => {
      options.logger.error({ err: error }, 'tasks.queue_error');
    });
    await boss.start();
    for (const kind of kinds) {
      await boss.createQueue(kind, {
        // At most one waiting task per key, while another of the same key may run: a wake-up is never lost and never piles up.
        policy: 'short',
        retryLimit: RETRIES,
        retryDelay: RETRY_DELAY_SECONDS,
        retryBackoff: true,
        retryDelayMax: LONGEST_RETRY_DELAY_SECONDS,
        expireInSeconds: EXPIRE_SECONDS,
        deleteAfterSeconds: KEEP_DONE_SECONDS,
        heartbeatSeconds: HEARTBEAT_SECONDS,
        notify: true,
      });
    }
    return new TaskQueue(boss, options.logger);
  }

  /**
   * Adds a task in the caller's transaction: it exists exactly when the transaction commits.
   * @param key tasks of one kind with the same key wait at most once
   */
  async send<Payload extends object>(
    tx: Tx,
    task: TaskDefinition<Payload>,
    payload: Payload,
    key: string,
  ): Promise<void> {
    await this.boss.send(task.kind, payload, {
      singletonKey: key,
      db: {
        executeSql: async (text, values) => ({
          rows: [...(await tx.rows({ text, values: values ?? [] }))],
        }),
      },
    });
  }

  /** Starts taking tasks. A failed one is logged and tried again with growing delays. */
  async work(handlers: readonly TaskHandler[]): Promise<void> {
    for (const entry of handlers) {
      await this.boss.work(
        entry.kind,
        { localConcurrency: entry.concurrency, pollingIntervalSeconds: 2, notifyPollingIntervalSeconds: 5 },
        async (jobs: Job[]) => {
          for (const job of jobs) {
            await this.runOne(entry, job);
          }
        },
      );
    }
  }

  /** Takes no new task, tells the running ones to end at their next safe point, waits for them, and disconnects. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.boss.stop({ graceful: true, timeout: 20_000 });
  }

  private async runOne(entry: TaskHandler, job: Job): Promise<void> {
    const fields = { task: entry.kind, taskId: job.id };
    this.logger.debug(fields, 'task.started');
    try {
      await entry.run(job.data, AbortSignal.any([job.signal, this.stopping.signal]));
      this.logger.debug(fields, 'task.done');
    } catch (error) {
      this.logger.warn({ ...fields, err: error }, 'task.failed');
      throw error;
    }
  }
}
