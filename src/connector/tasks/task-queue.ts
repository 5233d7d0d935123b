// Durable tasks on pg-boss. The queue only wakes workers: what there is to do stands in the features' own tables. So its
// schema may be dropped at any moment: nothing fails with it, workers go on from the tables, and it is built again.
import type { OnApplicationShutdown } from '@nestjs/common';
import type { JobInsert, JobWithMetadata, PgBoss } from 'pg-boss';
import { withTimeout } from '../../foundation/clock/with-timeout.js';
import { WorkerSlot } from '../../foundation/process/worker-slot.js';
import { inSpan } from '../../foundation/tracing/tracing.js';
import { prepared, sql } from '../../foundation/database/sql.js';
import type { Tx } from '../../foundation/database/transaction.js';
import type { Logger } from '../../foundation/logging/logger.js';
import { installQueueSchema } from './install-queue-schema.js';
import { createQueues, isMissing, openQueue, type QueueOptions } from './queue-connection.js';
import type { FailedTasks } from './failed-tasks.js';
import { withoutTrace, withTrace } from './traced-payload.js';
import { LocalTasks } from './local-tasks.js';
import { RepeatedErrors } from './repeated-errors.js';
import type { TaskDefinition, TaskHandler } from './task-definition.js';

/** After a notice that was lost, a kind of tasks is looked for by its first slot after so long, and by its other slots later. */
const LOST_NOTICE_SECONDS = 5;
const IDLE_SLOT_SECONDS = 30;
/** How often each process sees whether the queue is whole. */
const HEALTH_CHECK_EVERY_MS = 5_000;
/** Every kind of task meets an error of the queue at the same moment: one line says as much as forty. */
const SAME_ERROR_MS = 10_000;
/** Of all steps together: the program ends itself after 25 s, and closes its database before. */
const STOP_LIMIT_MS = 20_000;
/** Share of it that running tasks have; the rest is for giving back those that have not ended, and to disconnect. */
const SHARE_OF_TASKS = 0.8;
/** Runs of one process that only wait for another system, and so need no slot. Each holds what its work has in memory. */
const MAX_WITHOUT_SLOT = 32;

export interface TaskQueueOptions extends QueueOptions {
  readonly logger: Logger;
  /** How long `stop` takes at most, in milliseconds; 20,000 by default. */
  readonly stopLimitMs?: number;
}

export class TaskQueue implements OnApplicationShutdown {
  private readonly stopping = new AbortController();
  private readonly withoutSlot = new Set<Promise<void>>();
  /** Undefined while the queue has not been there since this process started. */
  private boss: PgBoss | undefined;
  private handlers: readonly TaskHandler[] = [];
  private local = new LocalTasks([], () => Promise.resolve());
  private failedTasks: FailedTasks | undefined;
  private runningTasks = 0;
  private isDraining = false;
  private usable = true;
  private healthCheck: Promise<void> | undefined;
  private timer: NodeJS.Timeout | undefined;
  private readonly errors = new RepeatedErrors(SAME_ERROR_MS);

  private constructor(private readonly options: TaskQueueOptions) {}

  /**
   * Connects to the queue's schema, which the migration step made. One that is gone is built again if the user of the
   * address may do that; else the process works without it until the migration step runs.
   * @throws Error when the queue is there but cannot be used: another version, no rights
   */
  static async start(options: TaskQueueOptions): Promise<TaskQueue> {
    const queue = new TaskQueue(options);
    await queue.ensureQueues().catch(async (error: unknown) => {
      if (!isMissing(error)) {
        throw error;
      }
      await queue.ensureHealthy();
    });
    queue.timer = setInterval(() => void queue.ensureHealthy(), HEALTH_CHECK_EVERY_MS).unref();
    return queue;
  }

  /** Whether tasks go through the queue just now; without it workers go on from the tables. */
  get isUsable(): boolean {
    return this.boss !== undefined && this.usable;
  }

  /**
   * When this process has last asked the queue for tasks, whether or not there were any; undefined without a usable queue,
   * since the process then goes on from the tables, and where it takes nothing more.
   */
  get lastFetchedAt(): number | undefined {
    const fetched =
      this.isUsable && !this.isDraining
        ? this.boss?.getWipData().map(({ lastFetchedOn }) => lastFetchedOn ?? 0)
        : undefined;
    return fetched && Math.max(0, ...fetched);
  }

