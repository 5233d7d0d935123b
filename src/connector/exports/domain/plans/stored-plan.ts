// Planned entries as they are stored with an intent: JSON with amounts as text, since JSON numbers are floats.
import type { PlannedEntry } from '../../../bookkeeping/item/posting-plan.js';

/** The properties that are amounts. */
const MINOR_UNITS: ReadonlySet<string> = new Set([
  ...['amountMinor', 'baseMinor'],
  ...['taxableMinor', 'taxableBaseMinor', 'taxMinor', 'taxBaseMinor'],
]);

/**
 * Leaves out the description, which names persons and quotes notes.
 * @returns an object for JSON with amounts as decimal text; `parsePlan` reads it back
 */
export function storablePlan(entries: readonly PlannedEntry[]): readonly object[] {
  return entries.map((entry) => ({
    ...entry,
    description: undefined,
    settlement: entry.settlement && { ...entry.settlement, amountMinor: entry.settlement.amountMinor.toString() },
    lines: entry.lines.map((line) => ({
      ...line,
      amountMinor: line.amountMinor.toString(),
      baseMinor: line.baseMinor.toString(),
      tax: line.tax && {
        ...line.tax,
        taxableMinor: line.tax.taxableMinor.toString(),
        taxableBaseMinor: line.tax.taxableBaseMinor.toString(),
        taxMinor: line.tax.taxMinor.toString(),
        taxBaseMinor: line.tax.taxBaseMinor.toString(),
      },
    })),
  }));
}

/** The ERP vendors and mapping rules that plans use, each once. */
export function usedByPlans(plans: readonly (readonly PlannedEntry[])[]): {
  readonly vendorIds: readonly string[];
  readonly ruleIds: readonly string[];
} {
  const vendorIds = new Set<string>();
  const ruleIds = new Set<string>();
  for (const { vendor, account, taxCode, dimensions } of plans.flat().flatMap(({ lines }) => lines)) {
    if (vendor !== undefined) vendorIds.add(vendor.id);
    for (const { decision } of [account, ...(taxCode === undefined ? [] : [taxCode]), ...dimensions]) {
      if (decision.by === 'rule') ruleIds.add(decision.ruleId);
    }
  }
  return { vendorIds: [...vendorIds], ruleIds: [...ruleIds] };
}

/**
 * @param text JSON of a `storablePlan`
 * @returns the plan, each entry described by its reference
 */
export function parsePlan(text: string): readonly PlannedEntry[] {
  const entries = JSON.parse(text, (key, value: unknown) =>
    MINOR_UNITS.has(key) && typeof value === 'string' ? BigInt(value) : value,
  ) as readonly Omit<PlannedEntry, 'description'>[];
  return entries.map((entry) => ({ ...entry, description: entry.reference }));
}
