import type { SetupStepResponse } from '../../api/schema.js';

/** `unchecked`: it was decided, and whether it holds cannot be looked up now. */
export type Decided = 'done' | 'unchecked' | 'open';

type Step = Pick<SetupStepResponse, 'check' | 'state' | 'resolvedBy'>;

/**
 * What was decided stays decided while the accounting system does not respond: no person has to choose it again.
 * @param steps that a decision answers
 */
export function decidedBy(steps: readonly Step[]): Decided {
  if (steps.length === 0 || steps.some((step) => step.state === 'open' && !isAway(step))) {
    return 'open';
  }
  return steps.every(({ state }) => state === 'done') ? 'done' : 'unchecked';
}

/** The system is connected and does not answer: nothing of the set-up resolves that. */
function isAway({ check, resolvedBy }: Step): boolean {
  return check === 'erp-reachable' && resolvedBy === null;
}
