// What a response of the platform means for one step of a plan.
import { NoResponse } from '../../../foundation/http/client/http-client.js';
import { InvalidPlatformResponse, PlatformRefusal } from '../../platform/platform-error.js';
import type { StepOutcome } from '../domain/sync-run.js';

/**
 * Carries out a step.
 * @param call may be repeated without harm
 * @throws an error that is no response to this step
 */
export async function applyRepeatable(call: () => Promise<unknown>): Promise<StepOutcome> {
  try {
    await call();
    return { outcome: 'done' };
  } catch (error) {
    return outcomeOfError(error);
  }
}

/** As `applyRepeatable`, for a call that must not be repeated: when its effect is unknown, a new plan shows it. */
export async function applyOnce(call: () => Promise<unknown>): Promise<StepOutcome> {
  try {
    await call();
    return { outcome: 'done' };
  } catch (error) {
    return mayHaveHappened(error) ? { outcome: 'stale' } : outcomeOfError(error);
  }
}

/** One after the other, so that a run never has more than one request under way. */
export async function applyInOrder<Step>(
  steps: readonly Step[],
  apply: (step: Step) => Promise<StepOutcome>,
): Promise<readonly StepOutcome[]> {
  const outcomes: StepOutcome[] = [];
  for (const step of steps) {
    outcomes.push(await apply(step));
  }
  return outcomes;
}

function outcomeOfError(error: unknown): StepOutcome {
  if (error instanceof PlatformRefusal) {
    switch (error.status) {
      // Deleted or created by another program since the plan was made.
      case 404:
      case 409:
        return { outcome: 'stale' };
      case 400:
      case 413:
      case 422:
        return { outcome: 'refused', detail: refusalText(error) };
    }
  }
  throw error;
}

export function refusalText({ message, type, status }: PlatformRefusal): string {
  const said = [message, type].find((text) => text !== '') ?? `status ${status.toString()}`;
  return `The platform did not take it: ${said}`;
}

function mayHaveHappened(error: unknown): boolean {
  return (
    (error instanceof NoResponse && error.sent) ||
    error instanceof InvalidPlatformResponse ||
    (error instanceof PlatformRefusal && error.status >= 500)
  );
}
