/** What stands in a field whose text becomes a filter of the address a moment after the last key. */
export interface TypedText {
  readonly text: string;
  /** The filter as it was seen last. */
  readonly seen: string;
  /** What was typed and is not in the address yet, the oldest first. */
  readonly sent: readonly string[];
}

/** The text goes into the address. */
export const withSent = (typed: TypedText, text: string): TypedText => ({ ...typed, sent: [...typed.sent, text] });

/**
 * @param filter as the address has it now
 * @returns the filter as text, where it came from elsewhere, as by a link; what was typed is not overwritten by its own echo
 */
export function followed(typed: TypedText, filter: string): TypedText {
  if (filter === typed.seen) {
    return typed;
  }
  const at = typed.sent.indexOf(filter);
  return at < 0 ? { text: filter, seen: filter, sent: [] } : { ...typed, seen: filter, sent: typed.sent.slice(at + 1) };
}
