// Pure: the differences of two plans, value by value.
import type { PlannedEntry } from '../../../bookkeeping/item/posting-plan.js';
import { planText } from './plan-text.js';

export interface PlanDifference {
  /** JSON pointer: "/0/lines/1/account/code" is the second line of the first entry. */
  readonly pointer: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** What says how something was decided or is only kept beside it, and not what is in the books. */
const NOT_POSTED_FIELDS: ReadonlySet<string> = new Set([
  'description',
  'decision',
  'mappingVersion',
  'plannerVersion',
  'information',
  'source',
  'id',
]);
const MAX_PLAN_DIFFERENCES = 50;

/**
 * @param before, after entries as planned, or as they were written down
 * @returns in the order of the pointers, at most 50
 */
export function diffPlans(before: readonly unknown[], after: readonly unknown[]): readonly PlanDifference[] {
  const [old, now] = [leavesOf(before), leavesOf(after)];
  return [...new Set([...old.keys(), ...now.keys()])]
    .map((pointer) => ({ pointer, before: old.get(pointer) ?? null, after: now.get(pointer) ?? null }))
    .filter((difference) => difference.before !== difference.after)
    .sort((one, other) => (one.pointer < other.pointer ? -1 : 1))
    .slice(0, MAX_PLAN_DIFFERENCES);
}

/** Entries as they are written down: amounts as texts. */
export function planAsJson(entries: readonly PlannedEntry[]): readonly unknown[] {
  return JSON.parse(planText(entries)) as readonly unknown[];
}

function leavesOf(value: unknown, pointer = '', leaves = new Map<string, string>()): ReadonlyMap<string, string> {
  if (typeof value === 'object' && value !== null) {
    for (const [key, member] of Object.entries(value)) {
      if (!NOT_POSTED_FIELDS.has(key)) leavesOf(member, `${pointer}/${key}`, leaves);
    }
  } else if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
    leaves.set(pointer, String(value));
  }
  return leaves;
}
