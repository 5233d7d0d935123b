// What runs when. A tick only enqueues a task with one key per kind, so that many replicas make one run.
import { z } from 'zod';
import type { TaskDefinition } from './tasks/task-definition.js';

type Nothing = Record<string, never>;
const nothing: z.ZodType<Nothing> = z.object({}).transform(() => ({}));

export const pollPlatformTask: TaskDefinition<Nothing> = {
  kind: 'poll-platform',
  payload: nothing,
  concurrency: 1,
};
export const sweepTask: TaskDefinition<Nothing> = { kind: 'sweep', payload: nothing, concurrency: 1 };

export interface ScheduledTask {
  readonly task: TaskDefinition<Nothing>;
  readonly everyMs: number;
}

export const SCHEDULE: readonly ScheduledTask[] = [
  // Short enough that a killed worker's job goes on elsewhere within 15 s: lease 10 s + this + pick-up.
  { task: sweepTask, everyMs: 3_000 },
  // Which companies are due is decided by the database; this only asks often enough.
  { task: pollPlatformTask, everyMs: 5_000 },
];

/** How often the API process says that the intake is there. */
export const INTAKE_BEAT_MS = 10_000;
