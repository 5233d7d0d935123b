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
