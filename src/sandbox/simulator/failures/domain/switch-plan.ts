/** When a switch acts, among the requests or notifications that fit it. */
export interface SwitchPlan {
  /** Number of matching requests that pass before the first can fail. */
  readonly skip: number;
  /** Percentage of the later ones that fail. */
  readonly percent: number;
  /** Chooses which ones these are. */
  readonly seed: number;
  /** Null: until the switch is removed. */
  readonly timesLeft: number | null;
  /** How many have fitted so far. */
  readonly seen: number;
  /** Number of them that failed. */
  readonly hits: number;
}

/**
 * Whether a switch acts on the next one that fits.
 * @param share from 0 up to 1, drawn for this one
 */
export function isMatched(plan: SwitchPlan, share: number): boolean {
  return plan.timesLeft !== 0 && plan.seen >= plan.skip && share * 100 < plan.percent;
}

/** The plan after one that fitted. */
export function counted<Plan extends SwitchPlan>(plan: Plan, isHit: boolean): Plan {
  const timesLeft = isHit && plan.timesLeft !== null ? plan.timesLeft - 1 : plan.timesLeft;
  return { ...plan, timesLeft, seen: plan.seen + 1, hits: plan.hits + (isHit ? 1 : 0) };
}
