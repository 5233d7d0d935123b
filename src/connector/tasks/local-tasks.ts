// Tasks in this process alone, for as long as the queue cannot take them.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { TaskHandler } from './task-definition.js';

/** Most tasks of one kind that wait here; the next look at the tables finds what was left out. */
const MAX_WAITING = 1_000;

interface KindQueue {
  readonly handler: TaskHandler;
  /** Payloads by key, oldest first: as in the queue, one key waits at most once. */
  readonly waiting: Map<string, object>;
  running: number;
}

/**
 * What a worker does without the queue. Nothing here is durable and nothing is repeated: a task is only a wake-up, and
 * the sweep makes it again from our own tables.
 */
export class LocalTasks {
  private readonly queues: ReadonlyMap<string, KindQueue>;
  private readonly active = new Set<Promise<void>>();
  /** A task is handed over inside a transaction and must not run as a part of it. */
  private readonly outside = AsyncLocalStorage.snapshot();
  private stopped = false;

  /** @param perform never rejects */
  constructor(
    handlers: readonly TaskHandler[],
    private readonly perform: (handler: TaskHandler, payload: object) => Promise<void>,
  ) {
    this.queues = new Map(handlers.map((handler) => [handler.kind, { handler, waiting: new Map(), running: 0 }]));
  }

  /** Runs the task soon, at most as many of its kind at once as its handler says; a kind without handler is left out. */
  offer(kind: string, key: string, payload: object): void {
    const queue = this.queues.get(kind);
    if (queue === undefined || this.stopped || queue.waiting.size >= MAX_WAITING) {
      return;
    }
    queue.waiting.set(key, payload);
    this.outside(() => {
      this.fill(queue);
    });
  }

  /** Takes nothing more and resolves when what runs has ended. */
  async stop(): Promise<void> {
    this.stopped = true;
    await Promise.all(this.active);
  }

  private fill(queue: KindQueue): void {
    for (const [key, payload] of queue.waiting) {
      if (queue.running >= queue.handler.concurrency || this.stopped) {
        return;
      }
      queue.waiting.delete(key);
      queue.running += 1;
      const run = this.perform(queue.handler, payload).finally(() => {
        queue.running -= 1;
        this.active.delete(run);
        this.fill(queue);
      });
      this.active.add(run);
    }
  }
}
