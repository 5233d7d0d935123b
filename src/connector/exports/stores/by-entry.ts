/**
 * What a statement writes to the rows of many accounting entries, as one JSON object with the entries' ids as names. The rows are
 * found by their keys and each looks its values up: a join with a list of rows would be planned by statistics, which say nothing of
 * states that rows have for seconds only, and its cost would then grow with the square of the entries.
 * @param read the values of an entry, with its place among them; names of the JSON object are those of its properties
 */
export function byEntry<Entry extends { readonly accountingEntryId: string }>(
  entries: readonly Entry[],
  read: (entry: Entry, index: number) => object,
): string {
  const members = entries.map(
    (entry, index) => `${JSON.stringify(entry.accountingEntryId)}:${JSON.stringify(read(entry, index))}`,
  );
  return `{${members.join(',')}}`;
}
