/** @returns the mark that stands between thousands where numbers are written so; undefined where none does */
export function groupMarkOf(locale: string): string | undefined {
  return new Intl.NumberFormat(locale).formatToParts(1_000_000).find(({ type }) => type === 'group')?.value;
}

/**
 * @param groupMark of the reader's language
 * @returns whether a number with one mark may mean thousands: "17.250" is 17250 to a reader of German, and 17.25 to programs
 */
export function mayBeThousands(text: string, groupMark: string | undefined): boolean {
  const [before = '', after = ''] = groupMark === undefined ? [] : text.split(groupMark);
  return /^[1-9]\d{0,2}$/.test(before) && /^\d{3}$/.test(after);
}

/** A keyboard has no unbreakable blank and no curved apostrophe, which stand between thousands in some countries. */
const asOnKeys = (text: string): string => text.replaceAll(/\s/g, ' ').replaceAll('’', "'");

/**
 * @param locale of the reader, whose marks between thousands are left out where they stand between all of them, as the page shows
 *   numbers
 * @returns the number without them; any other text as it is
 */
export function withoutGroups(text: string, locale: string): string {
  const parts = new Intl.NumberFormat(locale).formatToParts(1_000_000.5);
  const markOf = (one: 'group' | 'decimal') => parts.find(({ type }) => type === one)?.value;
  const [group = '', decimal = '.'] = [markOf('group'), markOf('decimal')];
  const [whole = '', ...digits] = asOnKeys(text).split(decimal);
  const [first = '', ...others] = group === '' ? [] : whole.split(asOnKeys(group));
  const isGrouped = /^[1-9]\d{0,2}$/.test(first) && others.length > 0 && others.every((one) => /^\d{3}$/.test(one));
  return isGrouped ? [[first, ...others].join(''), ...digits].join('.') : text;
}

/** @returns a decimal with a point as a reader types it: every digit, and no marks between thousands */
export function asTyped(decimal: string, locale: string): string {
  const format = new Intl.NumberFormat(locale, { useGrouping: false, maximumFractionDigits: 20 });
  return format.format(decimal as `${number}`);
}
