// Which recorded response belongs to a request.

export type Answers = Readonly<Record<string, unknown>>;

/** Under which name an answer is recorded: path and query, in the order of the alphabet. */
export function keyOf({ pathname, searchParams }: URL): string {
  const query = new URLSearchParams([...searchParams].sort());
  return query.size === 0 ? pathname : `${pathname}?${query.toString()}`;
}

interface List {
  readonly data: readonly Readonly<Record<string, unknown>>[];
}
const isList = (answer: unknown): answer is List => Array.isArray((Object(answer) as Partial<List>).data);
/** They order and cut a list, but do not choose from it. */
const NO_FILTERS: ReadonlySet<string> = new Set(['sort', 'limit', 'after', 'active', 'from', 'to', 'format']);

/** @returns what was recorded; of a list that was not requested in this way the rows that were chosen; else undefined */
export function answerOf(answers: Answers, url: URL): unknown {
  const exact = answers[keyOf(url)];
  if (exact !== undefined) {
    return exact;
  }
  const lists = Object.keys(answers)
    .filter((key) => key.split('?')[0] === url.pathname)
    .map((key) => answers[key])
    .filter(isList);
  const [longest] = lists.sort((one, other) => other.data.length - one.data.length);
  if (longest === undefined) {
    return undefined;
  }
  const filters = [...url.searchParams].filter(([name]) => !NO_FILTERS.has(name));
  const data = longest.data.filter((row) =>
    filters.every(([name, value]) =>
      typeof row[name] === 'string'
        ? row[name].toLowerCase().includes(value.toLowerCase())
        : JSON.stringify(row).toLowerCase().includes(value.toLowerCase()),
    ),
  );
  const sums = 'amounts' in longest ? { amounts: [] } : {};
  return { ...longest, ...sums, data, total: data.length, nextCursor: null };
}
