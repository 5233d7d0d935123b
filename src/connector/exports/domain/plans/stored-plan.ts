// Planned entries as they are kept with an intent: JSON with amounts as text, since JSON numbers are floats.
import type { PlannedEntry } from '../../../bookkeeping/item/posting-plan.js';

/** Every amount of a plan; whatever else looks like a number is none. */
const MINOR_UNITS: ReadonlySet<string> = new Set(['amountMinor', 'baseMinor']);

/** @returns JSON in which every `bigint` is decimal text; `parsePlan` reads it back */
export function serializePlan(entries: readonly PlannedEntry[]): string {
  return JSON.stringify(entries, (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value));
}

/** @param text as `serializePlan` has written it */
export function parsePlan(text: string): readonly PlannedEntry[] {
  return JSON.parse(text, (key, value: unknown) =>
    MINOR_UNITS.has(key) && typeof value === 'string' ? BigInt(value) : value,
  ) as readonly PlannedEntry[];
}
