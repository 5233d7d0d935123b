import type { z } from 'zod';

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
  handle(payload: unknown, signal: AbortSignal): Promise<void>;
}

/** Ties a definition to its use case with matching types. */
export function handler<Payload extends object>(
  task: TaskDefinition<Payload>,
  work: (payload: Payload, signal: AbortSignal) => Promise<void>,
): TaskHandler {
  return {
    kind: task.kind,
    concurrency: task.concurrency,
    handle: (payload, signal) => work(task.payload.parse(payload), signal),
  };
}
