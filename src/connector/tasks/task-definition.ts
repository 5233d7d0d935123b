import type { Abstract } from '@nestjs/common';
import { z } from 'zod';
import { toCompanyId, toInstallationId } from '../../kernel/ids.js';

/** A kind of task and the shape of its payload. Each feature defines its own; the table in `task-handlers.ts` names the handler. */
export interface TaskDefinition<Payload extends object> {
  readonly kind: string;
  readonly payload: z.ZodType<Payload>;
  /** How many of this kind one process handles side by side. */
  readonly concurrency: number;
}

/** For tasks of one installation. */
export const installationPayload = z.object({ installationId: z.guid().transform(toInstallationId) });
export type InstallationTask = Readonly<z.infer<typeof installationPayload>>;

/** For tasks of one company. */
export const companyPayload = installationPayload.extend({ companyId: z.guid().transform(toCompanyId) });
export type CompanyTask = Readonly<z.infer<typeof companyPayload>>;

/** A definition together with the provider that handles it. */
export interface TaskHandler {
  readonly kind: string;
  readonly concurrency: number;
  /** @throws when the payload does not fit the definition or the work fails; the task is then tried again */
  handle(payload: unknown, signal: AbortSignal): Promise<void>;
}

/** Finds the instance of a provider. */
export type FindProvider = <Provider>(type: Abstract<Provider>) => Provider;

/** One row of the table of tasks. */
export interface TaskRow {
  readonly kind: string;
  /** The class that handles the task. */
  readonly handledBy: Abstract<unknown>;
  /** Unset: the task is sent by a feature. Else the schedule sends it with this interval, and its payload is empty. */
  readonly schedule?: { readonly task: TaskDefinition<object>; readonly everyMs: number };
  /** Ties the definition to the instance of its class. */
  bind(find: FindProvider): TaskHandler;
}

/** Handles the tasks of one definition with one provider. */
export function handler<Payload extends object>(
  task: TaskDefinition<Payload>,
  work: (payload: Payload, signal: AbortSignal) => Promise<unknown>,
): TaskHandler {
  return {
    kind: task.kind,
    concurrency: task.concurrency,
    async handle(payload, signal) {
      await work(task.payload.parse(payload), signal);
    },
  };
}

/** A row for a task that features send. */
export function onTask<Payload extends object, UseCase>(
  task: TaskDefinition<Payload>,
  handledBy: Abstract<UseCase>,
  work: (useCase: UseCase, payload: Payload, signal: AbortSignal) => Promise<unknown>,
): TaskRow {
  return {
    kind: task.kind,
    handledBy,
    bind(find) {
      const useCase = find(handledBy);
      return handler(task, (payload, signal) => work(useCase, payload, signal));
    },
  };
}

/**
 * A row for a task that the schedule sends: it carries nothing, and at most one of its kind waits, however many processes tick.
 * @param everyMs interval in milliseconds
 */
export function every<UseCase>(
  everyMs: number,
  kind: string,
  handledBy: Abstract<UseCase>,
  work: (useCase: UseCase, signal: AbortSignal) => Promise<unknown>,
): TaskRow {
  const task = { kind, payload: z.object({}), concurrency: 1 };
  const row = onTask(task, handledBy, (useCase, _, signal) => work(useCase, signal));
  return { ...row, schedule: { task, everyMs } };
}
