/** As many rules as a preview takes. */
export const MAX_PREVIEWED_RULES = 1_000;

/**
 * @param others all saved rules but the one that is changed, or more of them than a preview takes
 * @returns all rules as they would be; undefined where a preview does not take them all: one with some of them would show entries
 *   as failing that do not fail
 */
export function rulesWith<Rule>(others: readonly Rule[], rule: Rule): readonly Rule[] | undefined {
  return others.length < MAX_PREVIEWED_RULES ? [...others, rule] : undefined;
}

/** What a preview says of an entry. */
interface Planned {
  readonly accountingEntryId: string;
  /** Its journal entries; empty where it fails. */
  readonly entries: readonly unknown[];
}

/** How many entries of a preview are booked otherwise than in one of the same entries before; one that fails then is not booked. */
export function plannedOtherwise(before: readonly Planned[], after: readonly Planned[]): number {
  const known = new Map(before.map(({ accountingEntryId, entries }) => [accountingEntryId, postedText(entries)]));
  return after.filter(({ accountingEntryId, entries }) => {
    return entries.length > 0 && postedText(entries) !== known.get(accountingEntryId);
  }).length;
}

interface Failing {
  readonly accountingEntryId: string;
  readonly action: string;
}

/** How many entries of a preview fail: `anew` those that do not in one of the same entries before, `still` the others. */
export function failingOf(before: readonly Failing[], after: readonly Failing[]) {
  const idsOf = (entries: readonly Failing[]) =>
    entries.filter(({ action }) => action === 'fail').map(({ accountingEntryId }) => accountingEntryId);
  const known = new Set(idsOf(before));
  const failing = idsOf(after);
  const still = failing.filter((id) => known.has(id)).length;
  return { anew: failing.length - still, still };
}

/** Without what says how it was decided. */
function postedText(entries: readonly unknown[]): string {
  return JSON.stringify(entries, (name, value: unknown) => (HOW_DECIDED.has(name) ? undefined : value));
}

const HOW_DECIDED: ReadonlySet<string> = new Set(['decision', 'mappingVersion']);
