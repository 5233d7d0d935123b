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

/** @returns a decimal with a point as a reader types it: every digit, and no marks between thousands */
export function asTyped(decimal: string, locale: string): string {
  const format = new Intl.NumberFormat(locale, { useGrouping: false, maximumFractionDigits: 20 });
  return format.format(decimal as `${number}`);
}