  /**
   * Adds a task in the caller's transaction: it exists exactly when the transaction commits. Without a usable queue the
   * caller's own rows are written nevertheless: a worker then runs the task by itself, and another process leaves it to
   * the sweep, which finds the work in those rows.
   * @param key tasks of one kind with the same key wait at most once
   * @param delaySeconds it is not taken before; without a usable queue it is taken at once
   * @throws the driver's error when the connection of the transaction is lost
   */
  async send<Payload extends object>(
    tx: Tx,
    task: TaskDefinition<Payload>,
    payload: Payload,
    key: string,
    delaySeconds = 0,
  ): Promise<void> {
    await this.sendAll(tx, task, new Map([[key, payload]]), delaySeconds);
  }

  /** As `send`, of several tasks of a kind by one statement. @param payloads by key */
  async sendAll<Payload extends object>(
    tx: Tx,
    task: TaskDefinition<Payload>,
    payloads: ReadonlyMap<string, Payload>,
    delaySeconds = 0,
  ): Promise<void> {
    const { boss } = this;
    const jobs = Array.from(payloads, ([singletonKey, payload]) => ({
      singletonKey,
      data: withTrace(payload),
      ...(delaySeconds > 0 && { startAfter: delaySeconds }),
    }));
    const sent = boss !== undefined && (await this.enqueue(tx, boss, task.kind, jobs));
    if (!sent) {
      for (const { singletonKey, data } of jobs) {
        this.local.offer(task.kind, singletonKey, data);
      }
    }
  }

  /** Tasks that this process does now. */
  get running(): number {
    return this.runningTasks;
  }

  /**
   * Starts taking tasks. A failed one is logged and tried again with growing delays.
   * @param failedTasks receives each task whose attempts were used up
   */
  async work(handlers: readonly TaskHandler[], failedTasks?: FailedTasks): Promise<void> {
    this.handlers = handlers;
    this.failedTasks = failedTasks;
    this.local = new LocalTasks(handlers, async (entry, payload) => {
      await this.runInSlot(entry, payload, 'local').catch(() => undefined);
    });
    if (this.boss !== undefined) {
      await this.subscribe(this.boss);
    }
  }

  /** Takes no new task for as long as the process lives, and asks the running ones to end at their next safe point. */
  async drain(): Promise<void> {
    const taken = this.handlers;
    this.handlers = [];
    this.isDraining = true;
    this.stopping.abort();
    const { boss } = this;
    await Promise.all([this.local.stop(), ...taken.map(({ kind }) => boss?.offWork(kind))]);
  }

  /**
   * Takes no new task, asks the running ones to end at their next safe point, waits for them, and disconnects. What has not
   * ended in time is left to another process.
   */
  async stop(): Promise<void> {
    const { stopLimitMs = STOP_LIMIT_MS, logger } = this.options;
    clearInterval(this.timer);
    this.stopping.abort();
    await withTimeout(stopLimitMs, 'the running tasks', this.end(stopLimitMs)).catch((error: unknown) => {
      logger.warn({ err: error, running: this.runningTasks }, 'tasks.left_running');
    });
  }

  private async end(limitMs: number): Promise<void> {
    const startedMs = performance.now();
    await this.healthCheck;
    const timeout = limitMs * SHARE_OF_TASKS - (performance.now() - startedMs);
    await Promise.all([this.local.stop(), this.boss?.stop({ graceful: true, timeout })]);
    await Promise.all(this.withoutSlot);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.stop();
  }

  /** A statement that fails would take the caller's whole transaction with it, so it gets a savepoint. */
  private async enqueue(tx: Tx, boss: PgBoss, kind: string, jobs: JobInsert[]): Promise<boolean> {
    tx.defer(sql`SAVEPOINT enqueue`);
    try {
      await boss.insert(kind, jobs, {
        db: {
          executeSql: async (text, values) => ({
            rows: [...(await tx.rows(prepared({ text, values: values ?? [] })))],
          }),
        },
      });
      // The savepoint ends with the transaction.
      return true;
    } catch (error) {
      // What was deferred before it may be what has failed: then there is no savepoint.
      await tx.execute(sql`ROLLBACK TO SAVEPOINT enqueue`).catch(() => {
        throw error;
      });
      this.markUnusable(error);
      return false;
    }
  }

  /** Checks that the queue is whole and restores it if not; a database that does not respond is tried again at the next check. */
  private async ensureHealthy(): Promise<void> {
    this.healthCheck ??= this.restoreQueue().finally(() => {
      this.healthCheck = undefined;
    });
    await this.healthCheck;
  }

