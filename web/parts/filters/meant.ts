/** So many characters of a text at most the API finds by a part of it. */
export const MAX_PART = 100;

/** A value of a list to choose from, as a field shows it. */
export interface Option {
  readonly value: string;
  /** Code and name. */
  readonly label: string;
}

/** Those with every word that was typed; all of them while the name of a chosen one stands there. */
export function matching<One extends Option>(options: readonly One[], typed: string): One[] {
  const words = typed.toLowerCase().split(/\s+/);
  const isChosen = options.some(({ label }) => label === typed);
  return options.filter(({ label }) => isChosen || words.every((one) => label.toLowerCase().includes(one)));
}

/**
 * Who types a code, or all that distinguishes one value from the others, and goes on with the next field means it.
 * @param value what is chosen; empty: nothing
 * @param isAll whether the options are all that match: among some of them the only one that matches says nothing
 * @returns the option that is meant in its place; undefined: none
 */
export function meantBy<One extends Option>(
  options: readonly One[],
  value: string,
  typed: string,
  isAll: boolean,
): One | undefined {
  const text = typed.trim().toLowerCase();
  // What is chosen stands there by its name, and by its code where the list has it no more.
  if (text === '' || typed === value || options.some((one) => one.value === value && one.label === typed)) {
    return undefined;
  }
  const matches = matching(options, text);
  const only = isAll && matches.length === 1 ? matches[0] : undefined;
  return options.find((one) => one.value.toLowerCase() === text) ?? only;
}
