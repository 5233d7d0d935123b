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

type Blocking = Pick<SetupStepResponse, 'check' | 'state' | 'blocks' | 'itemTypes'>;

/** A type of entries that cannot be exported yet; with a currency, only in that one. */
export interface LeftOut {
  readonly itemType: string;
  readonly currency?: string;
}

/** Of an account for one currency, as `wallet-JPY`. */
const CURRENCY = /-([A-Z]{3})$/;

/** @returns each once, although several steps may be open for it */
export function leftOutBy(steps: readonly Blocking[]): readonly LeftOut[] {
  const found = steps
    .filter(({ state, blocks }) => state === 'open' && blocks === 'item-types')
    .flatMap(({ check, itemTypes }) => itemTypes.map((itemType) => [itemType, CURRENCY.exec(check)?.[1]] as const));
  const whole = new Set(found.filter(([, currency]) => currency === undefined).map(([itemType]) => itemType));
  const others = new Map(
    found.flatMap(([itemType, currency]) =>
      currency === undefined || whole.has(itemType) ? [] : [[`${itemType} ${currency}`, { itemType, currency }]],
    ),
  );
  return [...[...whole].map((itemType) => ({ itemType })), ...others.values()];
}