  private async restoreQueue(): Promise<void> {
    try {
      await this.ensureQueues().catch(async (error: unknown) => {
        if (!isMissing(error)) {
          throw error;
        }
        this.markUnusable(error);
        await installQueueSchema(this.options.url);
        await this.ensureQueues();
      });
      if (!this.usable) {
        this.options.logger.info('tasks.queue_usable_again');
      }
      this.usable = true;
    } catch (error) {
      this.markUnusable(error);
    }
  }

  /** @throws the driver's error when the schema is not there or the database is away */
  private async ensureQueues(): Promise<void> {
    const { boss, options } = this;
    if (boss === undefined) {
      this.boss = await openQueue(options, (error) => {
        this.handleQueueError(error);
      });
      await this.subscribe(this.boss);
    } else if ((await boss.getQueues([...options.kinds])).length < options.kinds.length) {
      await createQueues(boss, options.kinds);
    }
  }

  private handleQueueError(error: Error): void {
    if (isMissing(error)) {
      this.markUnusable(error);
    } else if (this.errors.isNew(error, performance.now())) {
      this.options.logger.error({ err: error }, 'tasks.queue_error');
    }
  }

  private async subscribe(boss: PgBoss): Promise<void> {
    for (const entry of this.handlers) {
      for (let slot = 0; slot < entry.concurrency; slot += 1) {
        await this.takeTasks(boss, entry, slot);
      }
    }
  }

  /** One task after the other. A slot that has become free looks for the next task at once, not when the next wake-up comes. */
  private async takeTasks(boss: PgBoss, entry: TaskHandler, slot: number): Promise<void> {
    const options = {
      pollingIntervalSeconds: 2,
      notifyPollingIntervalSeconds: slot === 0 ? LOST_NOTICE_SECONDS : IDLE_SLOT_SECONDS,
      includeMetadata: true as const,
    };
    const worker = await boss.work(entry.kind, options, async (jobs: JobWithMetadata[]) => {
      try {
        for (const job of jobs) {
          await this.runInSlot(entry, job.data, job.id, job.signal).catch(async (error: unknown) => {
            if (job.retryCount >= job.retryLimit) {
              await this.failedTasks?.record(entry.kind, withoutTrace(job.data).payload, error);
            }
            throw error;
          });
        }
      } finally {
        boss.notifyWorker(worker);
      }
    });
  }

  /**
   * Resolves when the work has ended, or only waits for another system: then its slot is free for other work, and a
   * failure is logged and left to what is due by the tables.
   */
  private async runInSlot(entry: TaskHandler, payload: object, taskId: string, given?: AbortSignal): Promise<void> {
    // The queue's signal fires also when its task is over, which for work without a slot says nothing.
    const taken = new AbortController();
    const take = () => {
      taken.abort(given?.reason);
    };
    given?.addEventListener('abort', take);
    const slot = new WorkerSlot(() => this.withoutSlot.size < MAX_WITHOUT_SLOT);
    const signal = AbortSignal.any([taken.signal, this.stopping.signal]);
    const run = slot.occupy(() => this.runOne(entry, payload, taskId, signal));
    try {
      await Promise.race([run, slot.left]);
    } finally {
      given?.removeEventListener('abort', take);
    }
    const going = run.catch(() => undefined).finally(() => this.withoutSlot.delete(going));
    this.withoutSlot.add(going);
  }

  private async runOne(entry: TaskHandler, given: object, taskId: string, signal: AbortSignal): Promise<void> {
    const { payload, trace } = withoutTrace(given);
    const work = () => this.handle(entry, payload, taskId, signal);
    // What the schedule sends concerns no single customer.
    const isOfCustomer = trace !== undefined || 'installationId' in payload;
    const options = { kind: 'consumer', parent: trace, attributes: { 'task.id': taskId } } as const;
    await (isOfCustomer ? inSpan(`task ${entry.kind}`, options, work) : work());
  }

  private async handle(entry: TaskHandler, payload: object, taskId: string, signal: AbortSignal): Promise<void> {
    const { logger } = this.options;
    const fields = { task: entry.kind, taskId };
    logger.debug(fields, 'task.started');
    this.runningTasks += 1;
    try {
      await entry.handle(payload, signal);
      logger.debug(fields, 'task.done');
    } catch (error) {
      logger.warn({ ...fields, err: error }, 'task.failed');
      throw error;
    } finally {
      this.runningTasks -= 1;
    }
    await this.failedTasks?.forget(entry.kind, payload);
  }

  /** Once, not with each of the many statements that fail until the queue is back. */
  private markUnusable(error: unknown): void {
    if (this.usable) {
      this.options.logger.error({ err: error }, 'tasks.queue_unusable');
    }
    this.usable = false;
  }
}
