import type { PlannedEntry } from '../../../bookkeeping/item/posting-plan.js';

/**
 * All that is decided about entries as one text, for the caller to hash: two plans are the same exactly when their texts are,
 * whatever the order of keys. The description is left out: it follows names and notes, of which we keep none.
 */
export function planText(entries: readonly PlannedEntry[]): string {
  return JSON.stringify(entries, (key, value: unknown) => {
    if (key === 'description') return undefined;
    if (typeof value === 'bigint') return value.toString();
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)));
  });
}
