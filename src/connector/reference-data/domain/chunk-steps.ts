import type { PlannedChange } from './sync-plan.js';

/** Changes that are recorded together although each is a request of its own: after a crash these are compared again. */
const SINGLES = 50;
/** Most records of one request, where several can be one. */
export interface BatchLimits {
  readonly accountCreates: number;
  readonly tagArchives: number;
}

/** Cuts a plan into pieces that are recorded together; steps that can be one request are in one piece. */
export function chunkSteps<Step extends PlannedChange>(
  steps: readonly Step[],
  { accountCreates, tagArchives }: BatchLimits,
): readonly (readonly Step[])[] {
  const batches: Readonly<Record<string, number>> = {
    'account create': accountCreates,
    'tag archive': tagArchives,
  };
  const chunks: Step[][] = [];
  let sort: string | undefined;
  for (const step of steps) {
    const named = `${step.subject} ${step.action}`;
    const size = batches[named] ?? SINGLES;
    const sortOfStep = named in batches ? named : 'single';
    const last = chunks.at(-1);
    if (last === undefined || sort !== sortOfStep || last.length === size) {
      chunks.push([step]);
      sort = sortOfStep;
    } else {
      last.push(step);
    }
  }
  return chunks;
}
