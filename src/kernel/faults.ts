// The three ways in which work that was expected to succeed ends by throwing. Outcomes that belong to the business are
// values of a union instead.

/** Another attempt later may succeed. The reason stands in `cause`. */
export class Retryable extends Error {
  override readonly name = 'Retryable';
}

/** No further attempt will succeed until a person has changed something. */
export class Permanent extends Error {
  override readonly name = 'Permanent';
}

/** The program itself is wrong: something happened that its author held to be impossible. */
export class Bug extends Error {
  override readonly name = 'Bug';
}
