interface Entered<Values> {
  readonly initial: Values;
  readonly values: Values;
  readonly overtaken?: Values | undefined;
}

/**
 * Of a form whose saved values are other ones now: what its reader had entered, and is no longer there.
 * @param now what the form shows from now on
 * @returns undefined where nothing was entered, or it is what was saved
 */
export function overtakenBy<Values extends object>(
  now: Values,
  { initial, values, overtaken }: Entered<Values>,
): Values | undefined {
  const entered = isSame(values, initial) ? overtaken : values;
  return entered === undefined || isSame(entered, now) ? undefined : entered;
}

function isSame(one: object, other: object): boolean {
  const text = (value: object) => JSON.stringify(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
  return text(one) === text(other);
}
