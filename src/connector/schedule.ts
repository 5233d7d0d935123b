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
export const wakeForLookUpsTask: TaskDefinition<Nothing> = {
  kind: 'wake-for-look-ups',
  payload: nothing,
  concurrency: 1,
};

export const wakeReexportsTask: TaskDefinition<Nothing> = {
  kind: 'wake-reexports',
  payload: nothing,
  concurrency: 1,
};

/** Whose daily check is due is decided by the database. */
export const wakeDriftChecksTask: TaskDefinition<Nothing> = {
  kind: 'wake-drift-checks',
  payload: nothing,
  concurrency: 1,
};

/** Whose subscription is due is decided by the database. */
export const wakeSubscriptionMaintenanceTask: TaskDefinition<Nothing> = {
  kind: 'wake-subscription-maintenance',
  payload: nothing,
  concurrency: 1,
};
export const rotateKeysTask: TaskDefinition<Nothing> = {
  kind: 'rotate-keys',
  payload: nothing,
  concurrency: 1,
};
export const deleteOldBodiesTask: TaskDefinition<Nothing> = {
  kind: 'delete-old-bodies',
  payload: nothing,
  concurrency: 1,
};

/** Whose reference data is due is decided by the database. */
export const wakeSyncsTask: TaskDefinition<Nothing> = {
  kind: 'wake-syncs',
  payload: nothing,
  concurrency: 1,
};

/** Whose books are compared is decided by the database. */
export const wakeReconciliationsTask: TaskDefinition<Nothing> = {
  kind: 'wake-reconciliations',
  payload: nothing,
  concurrency: 1,
};

/** Who is to be told of what is decided by the database. */
export const wakeAlertsTask: TaskDefinition<Nothing> = {
  kind: 'wake-alerts',
  payload: nothing,
  concurrency: 1,
};

export interface ScheduledTask {
  readonly task: TaskDefinition<Nothing>;
  readonly everyMs: number;
}

export const SCHEDULE: readonly ScheduledTask[] = [
  // Short enough that a killed worker's job goes on elsewhere within 15 s: lease 10 s + this + pick-up.
  { task: sweepTask, everyMs: 3_000 },
  // Which companies are due is decided by the database; this only asks often enough.
  { task: pollPlatformTask, everyMs: 5_000 },
  { task: wakeSubscriptionMaintenanceTask, everyMs: 60_000 },
  // Short enough that the key of an interrupted uninstalling is destroyed within half a minute (invariant I32).
  { task: rotateKeysTask, everyMs: 10_000 },
  { task: deleteOldBodiesTask, everyMs: 3_600_000 },
  // Each posting says itself when it is due again.
  { task: wakeForLookUpsTask, everyMs: 30_000 },
  // Each says itself when it is due again.
  { task: wakeReexportsTask, everyMs: 5_000 },
  { task: wakeDriftChecksTask, everyMs: 60_000 },
  { task: wakeSyncsTask, everyMs: 15_000 },
  { task: wakeReconciliationsTask, everyMs: 30_000 },
  { task: wakeAlertsTask, everyMs: 15_000 },
];

/** How often the API process says that the intake is there. */
export const INTAKE_HEARTBEAT_MS = 10_000;
